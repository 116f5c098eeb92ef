#include "proofs/reader/memory.h"

#include <algorithm>
#include <set>

namespace atl::proofs::reader {

using namespace lowering;

namespace {

class LifeWalk {
public:
  Lives lives;

  // Gives what the statements touch.
  std::set<const Buffer *> block(const Block &body) {
    std::set<const Buffer *> touched;
    for (const Stmt &stmt : body)
      touched.merge(match(
          stmt, [&](const For &loop) { return whole(loop); },
          [&](const If &branch) { return block(branch.body); },
          [&](const Alloc &alloc) { return inside(alloc); }, [&](const Store &store) { return at(store); }));
    return touched;
  }

private:
  std::set<const Buffer *> whole(const For &loop) {
    int first = ++now_;
    std::set<const Buffer *> touched = block(loop.body);
    if (loop.block) {
      touched.merge(block(loop.block->before));
      touched.merge(block(loop.block->inside));
      touched.merge(block(loop.block->at_end));
    }
    int last = ++now_;
    for (const Buffer *buffer : touched)
      extend(buffer, first, last);
    return touched;
  }

  std::set<const Buffer *> inside(const Alloc &alloc) {
    scope_.insert_or_assign(alloc.buffer.name, &alloc.buffer);
    std::set<const Buffer *> touched = block(alloc.body);
    scope_.erase(alloc.buffer.name);
    touched.erase(&alloc.buffer);
    return touched;
  }

  std::set<const Buffer *> at(const Store &store) {
    std::set<const Buffer *> touched;
    ++now_;
    note(store.buffer, touched);
    reads(store.value, touched);
    for (const Buffer *buffer : touched)
      extend(buffer, now_, now_);
    return touched;
  }

  void reads(const ExprPtr &e, std::set<const Buffer *> &touched) const {
    if (const Access *access = std::get_if<Access>(&e->node))
      note(access->tensor, touched);
    for (const ExprPtr &child : children(*e))
      reads(child, touched);
  }

  void note(const std::string &name, std::set<const Buffer *> &touched) const {
    if (auto found = scope_.find(name); found != scope_.end())
      touched.insert(found->second);
  }

  void extend(const Buffer *buffer, int first, int last) {
    auto [life, is_new] = lives.try_emplace(buffer, Life{first, last});
    life->second = {std::min(first, life->second.first), std::max(last, life->second.last)};
  }

  int now_ = 0;
  std::map<std::string, const Buffer *> scope_;
};

} // namespace

Lives lives_of(const Block &body) {
  LifeWalk walk;
  walk.block(body);
  return std::move(walk.lives);
}

} // namespace atl::proofs::reader
