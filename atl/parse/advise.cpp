#include "atl/parse/advise.h"

#include "atl/parse/advise_calls.h"
#include "atl/parse/around.h"
#include "atl/parse/grammar.h"
#include "atl/parse/habits.h"
#include "atl/parse/names.h"
#include "atl/parse/places.h"
#include "atl/parse/scan.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>

namespace atl::parse {

namespace {

constexpr std::size_t most_fixes = 8, most_pieces = 10000; // of a definition that people write

// Of a sum, so that it can be divided by it: how many terms it has.
std::string number_of_cells(std::string_view expression, const Declarations &declared) {
  for (const Piece &piece : pieces_of(expression, 0, expression.size()))
    if (auto tensor = declared.find(piece.text);
        tensor != declared.end() && !tensor->second.extents.empty()) {
      std::string product;
      for (std::string_view extent : tensor->second.extents)
        product += fmt::format("{}{}", product.empty() ? "" : " * ",
                               is_atom(extent) ? std::string(extent) : fmt::format("({})", extent));
      return product;
    }
  return {};
}

std::optional<std::string> product_of(std::string_view a, std::string_view b, const Declarations &declared) {
  auto left = declared.find(a), right = declared.find(b);
  if (left == declared.end() || right == declared.end() || left->second.extents.size() != 2)
    return std::nullopt;
  const auto &m = left->second.extents, &n = right->second.extents;
  if (n.size() == 1)
    return fmt::format("gen i < {} {{ sum k < {} {{ {}[i, k] * {}[k] }} }}", m[0], m[1], a, b);
  if (n.size() == 2)
    return fmt::format("gen i < {}, j < {} {{ sum k < {} {{ {}[i, k] * {}[k, j] }} }}", m[0], n[1], m[1], a,
                       b);
  return std::nullopt;
}

std::optional<std::string> extent_of(const Found &found, const Declarations &declared) {
  auto tensor = declared.find(found.parts.at('x'));
  std::size_t dimension = 0;
  if (auto d = found.parts.find('d'); d != found.parts.end())
    std::from_chars(d->second.data(), d->second.data() + d->second.size(), dimension);
  if (tensor == declared.end() || dimension >= tensor->second.extents.size())
    return std::nullopt;
  const std::string_view extent = tensor->second.extents[dimension];
  return is_atom(extent) ? std::string(extent) : fmt::format("({})", extent);
}

std::string_view pieces_between(const Around &at, std::size_t first, std::size_t behind) {
  return at.text.substr(at.pieces[first].begin, at.pieces[behind - 1].end - at.pieces[first].begin);
}

std::optional<std::string> made_of(const Habit &habit, const Found &found, const Around &at) {
  const Declarations &declared = at.declared;
  const std::string text = filled(habit.atlc, found);
  const std::size_t word = std::min(text.find(' '), text.size());
  switch (habit.make) {
  case Habit::Make::text: return text.empty() ? std::nullopt : std::optional(text);
  case Habit::Make::extent: return extent_of(found, declared);
  case Habit::Make::product: return product_of(found.parts.at('a'), found.parts.at('b'), declared);
  case Habit::Make::slice:
    return slice_of(found.parts.at('a'), pieces_between(at, found.first + 2, found.behind - 1), declared);
  case Habit::Make::params: {
    auto params = parameters_from_c(found.parts.at('p'));
    return params ? std::optional(fmt::format("{} {}({})", found.parts.at('d'), found.parts.at('k'), *params))
                  : std::nullopt;
  }
  case Habit::Make::condition: return std::nullopt; // two edits
  case Habit::Make::reduction:
  case Habit::Make::mean: break;
  }
  auto sum = reduction_over(text.substr(0, word), text.substr(std::min(word + 1, text.size())), declared);
  if (!sum || habit.make == Habit::Make::reduction)
    return sum;
  return fmt::format("({}) / f32({})", *sum, number_of_cells(text, declared));
}

struct Proposal {
  const Habit *habit;
  Found found;
  std::vector<Edit> edits; // none: there is nothing but the words
};

// An operand that became an expression, behind an operator that binds more tightly.
bool needs_parentheses(const Around &at, const Found &found, const std::string &text) {
  if (found.first == 0 || is_atom(text) || text.find_first_of("*/+-{") == std::string::npos)
    return false;
  const std::string_view before = at.pieces[found.first - 1].text;
  return before == "/" || before == "%" || before == "*" ||
         (before == "-" && text.find('+') != std::string::npos);
}

// Without what both texts begin and end with, in whole pieces.
Edit shortened(Edit edit, std::string_view text) {
  const std::string_view old = text.substr(edit.span.begin, edit.span.end - edit.span.begin);
  const std::vector<Piece> before = pieces_of(old, 0, old.size()),
                           after = pieces_of(edit.text, 0, edit.text.size());
  const std::size_t most = std::min(before.size(), after.size());
  std::size_t first = 0, last = 0;
  while (first < most && before[first].text == after[first].text && before[first].begin == after[first].begin)
    ++first;
  auto from_end = [](const std::vector<Piece> &all, std::size_t n) { return all[all.size() - 1 - n]; };
  while (last < most - first && from_end(before, last).text == from_end(after, last).text &&
         old.size() - from_end(before, last).begin == edit.text.size() - from_end(after, last).begin)
    ++last;
  auto piece_end = [](const std::vector<Piece> &all, std::size_t n) { return n == 0 ? 0 : all[n - 1].end; };
  auto piece_begin = [&](const std::vector<Piece> &all, std::size_t n, std::size_t size) {
    return n == 0 ? static_cast<std::uint32_t>(size) : from_end(all, n - 1).begin;
  };
  const std::uint32_t cut = piece_end(after, first), old_cut = piece_end(before, first);
  const std::uint32_t end = piece_begin(after, last, edit.text.size()),
                      old_end = piece_begin(before, last, old.size());
  if (cut > end || old_cut > old_end)
    return edit;
  return {{edit.span.file, edit.span.begin + old_cut, edit.span.begin + old_end},
          edit.text.substr(cut, end - cut)};
}

std::optional<Edit> edit_of(const Around &at, const Habit &habit, const Found &found) {
  std::optional<std::string> text = made_of(habit, found, at);
  if (!text)
    return std::nullopt;
  if (needs_parentheses(at, found, *text) && at.pieces[found.first].text != "*")
    text = "(" + *text + ")";
  const Span whole{at.file, at.pieces[found.first].begin, at.pieces[found.behind - 1].end};
  return shortened({whole, std::move(*text)}, at.text);
}

// All places of the definition where the habit shows.
std::vector<Edit> edits_everywhere(const Around &at, const Habit &habit) {
  std::vector<Edit> edits;
  const Pattern pattern(habit.written);
  for (std::size_t first = 0; first < at.pieces.size(); ++first)
    if (auto found = match_at(at.text, at.pieces, first, pattern))
      if (auto edit = edit_of(at, habit, *found)) {
        edits.push_back(std::move(*edit));
        first = found->behind - 1;
      }
  return edits;
}

// A statement about sizes becomes a condition of the kernel.
std::vector<Edit> edits_for_condition(const Around &at, const Found &found) {
  auto kernel =
      std::find_if(at.pieces.begin(), at.pieces.end(), [](const Piece &p) { return p.text == "kernel"; });
  if (at.pieces.end() - kernel < 2)
    return {};
  const Span name{at.file, (kernel + 1)->begin, (kernel + 1)->end};
  auto condition = add_condition(at.sources, name, std::string(found.parts.at('c')));
  if (!condition)
    return {};
  return {*condition, {{at.file, at.pieces[found.first].begin, at.pieces[found.behind - 1].end}, ""}};
}

bool is_meant(const Around &at, const Habit &habit, const Found &found) {
  if (found.first > at.fail || at.fail > found.behind)
    return false;
  return found.key >= at.fail || at.fail - found.key <= habit.reach;
}

std::optional<Found> find_near(const Around &at, const Habit &habit) {
  constexpr std::size_t window = 300;
  const std::size_t last = std::min(at.fail + 1, at.pieces.size()),
                    first = at.fail - std::min(window, at.fail);
  const Pattern pattern(habit.written);
  const bool outermost = habit.written[0] == '%'; // of expressions that end alike, the longest
  for (std::size_t step = 0; step < last - std::min(first, last); ++step) {
    const std::size_t place = outermost ? first + step : last - 1 - step;
    auto found = match_at(at.text, at.pieces, place, pattern);
    if (found && is_meant(at, habit, *found))
      return found;
  }
  return std::nullopt;
}

template <class Habits>
void propose(const Around &at, const Habits &habits, std::vector<Proposal> &into) {
  for (const Habit &habit : habits) {
    auto found = find_near(at, habit);
    if (!found)
      continue;
    Proposal proposal{&habit, *found, {}};
    if (habit.everywhere)
      proposal.edits = edits_everywhere(at, habit);
    else if (habit.make == Habit::Make::condition)
      proposal.edits = edits_for_condition(at, *found);
    else if (auto edit = edit_of(at, habit, *found))
      proposal.edits = {std::move(*edit)};
    into.push_back(std::move(proposal));
  }
}

std::vector<std::uint32_t> places_of_errors(std::string_view text, std::uint32_t file) {
  Reporter reporter;
  parse_definitions(text, file, reporter);
  std::vector<std::uint32_t> places;
  for (const Diagnostic &error : reporter.take())
    places.push_back(error.span ? error.span->begin : 0);
  return places;
}

// Whether the text can be read up to what follows the edits, where it could be read up to the mistake.
bool reads_on(const Around &at, const std::vector<Edit> &edits, std::uint32_t mistake) {
  const Edited after = edited(at.text, edits);
  if (check_text(after.text, at.file))
    return false;
  const char *text = after.text.data();
  const char *next = skip_blank(text + after.written.back().end, text + after.text.size());
  auto up_to = [](const std::vector<std::uint32_t> &all, std::uint32_t end) {
    return std::count_if(all.begin(), all.end(), [&](std::uint32_t place) { return place <= end; });
  };
  const auto before = up_to(places_of_errors(at.text, at.file), mistake);
  const auto now = up_to(places_of_errors(after.text, at.file), static_cast<std::uint32_t>(next - text));
  return before == 0 ? now == 0 : now < before; // none before: the grammar lets the mistake pass
}

// What the message says is missing: expected ';' or '{', found ...
std::string expected_symbol(const Diagnostic &diagnostic) {
  std::string_view message = diagnostic.message;
  constexpr std::string_view start = "expected '";
  if (!message.starts_with(start))
    return {};
  message.remove_prefix(start.size());
  return std::string(message.substr(0, message.find('\'')));
}

// A bracket, comma or semicolon too few, too many, or another one.
std::vector<Fix> small_repairs(const Around &at, std::string_view expected) {
  std::vector<Fix> fixes;
  const std::uint32_t behind = at.fail == 0 ? 0 : at.pieces[at.fail - 1].end;
  const Piece *found = at.fail < at.pieces.size() ? &at.pieces[at.fail] : nullptr;
  const bool is_word = !expected.empty() && is_word_char(expected[0]);
  if (found && (found->text == ";" || found->text == "," || closes(found->text)))
    fixes.push_back(
        {fmt::format("drop '{}'", found->text), {{{at.file, found->begin, found->end}, ""}}, false});
  if (!expected.empty()) {
    const std::string text = expected == "}"    ? " }"
                             : is_word          ? fmt::format(" {}", expected)
                             : expected == "->" ? " -> "
                                                : std::string(expected);
    fixes.push_back({fmt::format("add '{}'", expected), {{{at.file, behind, behind}, text}}, false});
    if (found)
      fixes.push_back({fmt::format("write '{}'", expected),
                       {{{at.file, found->begin, found->end}, std::string(expected)}},
                       false});
  }
  return fixes;
}

// A quotient that is written as in Python is a comment here.
std::optional<Fix> quotient(const Around &at) {
  if (at.fail == 0)
    return std::nullopt;
  const std::uint32_t begin = at.pieces[at.fail - 1].end;
  const std::string_view rest = at.text.substr(begin);
  const std::size_t slashes = rest.find_first_not_of(" \t");
  if (slashes == std::string_view::npos || !rest.substr(slashes).starts_with("//"))
    return std::nullopt;
  const auto place = begin + static_cast<std::uint32_t>(slashes);
  return Fix{"// begins a comment; the quotient of indices is /, rounded down",
             {{{at.file, place, place + 2}, "/"}},
             false};
}

// The mistake is where something is missing, not in the line below.
void point_behind(Diagnostic &diagnostic, const Around &at, std::string_view expected) {
  if (expected != ";" || at.fail == 0)
    return;
  const std::uint32_t behind = at.pieces[at.fail - 1].end;
  if (at.text.substr(behind, diagnostic.span->begin - behind).find('\n') != std::string_view::npos)
    diagnostic.span = Span{at.file, behind, behind + 1};
}

void say(Diagnostic &diagnostic, const Around &at, const Proposal &proposal) {
  if (proposal.habit->cause.empty())
    return;
  const Piece &key = at.pieces[proposal.found.key];
  diagnostic.message = proposal.habit->cause;
  diagnostic.span = Span{at.file, key.begin, key.end};
}

// 2.0f and the like.
bool advise_number(Diagnostic &diagnostic, const Around &at) {
  if (at.fail >= at.pieces.size() || diagnostic.message.find("is not a number") == std::string::npos)
    return false;
  const Piece &piece = at.pieces[at.fail];
  std::string text(piece.text);
  while (!text.empty() && std::isalpha(static_cast<unsigned char>(text.back())) != 0)
    text.pop_back();
  if (text.ends_with('.'))
    text += '0';
  if (text.starts_with('.'))
    text.insert(0, "0");
  diagnostic.fixes = {
      {"a number has digits on both sides of its point, and the suffix of an element type or none",
       {{{at.file, piece.begin, piece.end}, text}}}};
  return true;
}

void advise_syntax(Diagnostic &diagnostic, const Around &at) {
  if (advise_number(diagnostic, at))
    return;
  const std::string expected = expected_symbol(diagnostic);
  const std::uint32_t mistake = diagnostic.span->begin;
  std::vector<Proposal> proposals;
  auto is_for = [](const Piece &piece) { return piece.text == "for"; };
  if (std::any_of(at.pieces.begin(), at.pieces.end(), is_for))
    propose(at, habits_of_loops(), proposals);
  propose(at, habits(), proposals);
  auto reads = [&](const std::vector<Edit> &edits) { return !edits.empty() && reads_on(at, edits, mistake); };
  std::optional<Fix> of_quotient = quotient(at);
  if (of_quotient && reads(of_quotient->edits)) {
    const std::uint32_t place = of_quotient->edits[0].span.begin;
    diagnostic.span = Span{at.file, place, place + 2};
    diagnostic.fixes.push_back(std::move(*of_quotient));
    return;
  }
  std::size_t tried = 0;
  for (Proposal &proposal : proposals)
    if (diagnostic.fixes.size() < most_fixes && tried++ < 200 && reads(proposal.edits)) {
      if (diagnostic.fixes.empty()) {
        diagnostic.notes.clear();
        say(diagnostic, at, proposal);
      }
      diagnostic.fixes.push_back({std::string(proposal.habit->help), std::move(proposal.edits)});
    }
  if (diagnostic.fixes.empty() && diagnostic.message.starts_with("expected"))
    for (const Proposal &proposal : proposals)
      if (proposal.found.key <= at.fail && (proposal.edits.empty() || at.fail - proposal.found.key <= 1) &&
          proposal.habit->make == Habit::Make::text) {
        say(diagnostic, at, proposal);
        diagnostic.notes = {{std::nullopt, std::string(proposal.habit->help)}};
        if (!proposal.habit->cause.empty())
          return; // another symbol would not mend what is meant
        break;
      }
  if (diagnostic.fixes.empty()) {
    for (Fix &fix : small_repairs(at, expected))
      if (reads(fix.edits))
        diagnostic.fixes.push_back(std::move(fix));
    point_behind(diagnostic, at, expected);
  }
}

void advise_names(Diagnostic &diagnostic, const Around &at) {
  std::vector<Proposal> proposals;
  propose(at, habits_of_names(), proposals);
  const std::size_t fixes_before = diagnostic.fixes.size();
  for (Proposal &proposal : proposals) {
    const bool is_access = proposal.habit->written == "$x ( %%i )";
    if ((proposal.found.key != at.fail && proposal.found.first != at.fail) ||
        is_access != (diagnostic.code == Code::wrong_kind_of_name))
      continue;
    if (diagnostic.fixes.size() == fixes_before)
      std::erase_if(diagnostic.notes, [](const Note &note) { return !note.span; });
    diagnostic.fixes.push_back({std::string(proposal.habit->help), std::move(proposal.edits)});
  }
}

// A size that only a type or a range mentions.
void declare_size(Diagnostic &diagnostic, const Around &at) {
  auto kernel =
      std::find_if(at.pieces.begin(), at.pieces.end(), [](const Piece &p) { return p.text == "kernel"; });
  if (at.pieces.end() - kernel < 4 || (kernel + 2)->text != "(" || at.fail >= at.pieces.size())
    return;
  const Piece &open = *(kernel + 2);
  const std::string_view name = at.pieces[at.fail].text;
  if (name.find('.') != std::string_view::npos)
    return;
  diagnostic.fixes.push_back({fmt::format("declare the size: {}: size", name),
                              {{{at.file, open.end, open.end},
                                fmt::format("{}: size{}", name, (kernel + 3)->text == ")" ? "" : ", ")}},
                              false});
}

void add_fixes(Diagnostic &diagnostic, std::vector<Fix> fixes) {
  for (Fix &fix : fixes)
    diagnostic.fixes.push_back(std::move(fix));
}

} // namespace

void advise(Diagnostic &diagnostic, const Sources &sources) {
  if (!diagnostic.span || sources.at(diagnostic.span->file).text.size() > largest_to_mend)
    return;
  const Around at = around(diagnostic, sources);
  if (at.pieces.size() > most_pieces)
    return;
  switch (diagnostic.code) {
  case Code::syntax_error: return advise_syntax(diagnostic, at);
  case Code::unknown_name: advise_names(diagnostic, at); return declare_size(diagnostic, at);
  case Code::wrong_argument_count:
    advise_names(diagnostic, at);
    return add_fixes(diagnostic, other_arguments(sources, at.file, at.pieces, at.fail));
  case Code::wrong_kind_of_name: return advise_names(diagnostic, at);
  case Code::data_as_index:
    if (diagnostic.message.find("guard") != std::string::npos)
      return advise_guard(diagnostic, at);
    advise_data_as_index(diagnostic, at);
    return add_fixes(diagnostic, other_orders(sources, *diagnostic.span));
  case Code::index_as_data: return advise_index_as_data(diagnostic, at);
  default: return;
  }
}

} // namespace atl::parse
