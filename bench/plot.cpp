#include "bench/plot.h"

#include "driver/io/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace atl::bench {

namespace {

using driver::svg::document, driver::svg::escaped, driver::svg::text;

// In pixels.
constexpr double axis_left = 330, axis_width = 480, line_height = 18, margin = 24;
constexpr double page_width = axis_left + axis_width + 110;
constexpr double octaves = 2; // to each side of our own speed

// From dark to light for eyes that tell no red from green; more peers than colours share them.
constexpr std::array colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#666666"};

double place(double relative_speed) {
  double octave = std::clamp(std::log2(relative_speed), -octaves, octaves);
  return axis_left + axis_width * (octave + octaves) / (2 * octaves);
}

std::string dot(double x, double y, const char *colour, const std::string &title) {
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"><title>{}</title></circle>\n",
                     x, y, colour, escaped(title));
}

using Legend = std::map<std::string, const char *>; // the colour of each peer

Legend legend_of(const std::vector<Row> &rows) {
  std::set<std::string> names;
  for (const Row &row : rows)
    for (const auto &[name, time] : row.peers)
      names.insert(name);
  Legend legend;
  for (const std::string &name : names)
    legend[name] = colours[legend.size() % colours.size()];
  return legend;
}

std::string axis(double bottom) {
  std::string svg;
  for (double octave = -octaves; octave <= octaves; ++octave) {
    double x = place(std::exp2(octave));
    svg += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"{3}\"/>\n", x,
                       2 * margin, bottom, octave == 0 ? "#000" : "#ccc");
    svg += text(x, 2 * margin - 4, "middle", octave == 0 ? "ours" : fmt::format("{:g}", std::exp2(octave)));
  }
  return svg;
}

// The suite, unless the name begins with it.
std::string label(const Row &row) {
  return row.name.starts_with(row.suite) ? row.name : row.suite + "  " + row.name;
}

std::string line(const Row &row, double y, const Legend &legend) {
  std::string svg = text(axis_left - 12, y + 4, "end", label(row));
  for (const auto &[name, time] : row.peers)
    if (time > 0 && row.ours > 0)
      svg += dot(place(row.ours / time), y, legend.at(name),
                 fmt::format("{}: {:.4g} {}, ours {:.4g}", name, time, row.unit, row.ours));
  if (row.limit > 0)
    svg += text(page_width - 8, y + 4, "end", fmt::format("{:.0f} % of peak", 100 * row.limit / row.ours));
  return svg;
}

} // namespace

std::string plot(const std::vector<Row> &rows) {
  Legend legend = legend_of(rows);
  std::string svg;
  double y = 2 * margin + line_height / 2;
  for (const Row &row : rows) {
    svg += line(row, y, legend);
    y += line_height;
  }
  std::string grid = axis(y - line_height / 2);
  for (const auto &[name, colour] : legend) {
    svg += dot(axis_left, y + line_height, colour, name) +
           text(axis_left + 12, y + line_height + 4, "start", name);
    y += line_height;
  }
  const std::string title = text(axis_left + axis_width / 2, margin, "middle",
                                 "speed of the peers, relative to ours (to the left: ours is faster)");
  return document(page_width, y + 2 * margin, title + grid + svg);
}

namespace {

// Of the plot of bars, in octaves: from half to four times the speed.
constexpr double slowest = -1, fastest = 2;
constexpr double bars_left = 210, bars_width = 400, bar_height = 13, bars_page = bars_left + bars_width + 60;

double bar_end(double ratio) {
  return bars_left +
         bars_width * (std::clamp(std::log2(ratio), slowest, fastest) - slowest) / (fastest - slowest);
}

std::string bar(const Bar &bar, double y) {
  const double equal = bar_end(1), end = bar_end(bar.ratio);
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"/>\n",
                     std::min(equal, end), y - bar_height + 3, std::abs(end - equal), bar_height,
                     bar.ratio >= 1 ? colours[0] : colours[1]) +
         text(bars_left - 12, y, "end", bar.name) +
         text(std::max(equal, end) + 5, y, "start", fmt::format("{:.2f}", bar.ratio));
}

std::string bar_axis(double top, double bottom) {
  std::string svg;
  for (double octave = slowest; octave <= fastest; ++octave) {
    const double x = bar_end(std::exp2(octave));
    svg += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"{3}\"/>\n",
                       x, top, bottom, octave == 0 ? "#000" : "#ccc");
    svg += text(x, top - 4, "middle", octave == 0 ? "equal" : fmt::format("{:g} x", std::exp2(octave)));
  }
  return svg;
}

} // namespace

std::string plot(const std::vector<Bar> &bars) {
  std::string svg, group;
  double y = 2 * margin;
  for (const Bar &one : bars) {
    if (one.group != group) {
      group = one.group;
      y += line_height + 6;
      svg += fmt::format("<text x=\"12\" y=\"{:.1f}\" font-weight=\"bold\">{}</text>\n", y, escaped(group));
    }
    y += line_height;
    svg += bar(one, y);
  }
  const std::string title = text(bars_page / 2, margin - 4, "middle",
                                 "speed of atlc's C relative to a library's, geometric mean of the cases");
  return document(bars_page, y + margin, title + bar_axis(2 * margin, y + 8) + svg);
}

} // namespace atl::bench
