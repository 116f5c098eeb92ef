#include "bench/report.h"

#include "bench/plot.h"
#include "bench/tables.h"
#include "driver/io/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <stdexcept>

namespace atl::bench {

namespace {

namespace fs = std::filesystem;

const std::string begin_mark = "<!-- results: ", begin_end = " -->\n", end_mark = "<!-- end of results -->\n";
const std::set<std::string> with_goals{"check", "coq", "ladders"};
const std::string of_steps = "tutorial", of_many_cases = "sweep";

// What a plot of speed against peers is about: the suites whose peers are libraries.
struct Subject {
  const char *suite, *title;
};
constexpr std::array subjects{Subject{"sgemm", "products of matrices, f32"},
                              Subject{"int8", "products of matrices, int8"},
                              Subject{"conv", "convolutions, f32"}, Subject{"images", "image pipelines"}};

std::vector<fs::path> files_with(const fs::path &folder, const std::string &extension) {
  std::vector<fs::path> files;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder))
    if (entry.path().extension() == extension)
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string text_of(const fs::path &file) {
  Result<std::string> text = driver::read_file(file);
  if (!text)
    throw std::runtime_error(text.errors().front().message);
  return *text;
}

std::vector<Results> all_results(const fs::path &folder) {
  std::vector<Results> all;
  for (const fs::path &file : files_with(folder, ".json"))
    all.push_back(from_json(file.stem().string(), text_of(file)));
  return all;
}

std::vector<Row> chosen(const std::vector<Row> &rows, const std::string &suite, const std::string &prefix) {
  std::vector<Row> result;
  for (const Row &row : rows)
    if (row.suite == suite && row.name.starts_with(prefix))
      result.push_back(row);
  return result;
}

using Files = std::map<fs::path, std::string>; // by their path below the output folder

// Of all machines together; small inputs do not count.
std::string summary(const std::vector<Results> &all) {
  std::vector<Bar> bars;
  for (const Subject &subject : subjects) {
    std::vector<Row> rows;
    for (const Results &results : all) {
      if (results.environment.quick)
        continue;
      const std::vector<Row> more = chosen(results.rows, subject.suite, "");
      rows.insert(rows.end(), more.begin(), more.end());
    }
    for (const auto &[peer, mean] : means(rows))
      if (peer != "the best peer" && peer != "one") // ours on one thread
        bars.push_back({subject.title, peer, mean.ratio});
  }
  return plot(bars);
}

// The section of one mark. Plots lie in docs/plots, which is `plots` seen from the page.
std::string section(const std::string &suite, const std::string &prefix, const std::string &plots,
                    const std::vector<Results> &all, Files &files) {
  std::string text;
  for (const Results &results : all) {
    const std::vector<Row> rows = chosen(results.rows, suite, prefix);
    if (rows.empty())
      continue;
    text += "\n" + description(results.environment) + "\n";
    if (with_goals.contains(suite)) {
      text += goals(rows);
    } else if (suite == of_steps) {
      text += steps(rows);
    } else if (suite == of_many_cases) {
      text += lowest(rows);
    } else {
      const std::string name = fmt::format("{}.svg", results.name);
      files[fs::path("docs/plots") / name] = plot(rows);
      text += fmt::format("![{}: speed of the peers, relative to ours]({}/{})\n\n", suite, plots, name) +
              comparison(rows);
    }
  }
  return (text.empty() ? "\nThe repository has no result of this suite.\n" : text) + "\n";
}

std::string page(const fs::path &path, const std::string &text, const std::vector<Results> &all,
                 Files &files) {
  const std::string plots = path.has_parent_path() ? "plots" : "docs/plots";
  std::string result;
  std::size_t from = 0;
  for (std::size_t at; (at = text.find(begin_mark, from)) != std::string::npos;) {
    const std::size_t words = at + begin_mark.size(), words_end = text.find(begin_end, words),
                      end = text.find(end_mark, at);
    if (words_end == std::string::npos || end == std::string::npos || end < words_end)
      throw std::runtime_error(fmt::format("{}: `{}` has no end", path.string(), begin_mark));
    const std::string what = text.substr(words, words_end - words);
    const std::size_t space = std::min(what.find(' '), what.size());
    result +=
        text.substr(from, words_end + begin_end.size() - from) +
        section(what.substr(0, space), what.substr(std::min(space + 1, what.size())), plots, all, files);
    from = end;
  }
  return result + text.substr(from);
}

} // namespace

bool write_report(const ReportFolders &folders) {
  const std::vector<Results> all = all_results(folders.results);
  Files files;
  files["docs/plots/summary.svg"] = summary(all);
  std::vector<fs::path> pages = files_with(folders.root / "docs", ".md");
  pages.push_back(folders.root / "README.md");
  for (const fs::path &file : pages) {
    const std::string text = text_of(file);
    if (text.find(begin_mark) != std::string::npos) {
      const fs::path path = fs::relative(file, folders.root);
      files[path] = page(path, text, all, files);
    }
  }
  for (const auto &[path, text] : files) {
    const fs::path file = folders.output / path;
    fs::create_directories(file.parent_path());
    if (std::optional<Diagnostic> problem = driver::write_file(file, text)) {
      fmt::print(stderr, "atlc-bench: {}\n", problem->message);
      return false;
    }
  }
  return true;
}

} // namespace atl::bench
