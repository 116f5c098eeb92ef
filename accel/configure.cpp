#include "accel/configure.h"

#include "atl/rewrites/tree.h"

#include <fmt/format.h>
#include <map>

namespace atl::accel {

using namespace lowering;

bool same(const Setting &a, const Setting &b) {
  if (a.configuration->name != b.configuration->name || a.values.size() != b.values.size())
    return false;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const Index *x = std::get_if<Index>(&a.values[i]), *y = std::get_if<Index>(&b.values[i]);
    const ExprPtr *p = std::get_if<ExprPtr>(&a.values[i]), *q = std::get_if<ExprPtr>(&b.values[i]);
    if (!(x && y && equal(*x, *y)) && !(p && q && equal(*p, *q)))
      return false;
  }
  return true;
}

namespace {

bool mentions_loop(const Setting &setting, const std::string &var) {
  for (const auto &value : setting.values)
    if (std::holds_alternative<Index>(value) ? mentions(std::get<Index>(value), var)
                                             : rewrites::mentions_variable(std::get<ExprPtr>(value), var))
      return true;
  return false;
}

// By configuration: the value that everything in a piece of code needs; nothing if there are several.
using Needed = std::map<std::string, std::optional<Setting>>;
using Known = std::map<std::string, Setting>;

void merge(Needed &into, const Needed &other) {
  for (const auto &[name, setting] : other) {
    auto [there, is_new] = into.emplace(name, setting);
    if (!is_new && there->second && (!setting || !same(*there->second, *setting)))
      there->second = std::nullopt;
  }
}

Needed needed_by(const Block &block);

Needed needed_by(const Stmt &stmt) {
  return match(
      stmt,
      [](const For &loop) {
        const BlockCode code = loop.block ? *loop.block : BlockCode{};
        Needed inside;
        for (const Setting &setting : code.needs)
          inside[setting.configuration->name] = setting;
        if (!code.replaces) {
          inside = needed_by(code.inside);
          merge(inside, needed_by(loop.body));
        }
        for (auto &[name, setting] : inside)
          if (setting && !code.replaces && mentions_loop(*setting, loop.var))
            setting = std::nullopt;
        Needed needed = needed_by(code.before);
        merge(needed, inside);
        return needed;
      },
      [](const If &branch) { return needed_by(branch.body); },
      [](const Alloc &alloc) { return needed_by(alloc.body); }, [](const Store &) { return Needed{}; });
}

Needed needed_by(const Block &block) {
  Needed all;
  for (const Stmt &stmt : block)
    merge(all, needed_by(stmt));
  return all;
}

// What both say.
void keep_common(Known &known, const Known &other) {
  std::erase_if(known, [&](const auto &entry) {
    auto there = other.find(entry.first);
    return there == other.end() || !same(there->second, entry.second);
  });
}

void insert(Block &block, Known &known);

void before_loop(For &loop, Known &known) {
  std::vector<Setting> settings;
  Needed needed = needed_by(Stmt{loop});
  for (const auto &[name, setting] : needed) {
    if (!setting)
      continue;
    auto there = known.find(name);
    if (there != known.end() && same(there->second, *setting))
      continue;
    settings.push_back(*setting);
    known.insert_or_assign(name, *setting);
  }
  BlockCode code = loop.block ? *loop.block : BlockCode{};
  code.settings = settings;
  insert(code.before, known);
  // What differs inside is not known when an iteration starts, nor behind the loop.
  for (const auto &[name, setting] : needed)
    if (!setting)
      known.erase(name);
  insert(code.inside, known);
  if (loop.block || !settings.empty())
    loop.block = std::make_shared<const BlockCode>(code);
  if (code.replaces)
    return;
  insert(loop.body, known);
  for (const auto &[name, setting] : needed)
    if (!setting)
      known.erase(name);
}

void insert(Block &block, Known &known) {
  for (Stmt &stmt : block) {
    if (For *loop = std::get_if<For>(&stmt.node))
      before_loop(*loop, known);
    if (Alloc *alloc = std::get_if<Alloc>(&stmt.node))
      insert(alloc->body, known);
    if (If *branch = std::get_if<If>(&stmt.node)) {
      Known inside = known;
      insert(branch->body, inside);
      keep_common(known, inside);
    }
  }
}

// An independent walk: what is known to be set, on all paths.
class Walk {
public:
  std::optional<std::string> problem;

  void block(const Block &body, Known &known) {
    for (const Stmt &stmt : body)
      match(
          stmt, [&](const For &loop) { for_loop(loop, known); },
          [&](const If &branch) {
            Known inside = known;
            block(branch.body, inside);
            keep_common(known, inside);
          },
          [&](const Alloc &alloc) { block(alloc.body, known); }, [](const Store &) {});
  }

private:
  void for_loop(const For &loop, Known &known) {
    if (loop.block)
      for (const Setting &setting : loop.block->settings)
        known.insert_or_assign(setting.configuration->name, setting);
    if (loop.block)
      block(loop.block->before, known);
    if (loop.block && loop.block->replaces)
      return check(loop, known);
    Known start = known; // what holds at the start of each iteration: nothing in the loop sets it otherwise
    for (std::size_t before = start.size() + 1; before != start.size();) {
      before = start.size();
      std::erase_if(start, [&](const auto &entry) { return mentions_loop(entry.second, loop.var); });
      Known end = start;
      Walk silent;
      silent.iteration(loop, end);
      keep_common(start, end);
    }
    known = start;
    iteration(loop, known);
    known = start;
  }

  void iteration(const For &loop, Known &known) {
    if (loop.block)
      block(loop.block->inside, known);
    block(loop.body, known);
  }

  void check(const For &loop, const Known &known) {
    for (const Setting &need : loop.block->needs) {
      auto there = known.find(need.configuration->name);
      if (there == known.end() || !same(there->second, need))
        problem = fmt::format("{} is not set as {} needs it", need.configuration->name,
                              loop.block->call ? loop.block->call->instruction->meaning.name : loop.var);
    }
  }
};

} // namespace

void insert_settings(LoopKernel &kernel) {
  Known known;
  insert(kernel.body, known);
}

std::optional<std::string> missing_setting(const LoopKernel &kernel) {
  Walk walk;
  Known known;
  walk.block(kernel.body, known);
  return walk.problem;
}

} // namespace atl::accel
