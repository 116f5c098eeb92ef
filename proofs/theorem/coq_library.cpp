#include "proofs/theorem/coq_library.h"

#include "atl/base/workers.h"
#include "cbackend/host/process.h"
#include "cbackend/host/temp_folder.h"
#include "proofs/theorem/coq_cache.h"

#include <algorithm>
#include <condition_variable>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <vector>

namespace atl::proofs::coq {

namespace fs = std::filesystem;
using namespace cbackend;

namespace {

// Relative to the folder, sorted.
std::vector<std::string> sources_in(const fs::path &folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto &file : fs::recursive_directory_iterator(folder, error))
    if (file.path().extension() == ".v")
      files.push_back(file.path().lexically_relative(folder).string());
  std::sort(files.begin(), files.end());
  return files;
}

std::string name_of(const fs::path &folder, const std::vector<std::string> &files,
                    const std::string &version) {
  std::string all = version + "\n";
  for (const std::string &file : files)
    all += file + " " + digest(content_of(folder / file)) + "\n";
  return digest(all);
}

bool is_compiled(const fs::path &folder) {
  std::error_code error;
  return fs::exists(folder / "Exported.vo", error);
}

std::vector<std::string> in_folder(const fs::path &folder, const std::vector<std::string> &command,
                                   const std::vector<std::string> &files) {
  std::vector<std::string> argv{"env", "-C", folder.string()};
  argv.insert(argv.end(), command.begin(), command.end());
  argv.insert(argv.end(), {"-Q", ".", "ATL"});
  argv.insert(argv.end(), files.begin(), files.end());
  return argv;
}

// What each file needs to be compiled before, from rules as coqdep writes them: "a.vo a.glob: a.v b.vo".
using Needs = std::map<std::string, std::set<std::string>>;

Result<Needs> needs_of(const fs::path &folder, const std::vector<std::string> &files) {
  auto rules = run_successfully(in_folder(folder, {"coqdep"}, files));
  if (!rules)
    return rules.errors();
  auto source = [](const std::string &compiled) { return compiled.substr(0, compiled.size() - 1); };
  auto is_compiled_file = [](const std::string &word) { return fs::path(word).extension() == ".vo"; };
  Needs needs;
  std::istringstream lines(rules->output);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string target;
    words >> target;
    if (!is_compiled_file(target))
      continue;
    std::set<std::string> &before = needs[source(target)];
    for (std::string word; words >> word;)
      if (is_compiled_file(word))
        before.insert(source(word));
  }
  return needs;
}

// Compiles files in the order that they need, several at a time.
class Compiling {
public:
  Compiling(fs::path folder, Needs waiting, const Progress &progress)
      : folder_(std::move(folder)), waiting_(std::move(waiting)), all_(waiting_.size()), progress_(progress) {
  }

  std::optional<Diagnostics> run() {
    for_each_number(worker_count(), [this](std::size_t) { work(); });
    return problem_;
  }

private:
  void work() {
    std::unique_lock guard(lock_);
    while (auto file = next(guard)) {
      guard.unlock();
      auto outcome = run_successfully(in_folder(folder_, {"coqc", "-noglob"}, {*file}));
      guard.lock();
      if (outcome)
        finish(*file);
      else if (!problem_)
        problem_ = outcome.errors();
      changed_.notify_all();
    }
  }

  // A file whose needs are compiled; nothing when there is no more to do.
  std::optional<std::string> next(std::unique_lock<std::mutex> &guard) {
    for (;; changed_.wait(guard)) {
      if (problem_ || waiting_.empty())
        return std::nullopt;
      auto ready = std::find_if(waiting_.begin(), waiting_.end(),
                                [](const auto &file) { return file.second.empty(); });
      if (ready == waiting_.end())
        continue;
      std::string file = ready->first;
      waiting_.erase(ready);
      return file;
    }
  }

  void finish(const std::string &file) {
    for (auto &[other, needs] : waiting_)
      needs.erase(file);
    progress_(++done_, all_);
  }

  fs::path folder_;
  Needs waiting_;
  std::size_t done_ = 0, all_;
  const Progress &progress_;
  std::optional<Diagnostics> problem_;
  std::mutex lock_;
  std::condition_variable changed_;
};

std::optional<Diagnostics> compile_in(const fs::path &folder, const fs::path &sources,
                                      const std::vector<std::string> &files, const Progress &progress) {
  for (const std::string &file : files) {
    std::error_code error;
    fs::create_directories((folder / file).parent_path(), error);
    if (auto written = write_text(folder / file, content_of(sources / file)); !written)
      return written.errors();
  }
  auto needs = needs_of(folder, files);
  return needs ? Compiling(folder, std::move(*needs), progress).run() : needs.errors();
}

} // namespace

Result<CompiledLibrary> given_library(const fs::path &folder) {
  if (is_compiled(folder))
    return CompiledLibrary{folder, nullptr};
  return Diagnostic{
      Code::missing_tool,
      std::nullopt,
      fmt::format("the compiled Coq library is not in {}", folder.string()),
      {{std::nullopt, "without --coq-library, atlc compiles the library when it is first needed"}}};
}

Result<CompiledLibrary> compiled_library(const fs::path &sources, const fs::path &cache,
                                         const std::string &version, const Progress &progress) {
  const std::vector<std::string> files = sources_in(sources);
  if (files.empty())
    return Diagnostic{Code::missing_tool,
                      std::nullopt,
                      fmt::format("the sources of the Coq library are not in {}", sources.string()),
                      {{std::nullopt, "they are installed with atlc; is the installation complete?"}}};
  const fs::path final = cache / ("library-" + name_of(sources, files, version));
  if (!cache.empty() && is_compiled(final))
    return CompiledLibrary{final, nullptr};
  std::error_code error;
  fs::create_directories(cache, error);
  auto temporary = TempFolder::create(cache.empty() ? fs::temp_directory_path() : cache);
  if (!temporary)
    return temporary.errors();
  const fs::path folder = temporary->path() / "ATL";
  if (auto problem = compile_in(folder, sources, files, progress))
    return *problem;
  if (cache.empty())
    return CompiledLibrary{folder, std::make_shared<TempFolder>(*temporary)};
  fs::rename(folder, final, error); // fails if another program was faster
  if (is_compiled(final))
    return CompiledLibrary{final, nullptr};
  return Diagnostic{Code::cannot_write,
                    std::nullopt,
                    fmt::format("cannot write {}: {}", final.string(), error.message()),
                    {}};
}

} // namespace atl::proofs::coq
