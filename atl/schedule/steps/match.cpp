#include "atl/schedule/steps/match.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::schedule {

namespace {

bool is_name(const StepItem &item) {
  return item.kind == StepItem::Kind::index && item.index->op == IndexOp::variable;
}

// Takes the items of a step from left to right. After the first that does not fit, what is left does not
// matter.
class Matcher {
public:
  Matcher(const Step &step, const Signature &signature)
      : step_(step), signature_(signature), arguments_(signature.parameters.size()) {}

  Match match() {
    bool fits =
        all(signature_.parts) && next_ == step_.items.size() && (signature_.has_block || step_.block.empty());
    return fits ? Match{std::move(arguments_), {}} : Match{std::nullopt, std::move(note_)};
  }

private:
  const StepItem *peek() const { return next_ < step_.items.size() ? &step_.items[next_] : nullptr; }

  // Words that are no words of steps, such as `root`, were read as names.
  bool at(std::string_view word) const {
    const StepItem *item = peek();
    return item && item->text == word && (item->kind == StepItem::Kind::word || is_name(*item));
  }
  bool at_comma() const { return peek() && peek()->kind == StepItem::Kind::comma; }
  bool take(bool found) {
    next_ += found;
    return found;
  }

  bool all(const std::vector<Part> &parts) {
    return std::all_of(parts.begin(), parts.end(), [&](const Part &part) { return one(part); });
  }

  bool one(const Part &part) {
    switch (part.kind) {
    case Part::Kind::word: return take(at(part.word));
    case Part::Kind::comma: return take(at_comma());
    case Part::Kind::argument: return argument(part.parameter);
    case Part::Kind::optional: return !at(part.inside[0].word) || all(part.inside);
    case Part::Kind::repeated:
      while (at_comma())
        if (!all(part.inside))
          return false;
      return true;
    }
    return false;
  }

  bool argument(std::size_t number) {
    const Parameter &parameter = signature_.parameters[number];
    Argument result;
    result.name.span = peek() ? peek()->span : step_.span;
    if (!read(parameter, result))
      return false;
    arguments_[number].push_back(std::move(result));
    return true;
  }

  bool read(const Parameter &parameter, Argument &into) {
    const StepItem *item = peek();
    switch (parameter.kind) {
    case Parameter::Kind::name: return name(into.name.name);
    case Parameter::Kind::loops:
      into.every = take(at("every"));
      into.name.span = peek() ? peek()->span : step_.span;
      return loop(into.name);
    case Parameter::Kind::loop: return loop(into.name);
    case Parameter::Kind::index:
      into.index = item ? item->index : nullptr;
      return take(into.index != nullptr);
    case Parameter::Kind::condition:
      into.condition = item ? item->pred : nullptr;
      return take(into.condition != nullptr);
    case Parameter::Kind::choice:
      for (std::string_view choice : parameter.choices)
        if (at(choice)) {
          into.name.name = choice;
          return take(true);
        }
    }
    return false;
  }

  bool loop(LoopName &into) {
    if (!name(into.name))
      return false;
    return !take(at("in")) || name(into.within.emplace());
  }

  bool name(std::string &into) {
    const StepItem *item = peek();
    if (item && is_name(*item))
      into = item->index->name;
    else if (item && item->kind == StepItem::Kind::word)
      note_ = {item->span, fmt::format("'{}' is a word of steps: a name stands here", item->text)};
    return take(item && is_name(*item));
  }

  const Step &step_;
  const Signature &signature_;
  std::size_t next_ = 0;
  Arguments arguments_;
  std::optional<Note> note_;
};

} // namespace

Match match(const Step &step, const Signature &signature) {
  return Matcher(step, signature).match();
}

} // namespace atl::schedule
