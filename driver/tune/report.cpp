#include "driver/tune/report.h"

#include "cbackend/host/machine.h"
#include "driver/io/svg.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace atl::driver {

std::string in_words(double seconds) {
  if (seconds < 1e-3)
    return fmt::format("{:.3g} us", seconds * 1e6);
  return seconds < 1 ? fmt::format("{:.3g} ms", seconds * 1e3) : fmt::format("{:.3g} s", seconds);
}

std::string in_words(const Valuation &sizes) {
  std::string text;
  for (const auto &[name, value] : sizes)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  return text;
}

std::string header_of(const std::vector<Tuned> &all, const std::string &base) {
  std::string text =
      fmt::format("// Tuned on {}, {}.\n", cbackend::cpu_model(), cbackend::compiler_version());
  for (const Tuned &one : all)
    text += fmt::format("// {}{}{}; {}: {}.\n", in_words(one.sizes), one.sizes.empty() ? "" : ": ",
                        in_words(one.best_seconds), base, in_words(one.base_seconds));
  return text;
}

nlohmann::ordered_json to_json(const Tuned &tuned) {
  return {{"sizes", tuned.sizes},           {"seconds", tuned.best_seconds},  {"before", tuned.base_seconds},
          {"as_written", tuned.as_written}, {"candidates", tuned.candidates}, {"refused", tuned.refused}};
}

namespace {

// In pixels.
constexpr double width = 640, height = 240, left = 70, top = 30, right = 20, bottom = 30;

struct Panel {
  double y; // of its upper end
  std::vector<double> times;
  double fastest, slowest; // of what is shown

  double across(std::size_t i) const {
    return left + (width - left - right) * static_cast<double>(i) /
                      std::max<double>(1, static_cast<double>(times.size() - 1));
  }
  double down(double seconds) const {
    const double part = std::log(std::min(seconds, slowest) / fastest) / std::log(slowest / fastest);
    return y + height - bottom - (height - top - bottom) * part;
  }
};

std::string draw(const Panel &panel, const std::string &title) {
  std::string drawing = svg::text(left, panel.y + top - 10, "start", title);
  for (double seconds : {panel.fastest, std::sqrt(panel.fastest * panel.slowest), panel.slowest}) {
    drawing += svg::text(left - 6, panel.down(seconds) + 4, "end", in_words(seconds));
    drawing +=
        fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ccc\"/>\n", left,
                    panel.down(seconds), width - right, panel.down(seconds));
  }
  drawing +=
      svg::text((left + width - right) / 2, panel.y + height - 8, "middle",
                fmt::format("{} schedules, in the order in which they were measured", panel.times.size()));
  std::string line;
  double best = INFINITY;
  for (std::size_t i = 0; i < panel.times.size(); ++i) {
    drawing += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2\" fill=\"#666666\"><title>{}</title></circle>\n",
        panel.across(i), panel.down(panel.times[i]), in_words(panel.times[i]));
    best = std::min(best, panel.times[i]);
    line += fmt::format(" {:.1f},{:.1f}", panel.across(i), panel.down(best));
  }
  return drawing +
         fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"#0072b2\" stroke-width=\"2\"/>\n", line);
}

} // namespace

std::string picture(const std::vector<Tuned> &all, const std::vector<Trial> &trials) {
  std::string drawing;
  double y = 0;
  for (const Tuned &one : all) {
    Panel panel{y, {}, 0, 0};
    for (const Trial &trial : trials)
      if (trial.seconds && trial.sizes == one.sizes)
        panel.times.push_back(*trial.seconds);
    if (panel.times.empty())
      continue;
    constexpr double most = 8; // what takes longer lies on the upper edge
    panel.fastest = *std::min_element(panel.times.begin(), panel.times.end()) / 1.05;
    panel.slowest =
        std::min(most * panel.fastest, *std::max_element(panel.times.begin(), panel.times.end()) * 1.05);
    drawing += draw(panel, in_words(one.sizes));
    y += height;
  }
  return svg::document(width, y, drawing);
}

} // namespace atl::driver
