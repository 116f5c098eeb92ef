#include "atl/syntax/layout.h"

#include "atl/base/check.h"

namespace atl::layout {

enum class Kind { text, line, cat, nest, group };

struct Node {
  Kind kind;
  std::string content;    // text; line: what it is on one line
  bool is_hard = false;   // line: never on one line; others: contains such a line
  int indent = 0;         // nest
  std::vector<Doc> parts; // cat, nest, group
  int width = 0;          // on one line
};

static Doc make(Node node) {
  node.width = static_cast<int>(node.content.size());
  for (const Doc &part : node.parts) {
    node.width += part->width;
    node.is_hard = node.is_hard || part->is_hard;
  }
  return std::make_shared<const Node>(std::move(node));
}

Doc text(std::string content) {
  return make({Kind::text, std::move(content), false, 0, {}});
}
Doc line() {
  return make({Kind::line, " ", false, 0, {}});
}
Doc gap() {
  return make({Kind::line, "", false, 0, {}});
}
Doc hard_line() {
  return make({Kind::line, "", true, 0, {}});
}
Doc cat(std::vector<Doc> parts) {
  return make({Kind::cat, "", false, 0, std::move(parts)});
}
Doc nest(int indent, Doc content) {
  return make({Kind::nest, "", false, indent, {std::move(content)}});
}
Doc group(Doc content) {
  return make({Kind::group, "", false, 0, {std::move(content)}});
}

Doc list(const std::vector<Doc> &items, const std::string &separator, const Doc &between) {
  std::vector<Doc> parts;
  for (std::size_t i = 0; i < items.size(); ++i) {
    parts.push_back(items[i]);
    if (i + 1 < items.size()) {
      parts.push_back(text(separator));
      parts.push_back(between);
    }
  }
  return cat(std::move(parts));
}

namespace {

struct Pending {
  const Node *node;
  int indent;
  bool broken; // new lines where the enclosing group has its lines
};

// The width of what follows on the same line in any case, or `limit` if it is not below.
int width_to_next_break(const std::vector<Pending> &pending, int limit) {
  int width = 0;
  for (auto next = pending.rbegin(); next != pending.rend(); ++next) {
    std::vector<std::pair<const Node *, bool>> stack{{next->node, next->broken}};
    while (!stack.empty() && width < limit) {
      auto [node, broken] = stack.back();
      stack.pop_back();
      if (node->kind == Kind::line && (broken || node->is_hard))
        return width;
      bool flat = node->kind == Kind::group ? !node->is_hard : !broken && !node->is_hard;
      if (flat || node->parts.empty())
        width += node->width;
      else
        for (auto part = node->parts.rbegin(); part != node->parts.rend(); ++part)
          stack.emplace_back(part->get(), true);
    }
  }
  return width;
}

} // namespace

std::string render(const Doc &doc, int width, int indent) {
  std::string out;
  int column = indent;
  std::vector<Pending> pending{{doc.get(), indent, false}};
  while (!pending.empty()) {
    auto [node, inner_indent, broken] = pending.back();
    pending.pop_back();
    if (node->kind == Kind::line && (broken || node->is_hard)) {
      out.erase(out.find_last_not_of(' ') + 1);
      out += "\n" + std::string(static_cast<std::size_t>(inner_indent), ' ');
      column = inner_indent;
      continue;
    }
    if (node->kind == Kind::group) {
      int room = width - column - node->width;
      broken = node->is_hard || room < 0 || width_to_next_break(pending, room + 1) > room;
    }
    out += node->content;
    column += static_cast<int>(node->content.size());
    for (auto part = node->parts.rbegin(); part != node->parts.rend(); ++part)
      pending.push_back({part->get(), inner_indent + node->indent, broken});
  }
  return out;
}

} // namespace atl::layout
