// Work on several cores. Comes in: a number of things to do, and a function that does one. May use: nothing.
#pragma once
#include <cstddef>
#include <functional>

namespace atl {

// How many things are done at a time, in the whole process: 1 until this is called. To be called before
// there is work.
void use_workers(unsigned count);
unsigned worker_count();

// Calls work(0) to work(count - 1), several at a time and in any order, and returns when all are done. Work
// may itself call this: its parts then go to workers that have nothing to do. If calls throw, the exception
// of the smallest number goes on.
void for_each_number(std::size_t count, const std::function<void(std::size_t)> &work);

} // namespace atl
