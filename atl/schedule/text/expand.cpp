#include "atl/schedule/text/expand.h"

#include "atl/schedule/text/condition.h"
#include "atl/schedule/text/definitions.h"
#include "atl/schedule/text/substitute_steps.h"
#include "atl/syntax/names.h"
#include "atl/syntax/print_schedule.h"
#include "atl/syntax/tree.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace atl {

namespace {

using schedule::Body, schedule::Definitions, schedule::Values;

constexpr std::size_t use_limit = 64;   // uses of steps, each in the definition of the one before
constexpr std::size_t uses_in_note = 8; // that a message shows

std::string note_text(const Step &use) {
  constexpr std::size_t longest = 80;
  std::string text = to_string(use);
  return text.size() > longest ? fmt::format("from a use of `{}`", use.name) : fmt::format("from `{}`", text);
}

// A list, where it is not an argument, is what is in it: of `reorder y, L` and `[]`, `reorder y` is left.
std::vector<StepItem> written_out(std::vector<StepItem> items) {
  std::vector<StepItem> all;
  bool skips_comma = false;
  for (StepItem &item : items) {
    if (item.kind == StepItem::Kind::comma && std::exchange(skips_comma, false))
      continue;
    if (item.kind != StepItem::Kind::list) {
      all.push_back(std::move(item));
      continue;
    }
    for (std::size_t i = 0; i < item.elements.size(); ++i) {
      if (i > 0)
        all.push_back({StepItem::Kind::comma, ",", nullptr, nullptr, item.span});
      all.push_back(std::move(item.elements[i]));
    }
    if (!item.elements.empty())
      continue;
    if (!all.empty() && all.back().kind == StepItem::Kind::comma)
      all.pop_back();
    else
      skips_comma = true;
  }
  return all;
}

class Expander {
public:
  Expander(const Schedule &schedule, const Definitions &definitions, const Kernel &kernel)
      : schedule_(schedule), definitions_(definitions), kernel_(kernel),
        taken_(definitions.function_names()) {
    for (const Param &param : kernel.params)
      taken_.insert(param.name);
    for (const std::string &name : names_in(kernel.body))
      taken_.insert({name, name.substr(0, name.find('.'))});
  }

  Result<std::vector<Step>> expand() {
    std::vector<Step> steps;
    if (!add_all(schedule_.steps, {{}, {}, true}, steps))
      return errors_;
    return steps;
  }

private:
  // Where steps stand: what names stand for, the uses around, the last one first.
  struct Place {
    Values arguments;
    std::vector<Note> via;
    bool in_schedule;
  };

  bool fail(Diagnostics errors, const Place &at) {
    for (Diagnostic &error : errors) {
      std::size_t shown = std::min(at.via.size(), uses_in_note);
      error.notes.insert(error.notes.end(), at.via.begin(),
                         at.via.begin() + static_cast<std::ptrdiff_t>(shown));
      if (shown < at.via.size())
        error.notes.push_back({std::nullopt, fmt::format("and {} more uses around", at.via.size() - shown)});
      errors_.push_back(std::move(error));
    }
    return false;
  }

  // From `local` on, the names that it lists stand for others.
  bool add_all(const std::vector<Step> &steps, Place at, std::vector<Step> &into) {
    for (const Step &step : steps) {
      bool is_local = step.name == local_word && !is_use(step);
      if (!(is_local ? take_locals(step, at) : add(step, at, into)))
        return false;
    }
    return true;
  }

  // local row, lane;
  bool take_locals(const Step &step, Place &at) {
    bool is_name = true;
    for (const StepItem &item : step.items) {
      if (std::exchange(is_name, !is_name) ? !is_plain_name(item) : item.kind != StepItem::Kind::comma)
        return fail({{Code::step_usage, item.span, "`local` takes names, with commas between them", {}}}, at);
      if (item.index) {
        StepItem fresh = item;
        fresh.text = take_name(item.index->name, taken_);
        fresh.index = variable(fresh.text);
        at.arguments.insert_or_assign(item.index->name, std::move(fresh));
      }
    }
    if (is_name)
      return fail({{Code::step_usage, step.span, "`local` needs a name", {}}}, at);
    return true;
  }

  static bool is_plain_name(const StepItem &item) {
    return item.kind == StepItem::Kind::index && item.index->op == IndexOp::variable &&
           item.index->name.find('(') == std::string::npos;
  }

  bool add(const Step &step, const Place &at, std::vector<Step> &into) {
    if (++count_ > step_limit)
      return fail(
          {{Code::too_many_steps,
            schedule_.span,
            fmt::format("the schedule '{}' has more than {} steps, with those of the steps that it uses",
                        schedule_.name, step_limit),
            {}}},
          at);
    if (step.name == "for")
      return add_repeated(step, at, into);
    Step substituted{step.name, step.span, {}, {}, {}, at.via};
    if (!substitute_all(step.items, at, substituted.items))
      return false;
    if (step.name == "if")
      return add_choice(step, substituted, at, into);
    if (is_use(step))
      return add_use(substituted, at, into);
    substituted.items = written_out(std::move(substituted.items));
    take_names(substituted.items);
    into.push_back(std::move(substituted));
    std::vector<Step> block;
    bool good = add_all(step.block, at, block);
    into.back().block = std::move(block);
    return good;
  }

  bool substitute_all(const std::vector<StepItem> &items, const Place &at, std::vector<StepItem> &into) {
    for (const StepItem &item : items) {
      Result<StepItem> result = schedule::substitute(item, at.arguments);
      if (!result)
        return fail(result.errors(), at);
      into.push_back(std::move(*result));
    }
    return true;
  }

  // Names that steps give to loops and temporaries are not given to others by `local`.
  void take_names(const std::vector<StepItem> &items) {
    for (const StepItem &item : items)
      if (item.index && item.index->op == IndexOp::variable)
        taken_.insert(item.index->name.substr(0, item.index->name.find('.')));
  }

  bool add_choice(const Step &step, const Step &substituted, const Place &at, std::vector<Step> &into) {
    Result<bool> holds = schedule::holds(substituted, kernel_);
    if (!holds)
      return fail(holds.errors(), at);
    return add_all(*holds ? step.block : step.otherwise, at, into);
  }

  // for L in y.i, x { ... }
  bool add_repeated(const Step &step, const Place &at, std::vector<Step> &into) {
    const std::string &name = step.items.at(0).index->name;
    std::vector<StepItem> all(step.items.begin() + 2, step.items.end()), values;
    if (!substitute_all(all, at, values))
      return false;
    values = written_out(std::move(values));
    for (StepItem &value : values) {
      if (value.kind == StepItem::Kind::comma)
        continue;
      Place inner = at;
      inner.arguments.insert_or_assign(name, std::move(value));
      if (!add_all(step.block, inner, into))
        return false;
    }
    return true;
  }

  bool add_use(const Step &use, const Place &at, std::vector<Step> &into) {
    Result<Body> body = definitions_.resolve(use, at.in_schedule ? kernel_.name : "");
    if (!body)
      return fail(body.errors(), at);
    if (at.via.size() == use_limit)
      return fail({{Code::too_deep,
                    use.span,
                    fmt::format("more than {} uses of steps are nested here", use_limit),
                    {}}},
                  at);
    Place inner{{}, {{use.span, note_text(use)}}, body->is_schedule};
    inner.via.insert(inner.via.end(), at.via.begin(), at.via.end());
    std::vector<StepItem> values = arguments_of(use);
    for (std::size_t i = 0; i < values.size(); ++i)
      inner.arguments.emplace((*body->params)[i].name, std::move(values[i]));
    return add_all(*body->steps, inner, into);
  }

  const Schedule &schedule_;
  const Definitions &definitions_;
  const Kernel &kernel_;
  std::set<std::string> taken_;
  std::size_t count_ = 0;
  Diagnostics errors_;
};

} // namespace

Result<std::vector<Step>> expand(const Schedule &schedule, const schedule::Definitions &definitions,
                                 const Kernel &kernel) {
  return Expander(schedule, definitions, kernel).expand();
}

Result<std::vector<Step>> expand(const Schedule &schedule, const Program &program, const Kernel &kernel) {
  return expand(schedule, Definitions(program), kernel);
}

} // namespace atl
