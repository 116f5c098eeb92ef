#include "atl/parse/locals.h"

#include <algorithm>
#include <set>

namespace atl::parse {

namespace {

class Declarations {
public:
  Declarations(std::string_view name, const Sources &sources, const Callee &callee)
      : name_(name), sources_(sources), callee_(callee) {}

  bool in(const Node &node) {
    if (is_declared_by(node))
      return true;
    const Node *called = node.kind == Kind::call ? callee_(node.children[0]) : nullptr;
    if (called && seen_.insert(called).second && in(*called))
      return true;
    return std::any_of(node.children.begin(), node.children.end(),
                       [&](const Node &child) { return in(child); });
  }

private:
  bool is_declared_by(const Node &node) const {
    switch (node.kind) {
    case Kind::param: return is_name(node.children[0]);
    case Kind::let: {
      const Node &bound = node.children[0];
      return is_name(bound) || (bound.kind == Kind::names && any_is_name(bound.children));
    }
    case Kind::binders: return any_is_variable(node.children);
    default: return false;
    }
  }

  bool is_name(const Node &node) const {
    return node.kind == Kind::word && sources_.text(node.span) == name_;
  }
  bool any_is_name(const std::vector<Node> &nodes) const {
    return std::any_of(nodes.begin(), nodes.end(), [&](const Node &node) { return is_name(node); });
  }
  bool any_is_variable(const std::vector<Node> &ranges) const { // i < hi, lo <= i < hi
    return std::any_of(ranges.begin(), ranges.end(), [&](const Node &range) {
      return range.kind == Kind::comparison && is_name(range.children[range.children.size() > 3 ? 2 : 0]);
    });
  }

  std::string_view name_;
  const Sources &sources_;
  const Callee &callee_;
  std::set<const Node *> seen_;
};

} // namespace

bool declares(const Node &kernel, std::string_view name, const Sources &sources, const Callee &callee) {
  return name == "out" || Declarations(name, sources, callee).in(kernel);
}

bool makes(const Node &steps, std::string_view name, const Sources &sources) {
  bool is_new = false; // behind `into` or `as`
  for (const Node &node : steps.children) {
    if (node.kind == Kind::marker)
      is_new = sources.text(node.span) == "into" || sources.text(node.span) == "as";
    if ((is_new && node.kind == Kind::word && sources.text(node.span) == name) || makes(node, name, sources))
      return true;
  }
  return false;
}

} // namespace atl::parse
