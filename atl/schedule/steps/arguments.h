// The items of a step, read from left to right. The first thing that is not as expected makes the reader
// fail; what it returns after that does not matter.
#pragma once
#include "atl/rewrites/rewrites.h"
#include "atl/schedule/steps/target.h"

namespace atl::schedule {

class Arguments {
public:
  Arguments(const Step &step, std::string_view usage, const TypedKernel &kernel)
      : step_(step), usage_(usage), kernel_(kernel) {}

  bool failed() const { return !problems_.empty(); }
  Diagnostics take_problems() { return std::move(problems_); }

  bool word(std::string_view text); // takes it, if it is next
  void expect(std::string_view text);
  bool comma();
  Span span() const; // of the next item, or of the step
  bool more() const { return !failed() && next_ < step_.items.size(); }
  std::string name();
  Index index();
  Pred condition();
  std::string one_of(std::initializer_list<std::string_view> words);
  LoopName loop_name();      // NAME [in NAME]
  Path loop();               // exactly one loop
  std::vector<Path> loops(); // `every NAME`: all of them
  void end();                // nothing is left

  void fail(std::string message, std::vector<Note> notes = {});
  void fail(Diagnostics problems);

private:
  const StepItem *peek() const { return more() ? &step_.items[next_] : nullptr; }
  void fail_usage(std::vector<Note> notes = {});

  const Step &step_;
  std::string_view usage_;
  const TypedKernel &kernel_;
  std::size_t next_ = 0;
  Diagnostics problems_;
};

} // namespace atl::schedule
