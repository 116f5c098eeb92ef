#include "driver/propose_fixes.h"

#include "atl/base/spelling.h"
#include "atl/parse/advise.h"
#include "atl/parse/pattern.h"
#include "atl/parse/places.h"
#include "atl/schedule/steps/usage.h"
#include "driver/missing_where.h"
#include "driver/suggest_files.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace atl::driver {

namespace {

// The obligation that a diagnostic is about.
const Obligation *refuted_obligation(const Diagnostic &diagnostic, const Compilation &c) {
  for (const Compiled &kernel : c.kernels)
    for (const Decided &decided : kernel.decided) {
      const Obligation &o = decided.obligation;
      const bool refuted = decided.verdict.status == proofs::Verdict::Status::refuted;
      if (refuted && o.code == diagnostic.code && o.span.file == diagnostic.span->file &&
          o.span.begin == diagnostic.span->begin && o.span.end == diagnostic.span->end)
        return &o;
    }
  return nullptr;
}

const Compiled *kernel_of(const Obligation &obligation, const Compilation &c) {
  auto is_its = [&](const Compiled &kernel) {
    return std::any_of(kernel.decided.begin(), kernel.decided.end(),
                       [&](const Decided &d) { return &d.obligation == &obligation; });
  };
  auto found = std::find_if(c.kernels.begin(), c.kernels.end(), is_its);
  return found == c.kernels.end() ? nullptr : &*found;
}

std::optional<Fix> with_condition(const Diagnostic &diagnostic, const Compilation &c,
                                  proofs::Prover &prover) {
  const Obligation *obligation = refuted_obligation(diagnostic, c);
  const Compiled *kernel = obligation ? kernel_of(*obligation, c) : nullptr;
  if (!kernel)
    return std::nullopt;
  const Pred condition = missing_where(*obligation, kernel->algorithm.size_names(), prover);
  if (!condition)
    return std::nullopt;
  const std::string text = to_string(condition);
  if (auto edit = parse::add_condition(c.sources, kernel->algorithm.span, text))
    return Fix{fmt::format("with this condition it holds: where {}", text), {*edit}, false};
  return std::nullopt;
}

void propose_where(Diagnostic &diagnostic, const Compilation &c, proofs::Prover &prover) {
  if (auto fix = with_condition(diagnostic, c, prover))
    diagnostic.fixes.push_back(std::move(*fix));
}

void add(Diagnostic &diagnostic, std::vector<Fix> fixes) {
  for (Fix &fix : fixes)
    diagnostic.fixes.push_back(std::move(fix));
}

// A condition that few sizes satisfy is less likely to be meant than a guard.
void propose_for_access(Diagnostic &diagnostic, const Compilation &c, proofs::Prover &prover) {
  add(diagnostic, parse::other_indices(c.sources, *diagnostic.span));
  std::vector<Fix> guards = parse::guards(c.sources, *diagnostic.span);
  auto condition = with_condition(diagnostic, c, prover);
  const bool is_narrow = condition && condition->sentence.find_first_of("%=") != std::string::npos &&
                         condition->sentence.find('<') == std::string::npos &&
                         condition->sentence.find('>') == std::string::npos;
  if (is_narrow)
    add(diagnostic, std::exchange(guards, {}));
  if (condition)
    diagnostic.fixes.push_back(std::move(*condition));
  add(diagnostic, std::move(guards));
}

// Loops and temporaries that a note lists: one of them may be meant.
void propose_names_of_notes(Diagnostic &diagnostic, const Compilation &c) {
  std::vector<parse::Piece> listed;
  for (const Note &note : diagnostic.notes)
    for (std::string_view start : {"the loops are now ", "the temporaries are now "})
      if (note.text.starts_with(start))
        listed = parse::pieces_of(note.text, start.size(), note.text.size());
  std::vector<std::string_view> names;
  for (const parse::Piece &piece : listed)
    names.push_back(piece.text);
  const Span place = *diagnostic.span;
  for (const parse::Piece &piece : parse::pieces_of(c.sources.at(place.file).text, place.begin, place.end)) {
    const std::string meant = closest_name(piece.text, names);
    if (!meant.empty() && std::find(names.begin(), names.end(), piece.text) == names.end())
      diagnostic.fixes.push_back(
          {fmt::format("did you mean '{}'?", meant), {{{place.file, piece.begin, piece.end}, meant}}});
  }
}

// The file that an import may mean.
void propose_file_of_note(Diagnostic &diagnostic) {
  const std::string_view start = "did you mean ";
  const auto note = std::find_if(diagnostic.notes.begin(), diagnostic.notes.end(),
                                 [&](const Note &n) { return n.text.starts_with(start); });
  if (note == diagnostic.notes.end())
    return;
  const std::string quoted = note->text.substr(start.size(), note->text.size() - start.size() - 1);
  diagnostic.fixes.push_back({note->text, {{*diagnostic.span, quoted}}});
  diagnostic.notes.erase(note);
}

// The step around a place, up to its semicolon.
std::optional<Span> step_around(const Sources &sources, Span place) {
  const std::string &text = sources.at(place.file).text;
  const std::size_t before = text.find_last_of(";{", place.begin), behind = text.find(';', place.begin);
  if (before == std::string::npos || behind == std::string::npos)
    return std::nullopt;
  return Span{place.file, static_cast<std::uint32_t>(before + 1), static_cast<std::uint32_t>(behind + 1)};
}

// A memory belongs to hardware, which the schedule does not name yet.
void propose_map(Diagnostic &diagnostic, const Compilation &c) {
  const auto step = step_around(c.sources, *diagnostic.span);
  if (!step || diagnostic.message.find("nothing in this schedule is mapped") == std::string::npos)
    return add(diagnostic, suggest_files(diagnostic, c));
  for (auto target = c.targets.rbegin(); target != c.targets.rend(); ++target) {
    const std::string map = fmt::format("map all with {};", target->hardware->name);
    diagnostic.fixes.push_back({"say which hardware it is: " + map,
                                {{{step->file, step->begin, step->begin}, "\n  " + map}},
                                false});
  }
}

void propose(Diagnostic &diagnostic, const Compilation &c, proofs::Prover &prover) {
  const Span place = *diagnostic.span;
  switch (diagnostic.code) {
  case Code::out_of_bounds: return propose_for_access(diagnostic, c, prover);
  case Code::shape_mismatch:
    add(diagnostic, parse::other_orders(c.sources, place));
    return propose_where(diagnostic, c, prover);
  case Code::negative_extent:
  case Code::nonpositive_divisor:
  case Code::where_violated:
  case Code::step_condition:
  case Code::instruction_condition: return propose_where(diagnostic, c, prover);
  case Code::scalar_expected: return add(diagnostic, parse::cell_by_cell(c.sources, place));
  case Code::rank_mismatch:
    add(diagnostic, parse::fewer_indices(c.sources, place));
    return add(diagnostic, parse::cell_by_cell(c.sources, place));
  case Code::import_not_found: return propose_file_of_note(diagnostic);
  case Code::unknown_hardware: return propose_map(diagnostic, c);
  case Code::wrong_output_count:
    return add(diagnostic, parse::other_names(c.sources, place, diagnostic.message));
  case Code::step_refused: return propose_names_of_notes(diagnostic, c);
  case Code::unknown_target:
    propose_names_of_notes(diagnostic, c);
    if (const auto step = step_around(c.sources, place))
      add(diagnostic, schedule::other_usages(c.sources, *step));
    return;
  case Code::unknown_memory: return add(diagnostic, suggest_memories(diagnostic, c));
  case Code::unknown_step:
  case Code::step_usage: return add(diagnostic, schedule::other_usages(c.sources, place));
  default: return;
  }
}

} // namespace

// A step that is no sentence: its words may be those of another usage.
static void propose_step(Diagnostic &diagnostic, const Compilation &c) {
  const auto step = diagnostic.message.starts_with("expected ';' or '{'")
                        ? step_around(c.sources, *diagnostic.span)
                        : std::nullopt;
  if (!step)
    return;
  std::vector<Fix> usages = schedule::other_usages(c.sources, *step);
  diagnostic.fixes.insert(diagnostic.fixes.begin(), usages.begin(), usages.end());
}

void propose_fixes(Compilation &c, proofs::Prover &prover) {
  for (Diagnostic &diagnostic : c.diagnostics) {
    if (!diagnostic.span || c.sources.at(diagnostic.span->file).text.size() > parse::largest_to_mend)
      continue;
    if (diagnostic.code == Code::syntax_error)
      propose_step(diagnostic, c);
    else if (diagnostic.fixes.empty())
      propose(diagnostic, c, prover);
  }
}

} // namespace atl::driver
