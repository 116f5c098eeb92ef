// Tables in descriptions of hardware: what stands in one is repeated for each row. In an expression or a
// type, the name of a column stands for the cell; in names of instructions and in C it stands in braces.
#include "atl/parse/elaborate.h"
#include "atl/parse/scan.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace atl::parse {

static bool is_text(const Node &cell) {
  return cell.kind == Kind::string || cell.kind == Kind::text;
}

std::vector<std::string> Elaborator::columns(const Node &names) {
  std::vector<std::string> all;
  for (const Node &word : names.children) {
    auto other = std::find(all.begin(), all.end(), text(word));
    if (other != all.end())
      error(Code::duplicate_name, word.span, fmt::format("two columns have the name '{}'", *other),
            {{names.children[static_cast<std::size_t>(other - all.begin())].span, "this is the other one"}});
    all.emplace_back(text(word));
  }
  return all;
}

bool Elaborator::has_cells(const Node &row, const Node &names) {
  if (row.children.size() == names.children.size())
    return true;
  error(Code::wrong_argument_count, row.span,
        fmt::format("this row has {} cell{}, and the table {} column{}", row.children.size(),
                    row.children.size() == 1 ? "" : "s", names.children.size(),
                    names.children.size() == 1 ? "" : "s"),
        {{names.span, "these are the columns"}});
  return false;
}

// What is declared inside must not have the name of a column, which would stand for the cell.
void Elaborator::keep_apart(const Node &declaration, const Cells &cells) {
  const Node &first = declaration.children[0];
  for (const Node &word : first.kind == Kind::names ? first.children : std::vector{first})
    if (cells.contains(text(word)))
      error(Code::duplicate_name, word.span, fmt::format("'{}' is the name of a column", text(word)));
}

Node Elaborator::filled(const Node &node, const Cells &cells) {
  if (node.kind == Kind::word)
    if (auto found = cells.find(text(node)); found != cells.end()) {
      if (!is_text(*found->second))
        return *found->second;
      error(Code::wrong_kind_of_name, node.span,
            fmt::format("'{}' is a text, which stands in names of instructions and in C, in braces",
                        text(node)));
    }
  if (node.kind == Kind::param || node.kind == Kind::let || node.kind == Kind::table)
    keep_apart(node, cells);
  Node result{node.kind, node.span, {}};
  for (const Node &child : node.children)
    result.children.push_back(filled(child, cells));
  return result;
}

std::string Elaborator::spelled(std::string text_with_holes) const {
  for (auto cells = cells_.rbegin(); cells != cells_.rend(); ++cells) // a cell may have holes for outer ones
    for (const auto &[column, cell] : *cells) {
      const std::string hole = "{" + column + "}";
      const std::string value = cell->kind == Kind::text     ? joined(*cell)
                                : cell->kind == Kind::string ? unquoted(*cell)
                                                             : std::string(text(*cell));
      for (auto at = text_with_holes.find(hole); at != std::string::npos;
           at = text_with_holes.find(hole, at + value.size()))
        text_with_holes.replace(at, hole.size(), value);
    }
  return text_with_holes;
}

std::string Elaborator::instruction_name(const Node &word) {
  std::string name = spelled(std::string(text(word)));
  if (auto hole = name.find('{'); hole != std::string::npos) {
    const std::string column = name.substr(hole + 1, name.find('}') - hole - 1);
    std::vector<std::string> known;
    for (const Cells &cells : cells_)
      for (const auto &[other, cell] : cells)
        known.push_back(other);
    error(Code::unknown_name, word.span, fmt::format("there is no column '{}'", column),
          {{std::nullopt, known.empty() ? "the instruction stands in no table"
                                        : fmt::format("the columns are {}", fmt::join(known, ", "))}});
  } else if (name_length(name) != name.size() || is_keyword(name)) {
    error(Code::syntax_error, word.span, fmt::format("'{}' cannot be the name of an instruction", name));
  }
  return name;
}

void Elaborator::table(const Node &node, const EachInstruction &each) {
  const Node &names = node.children[0];
  const std::vector<std::string> all = columns(names);
  for (const Node &row : node.children[1].children) {
    const std::size_t before = reporter_.count();
    if (reporter_.is_full() || !has_cells(row, names))
      return;
    Cells cells;
    for (std::size_t i = 0; i < all.size(); ++i)
      cells.emplace(all[i], &row.children[i]);
    cells_.push_back(cells);
    for (std::size_t i = 2; i < node.children.size(); ++i) {
      const Node part = filled(node.children[i], cells);
      if (reporter_.count() > before)
        break;
      if (part.kind == Kind::table)
        table(part, each);
      else
        each(part);
    }
    cells_.pop_back();
    if (reporter_.count() == before)
      continue;
    reporter_.add_note(before, {row.span, "in this row of the table"});
    return; // the other rows would have the same to report
  }
}

} // namespace atl::parse
