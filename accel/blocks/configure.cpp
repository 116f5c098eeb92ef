#include "accel/blocks/configure.h"

#include "accel/blocks/setting.h"

#include <map>
#include <optional>
#include <string>

namespace atl::accel {

using namespace lowering;

namespace {

// By configuration: the value that everything in a piece of code needs; nothing if there are several.
using Needed = std::map<std::string, std::optional<Setting>>;
using KnownSettings = std::map<std::string, Setting>;

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
        if (code.call)
          for (const std::string &name : code.call->instruction->clobbers)
            inside[name] = std::nullopt; // or a memory, of which nobody asks
        if (!code.replaces) {
          inside = needed_by(code.inside);
          merge(inside, needed_by(loop.body));
          merge(inside, needed_by(code.at_end));
        }
        for (auto &[name, setting] : inside)
          if (setting && !code.replaces && mentions(*setting, loop.var))
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
void keep_common(KnownSettings &known, const KnownSettings &other) {
  std::erase_if(known, [&](const auto &entry) {
    auto there = other.find(entry.first);
    return there == other.end() || !same(there->second, entry.second);
  });
}

void insert(Block &block, KnownSettings &known);

void before_loop(For &loop, KnownSettings &known) {
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
  if (!code.replaces) {
    insert(loop.body, known);
    insert(code.at_end, known);
  }
  if (loop.block || !settings.empty())
    loop.block = std::make_shared<const BlockCode>(code);
  if (code.replaces)
    return;
  for (const auto &[name, setting] : needed)
    if (!setting)
      known.erase(name);
}

void insert(Block &block, KnownSettings &known) {
  for (Stmt &stmt : block) {
    if (For *loop = std::get_if<For>(&stmt.node))
      before_loop(*loop, known);
    if (Alloc *alloc = std::get_if<Alloc>(&stmt.node))
      insert(alloc->body, known);
    if (If *branch = std::get_if<If>(&stmt.node)) {
      KnownSettings inside = known;
      insert(branch->body, inside);
      keep_common(known, inside);
    }
  }
}

} // namespace

void insert_settings(LoopKernel &kernel) {
  KnownSettings known;
  insert(kernel.body, known);
}

} // namespace atl::accel
