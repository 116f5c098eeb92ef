#include "cbackend/host/interrupt.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace atl::cbackend {

namespace {

namespace fs = std::filesystem;

struct Leftovers {
  std::recursive_mutex mutex;
  std::set<fs::path> temporaries;
  std::vector<fs::path> new_folders; // outer ones before inner ones
  std::set<pid_t> children;
};

Leftovers &leftovers() {
  static Leftovers *all = new Leftovers; // outlives the threads that use it
  return *all;
}

// What a SIGINT means.
enum class Interrupt { ends, is_noted, was_noted };
std::atomic<Interrupt> interrupt = Interrupt::ends;

void wipe(const fs::path &path) {
  std::error_code ignored; // nothing to be done about it
  fs::remove_all(path, ignored);
}

bool has_ended(pid_t child) {
  constexpr int attempts = 200;
  for (int i = 0; i < attempts; ++i) {
    if (::waitpid(child, nullptr, WNOHANG) != 0)
      return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

// What it would have written, it has written or will not write. Compilers remove their own temporary files.
void end_child(pid_t group) {
  ::kill(-group, SIGTERM);
  if (!has_ended(group))
    ::kill(-group, SIGKILL);
}

[[noreturn]] void end_with(int signal) {
  Uninterrupted until_the_end;
  for (pid_t group : leftovers().children)
    end_child(group);
  for (const fs::path &path : leftovers().temporaries)
    wipe(path);
  for (auto folder = leftovers().new_folders.rbegin(); folder != leftovers().new_folders.rend(); ++folder)
    ::rmdir(folder->c_str());
  ::_exit(128 + signal);
}

} // namespace

void clean_up_when_interrupted() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr); // for the threads to come, too
  std::thread([signals] {
    int signal = 0;
    Interrupt noted = Interrupt::is_noted;
    do
      sigwait(&signals, &signal);
    while (signal == SIGINT && interrupt.compare_exchange_strong(noted, Interrupt::was_noted));
    end_with(signal);
  }).detach();
}

EndsEarly::EndsEarly() {
  interrupt = Interrupt::is_noted;
}

EndsEarly::~EndsEarly() {
  interrupt = Interrupt::ends;
}

bool EndsEarly::is_asked() const {
  return interrupt == Interrupt::was_noted;
}

Uninterrupted::Uninterrupted() : lock_(leftovers().mutex) {}

void add_temporary(const fs::path &path) {
  Uninterrupted now;
  leftovers().temporaries.insert(path);
}

void remove_temporary(const fs::path &path) {
  Uninterrupted now;
  wipe(path);
  leftovers().temporaries.erase(path);
}

void add_new_folder(const fs::path &path) {
  Uninterrupted now;
  leftovers().new_folders.push_back(path);
}

void remove_new_folder(const fs::path &path) {
  Uninterrupted now;
  ::rmdir(path.c_str());
  std::erase(leftovers().new_folders, path);
}

void add_child(pid_t group) {
  Uninterrupted now;
  leftovers().children.insert(group);
}

void remove_child(pid_t group) {
  Uninterrupted now;
  leftovers().children.erase(group);
}

} // namespace atl::cbackend
