#include "bench/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace atl::bench {

namespace {

constexpr std::size_t columns = 100;
constexpr std::size_t shown_of_many = 10;
constexpr double quiet = 1.5; // a load up to this is our own

using Cells = std::vector<std::string>;

std::string line(const Cells &cells) {
  std::string text = "|";
  for (const std::string &cell : cells)
    text += " " + cell + " |";
  return text + "\n";
}

// The first column is text, the others are numbers.
std::string head(const Cells &cells) {
  std::string text = line(cells) + "|---|";
  for (std::size_t i = 1; i < cells.size(); ++i)
    text += "--:|";
  return text + "\n";
}

// Three digits that count.
std::string number(double value) {
  const double digits = value > 0 ? 2 - std::floor(std::log10(value)) : 0;
  return fmt::format("{:.{}f}", value, std::max(0, static_cast<int>(digits)));
}

std::string share_of_peak(const Row &row) {
  return row.limit > 0 ? fmt::format("{:.0f} %", 100 * row.limit / row.ours) : "";
}

Cells peers_of(const Row &row) {
  Cells names;
  for (const auto &[name, time] : row.peers)
    names.push_back(name);
  return names;
}

std::string table(const std::vector<Row> &rows) {
  const Row &first = rows.front();
  const bool with_peak = std::any_of(rows.begin(), rows.end(), [](const Row &r) { return r.limit > 0; });
  Cells titles{"case, " + first.unit, "atlc"};
  for (const std::string &peer : peers_of(first))
    titles.push_back(peer);
  titles.emplace_back("ratio");
  if (with_peak)
    titles.emplace_back("peak");
  std::string text = head(titles);
  for (const Row &row : rows) {
    Cells cells{row.name, number(row.ours)};
    for (const auto &[name, time] : row.peers)
      cells.push_back(number(time));
    cells.push_back(fmt::format("{:.2f}", row.ratio()));
    if (with_peak)
      cells.push_back(share_of_peak(row));
    text += line(cells);
  }
  return text;
}

std::string table_of_means(const std::vector<Row> &rows) {
  std::string text = head({"against", "cases", "geometric mean of the ratios"});
  const std::map<std::string, Mean> all = means(rows);
  for (const auto &[peer, mean] : all)
    if (all.size() > 2 || peer != "the best peer") // of one peer, that is the best
      text += line({peer, std::to_string(mean.cases), fmt::format("{:.2f}", mean.ratio)});
  return text;
}

std::vector<Row> by_ratio(std::vector<Row> rows) {
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row &a, const Row &b) { return a.ratio() < b.ratio(); });
  return rows;
}

} // namespace

std::string wrapped(const std::string &text) {
  std::string result, current;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!current.empty() && current.size() + 1 + word.size() > columns) {
      result += current + "\n";
      current.clear();
    }
    current += (current.empty() ? "" : " ") + word;
  }
  return result + current + "\n";
}

std::string description(const Environment &e) {
  std::string caches, peers;
  for (const std::string &cache : e.caches)
    caches += ", " + cache;
  for (const auto &[name, version] : e.peers)
    peers += (peers.empty() ? "" : ", ") + name + " " + version;
  std::string text = fmt::format(
      "**{}**, {}, {} core{}{}. {}. {}, `{}`. atlc {}{}{}. {}; load {:.1f} before, {:.1f} after.", e.cpu,
      e.vectors.empty() ? "no AVX" : e.vectors, e.cores, e.cores == 1 ? "" : "s", caches, e.system,
      e.compiler, e.flags, e.atlc, peers.empty() ? "" : "; ", peers, e.date, e.load_before, e.load_after);
  if (e.load_before > quiet || e.load_after > 2 * quiet)
    text += " Other programs ran at the same time: these numbers are noisy.";
  if (e.quick)
    text += " Measured with `--quick`: small inputs, few rounds.";
  return wrapped(text);
}

std::string comparison(const std::vector<Row> &rows) {
  std::vector<std::vector<Row>> by_peers;
  for (const Row &row : rows) {
    if (by_peers.empty() || peers_of(by_peers.back().front()) != peers_of(row)) {
      auto same = std::find_if(by_peers.begin(), by_peers.end(), [&](const std::vector<Row> &group) {
        return peers_of(group.front()) == peers_of(row);
      });
      if (same != by_peers.end()) {
        same->push_back(row);
        continue;
      }
      by_peers.emplace_back();
    }
    by_peers.back().push_back(row);
  }
  std::string text;
  for (const std::vector<Row> &group : by_peers)
    text += table(group) + "\n";
  return text + table_of_means(rows);
}

std::string goals(const std::vector<Row> &rows) {
  const std::vector<Row> sorted = by_ratio(rows);
  const auto met = std::count_if(rows.begin(), rows.end(), [](const Row &row) { return row.ratio() >= 1; });
  std::string text =
      fmt::format("{} of {} cases meet their goal. Those nearest to it or beyond:\n\n", met, rows.size());
  text += head({"case, " + rows.front().unit, "atlc", "goal"});
  for (std::size_t i = 0; i < std::min(shown_of_many, sorted.size()); ++i)
    text +=
        line({sorted[i].name, number(sorted[i].ours), fmt::format("{:g}", sorted[i].peers.begin()->second)});
  return text;
}

std::string lowest(const std::vector<Row> &rows) {
  std::vector<Row> sorted = by_ratio(rows);
  sorted.resize(std::min(shown_of_many, sorted.size()));
  return fmt::format("{} cases. Those with the lowest ratios:\n\n", rows.size()) + table(sorted) + "\n" +
         table_of_means(rows);
}

std::string steps(const std::vector<Row> &rows) {
  const bool with_peak = rows.front().limit > 0;
  Cells titles{"step", rows.front().unit, "to the step before", "to the first"};
  if (with_peak)
    titles.emplace_back("peak");
  for (const std::string &peer : peers_of(rows.front()))
    titles.push_back("to " + peer);
  std::string text = head(titles);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row &row = rows[i];
    auto times = [&](double other) { return fmt::format("{:.2f} x", other / row.ours); };
    Cells cells{row.name.substr(row.name.find(": ") + 2), number(row.ours),
                i == 0 ? "" : times(rows[i - 1].ours), i == 0 ? "" : times(rows[0].ours)};
    if (with_peak)
      cells.push_back(share_of_peak(row));
    for (const auto &[name, time] : row.peers)
      cells.push_back(times(time));
    text += line(cells);
  }
  return text;
}

} // namespace atl::bench
