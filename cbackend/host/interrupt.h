// What an interrupted program leaves behind: nothing. Temporary files and programs that run are known here;
// SIGINT, SIGTERM and SIGHUP end these and remove those.
#pragma once
#include <filesystem>
#include <mutex>
#include <sys/types.h>

namespace atl::cbackend {

// From here on the three signals end the process with status 128 + signal. Called once, before there are
// other threads.
void clean_up_when_interrupted();

// While it lives, the first SIGINT is only noted: who can, ends early and keeps what there is. The second one
// ends the process like any other signal.
class EndsEarly {
public:
  EndsEarly();
  ~EndsEarly();
  EndsEarly(const EndsEarly &) = delete;
  EndsEarly &operator=(const EndsEarly &) = delete;
  bool is_asked() const;
};

// While it lives, an interruption waits.
class Uninterrupted {
public:
  Uninterrupted();

private:
  std::unique_lock<std::recursive_mutex> lock_;
};

void add_temporary(const std::filesystem::path &path); // a file, or a folder with what is in it
void remove_temporary(const std::filesystem::path &path);
void add_new_folder(const std::filesystem::path &path); // which goes again if nothing is in it
void remove_new_folder(const std::filesystem::path &path);
void add_child(pid_t group); // the leader of a process group of its own
void remove_child(pid_t group);

} // namespace atl::cbackend
