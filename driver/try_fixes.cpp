#include "driver/try_fixes.h"

#include "atl/parse/scan.h"

#include <algorithm>
#include <set>

namespace atl::driver {

namespace {

constexpr std::size_t most_trials = 60; // of one program

int stage_of(Code code) {
  return static_cast<int>(code) / 1000;
}

// Where a place of the edited text was before; nothing inside of what was written.
std::optional<std::uint32_t> place_before(std::uint32_t place, const Fix &fix, const Edited &after) {
  std::vector<Edit> edits = fix.edits;
  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit &a, const Edit &b) { return a.span.begin < b.span.begin; });
  std::int64_t shift = 0;
  for (std::size_t i = 0; i < edits.size() && after.written[i].begin <= place; ++i) {
    if (place < after.written[i].end)
      return std::nullopt;
    shift = std::int64_t{after.written[i].end} - edits[i].span.end;
  }
  return static_cast<std::uint32_t>(place - shift);
}

// Of the diagnostics before, the one that is still there.
const Diagnostic *same_before(const Diagnostic &now, std::optional<std::uint32_t> place,
                              const Diagnostics &before) {
  auto found = std::find_if(before.begin(), before.end(), [&](const Diagnostic &d) {
    return d.code == now.code && d.span && now.span && d.span->file == now.span->file &&
           d.span->begin == place;
  });
  return found == before.end() ? nullptr : &*found;
}

// What is left of the diagnostics; nothing if the mistake is, or if another one came. One mistake hides
// others of later stages in its definition, which may come to light elsewhere.
std::optional<std::set<const Diagnostic *>> left_over(const Diagnostic &mistake, const Fix &fix,
                                                      const Edited &after, const Diagnostics &before,
                                                      const Diagnostics &now) {
  std::set<const Diagnostic *> left;
  for (const Diagnostic &d : now) {
    const bool same_file = d.span && d.span->file == fix.edits[0].span.file;
    const auto place = same_file ? place_before(d.span->begin, fix, after)
                       : d.span  ? std::optional(d.span->begin)
                                 : std::nullopt;
    if (const Diagnostic *known = same_before(d, place, before); known && known != &mistake) {
      left.insert(known);
      continue;
    }
    const bool is_later = stage_of(d.code) > 1 && stage_of(mistake.code) == 1;
    const bool overlaps =
        same_file && std::any_of(after.written.begin(), after.written.end(), [&](const Span &w) {
          return d.span->begin <= w.end && w.begin <= d.span->end;
        });
    if (!is_later || overlaps)
      return std::nullopt;
  }
  return left;
}

bool proposes(const Diagnostic &d, const Fix &fix) {
  auto is_same = [](const Edit &a, const Edit &b) {
    return a.text == b.text && a.span.file == b.span.file && a.span.begin == b.span.begin &&
           a.span.end == b.span.end;
  };
  return std::any_of(d.fixes.begin(), d.fixes.end(), [&](const Fix &other) {
    return std::equal(other.edits.begin(), other.edits.end(), fix.edits.begin(), fix.edits.end(), is_same);
  });
}

class Trials {
public:
  Trials(const Compilation &c, const Compile &compile) : c_(c), compile_(compile) {
    for (std::uint32_t file = 0; file < c.sources.size(); ++file)
      texts_[c.sources.at(file).name] = c.sources.at(file).text;
  }

  // What is left with the fix; nothing if it does not help.
  std::optional<std::set<const Diagnostic *>> with(const Diagnostic &mistake, const Fix &fix) {
    if (fix.edits.empty() || tried_ == most_trials)
      return std::nullopt;
    ++tried_;
    const Source &source = c_.sources.at(fix.edits[0].span.file);
    const Edited after = edited(source.text, fix.edits);
    Texts texts = texts_;
    texts[source.name] = after.text;
    return left_over(mistake, fix, after, c_.diagnostics, compile_(texts).diagnostics);
  }

  // What the fix mends besides: all of names and types; of what could not be proved, only what the same fix
  // is proposed for, in the same definition. The rest is told, whatever else would mend it.
  void add_mended(const Diagnostic &mistake, const Fix &fix, const std::set<const Diagnostic *> &left,
                  std::set<const Diagnostic *> &into) const {
    for (const Diagnostic &d : c_.diagnostics)
      if (&d != &mistake && d.span && !left.contains(&d) &&
          (stage_of(d.code) <= 2 || (proposes(d, fix) && are_in_one_definition(*d.span, *mistake.span))))
        into.insert(&d);
  }

private:
  bool are_in_one_definition(Span a, Span b) const {
    if (a.file != b.file)
      return false;
    const auto [first, last] = std::minmax(a.begin, b.begin);
    const std::vector<std::uint32_t> starts = parse::outline(c_.sources.at(a.file).text).definitions;
    const auto next = std::upper_bound(starts.begin(), starts.end(), first);
    return next == starts.end() || *next > last;
  }

  const Compilation &c_;
  const Compile &compile_;
  Texts texts_;
  std::size_t tried_ = 0;
};

// The fix that leaves the fewest mistakes is kept, of several the first. What it mends besides was no mistake
// of its own.
void keep_what_helps(Diagnostic &mistake, const Diagnostic &as_before, Trials &trials,
                     std::set<const Diagnostic *> &followed) {
  const std::vector<Fix> proposed = std::move(mistake.fixes);
  mistake.fixes.clear();
  std::optional<std::set<const Diagnostic *>> best;
  for (const Fix &fix : proposed) {
    auto left = trials.with(as_before, fix);
    if (!left || (best && left->size() >= best->size()))
      continue;
    best = std::move(left);
    mistake.fixes = {fix};
    if (best->empty())
      break;
  }
  if (best)
    return trials.add_mended(as_before, mistake.fixes[0], *best, followed);
  if (!proposed.empty() && proposed[0].advises)
    mistake.notes.insert(mistake.notes.begin(), {std::nullopt, proposed[0].sentence});
}

} // namespace

void try_fixes(Compilation &compilation, const Compile &compile) {
  Compilation before;
  before.sources = compilation.sources;
  before.diagnostics = compilation.diagnostics;
  Trials trials(before, compile);
  std::set<const Diagnostic *> followed;
  Diagnostics kept;
  for (std::size_t i = 0; i < before.diagnostics.size(); ++i) {
    const Diagnostic &as_before = before.diagnostics[i];
    if (followed.contains(&as_before))
      continue;
    kept.push_back(std::move(compilation.diagnostics[i]));
    keep_what_helps(kept.back(), as_before, trials, followed);
  }
  compilation.diagnostics = std::move(kept);
}

} // namespace atl::driver
