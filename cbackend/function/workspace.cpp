#include "cbackend/function/workspace.h"

#include <algorithm>
#include <set>

namespace atl::cbackend {

using namespace lowering;

namespace {

constexpr std::int64_t part_alignment = 64; // as in atl_for_threads: a cache line

// A heap temporary, and from when to when its content matters, in steps of the walk through the loop nest.
struct Lifetime {
  const Alloc *alloc;
  std::size_t loops; // around its allocation
  bool per_thread;
  int begin, end;
  Pred when; // the branches around its allocation that are outside all loops
};

// A temporary that is touched inside a loop, but allocated outside, is alive during the whole loop.
class Lifetimes {
public:
  explicit Lifetimes(bool mapped) : mapped_(mapped) {}

  std::vector<Lifetime> all; // in the order of allocation

  void visit(const Block &body) {
    for (const Stmt &stmt : body)
      match(
          stmt, [&](const For &loop) { visit(loop); }, [&](const If &branch) { visit(branch); },
          [&](const Alloc &alloc) { visit(alloc); },
          [&](const Store &store) {
            ++now_;
            touch(store.buffer);
            touch_reads(store.value);
          });
  }

private:
  void visit(const For &loop) {
    int begin = ++now_;
    parallel_ += loop.mode == LoopMode::parallel;
    touched_.emplace_back();
    visit(loop.body);
    std::set<std::size_t> touched = std::move(touched_.back());
    touched_.pop_back();
    parallel_ -= loop.mode == LoopMode::parallel;
    ++now_;
    for (std::size_t temporary : touched) {
      extend(temporary, begin);
      extend(temporary, now_);
    }
  }

  void visit(const If &branch) {
    Pred outside = when_;
    if (touched_.empty())
      when_ = conj(when_, branch.pred);
    visit(branch.body);
    when_ = outside;
  }

  void visit(const Alloc &alloc) {
    if (alloc.storage == Alloc::Storage::heap && (!mapped_ || alloc.buffer.memory.empty())) {
      ++now_;
      by_name_[alloc.buffer.name] = all.size();
      all.push_back({&alloc, touched_.size(), parallel_ > 0, now_, now_, when_});
    }
    visit(alloc.body);
    by_name_.erase(alloc.buffer.name);
  }

  void touch_reads(const ExprPtr &e) {
    if (const Access *access = std::get_if<Access>(&e->node))
      touch(access->tensor);
    for (const ExprPtr &child : children(*e))
      touch_reads(child);
  }

  void touch(const std::string &buffer) {
    auto found = by_name_.find(buffer);
    if (found == by_name_.end())
      return;
    extend(found->second, now_);
    for (std::size_t loop = all[found->second].loops; loop < touched_.size(); ++loop)
      touched_[loop].insert(found->second);
  }

  void extend(std::size_t temporary, int to) {
    all[temporary].begin = std::min(all[temporary].begin, to);
    all[temporary].end = std::max(all[temporary].end, to);
  }

  bool mapped_;
  int now_ = 0, parallel_ = 0;
  Pred when_ = truth(true);
  std::map<std::string, std::size_t> by_name_;
  std::vector<std::set<std::size_t>> touched_; // of each loop around
};

class Planner {
public:
  explicit Planner(bool shared) : shared_(shared) {}

  Workspace workspace;

  void place(const Lifetime &life, HeapTemporary temporary) {
    std::size_t chosen = workspace.pieces.size();
    for (std::size_t p = 0; shared_ && p < workspace.pieces.size(); ++p) {
      const HeapPiece &piece = workspace.pieces[p];
      bool is_free = piece.per_thread == life.per_thread && ends_[p] < life.begin;
      bool fits = same_bytes(piece.temporaries.back(), temporary);
      if (is_free && (chosen == workspace.pieces.size() || fits))
        chosen = p;
      if (is_free && fits)
        break;
    }
    if (chosen == workspace.pieces.size()) {
      workspace.pieces.push_back({"", life.per_thread, {}});
      ends_.push_back(0);
    }
    HeapPiece &piece = workspace.pieces[chosen];
    workspace.places[life.alloc] = {chosen, piece.temporaries.size()};
    piece.temporaries.push_back(std::move(temporary));
    ends_[chosen] = std::max(ends_[chosen], life.end);
  }

  void name_pieces(NameScope &names) {
    for (HeapPiece &piece : workspace.pieces) {
      const std::string &first = piece.temporaries[0].c_name;
      piece.c_name = piece.is_plain()                ? first
                     : piece.temporaries.size() == 1 ? names.claim(first + "_parts")
                                                     : names.claim("shared");
      if (piece.per_thread && workspace.threads.empty())
        workspace.threads = names.claim("threads");
    }
  }

private:
  const bool shared_;
  std::vector<int> ends_; // when the last temporary of each piece ends
};

} // namespace

bool same_bytes(const HeapTemporary &a, const HeapTemporary &b) {
  return byte_size(a.elem) == byte_size(b.elem) && equal(a.when, b.when) &&
         std::equal(a.capacity.begin(), a.capacity.end(), b.capacity.begin(), b.capacity.end(),
                    [](const Index &x, const Index &y) { return equal(x, y); });
}

Workspace plan_workspace(const Block &body, NameScope &names, bool mapped, bool shared) {
  Lifetimes lifetimes(mapped);
  lifetimes.visit(body);
  Planner planner(shared);
  for (const Lifetime &life : lifetimes.all) {
    const Buffer &buffer = life.alloc->buffer;
    planner.place(life, {names.claim(buffer.name), buffer.elem, life.alloc->capacity, life.when});
  }
  planner.name_pieces(names);
  return std::move(planner.workspace);
}

bool can_share_memory(const LoopKernel &kernel) {
  return !kernel.hardware || !kernel.hardware->has_rows();
}

Index Workspace::bytes(const Facts &facts) const {
  Index sum = constant(0);
  for (const HeapPiece &piece : pieces) {
    Index largest;
    for (const HeapTemporary &temporary : piece.temporaries) {
      Index bytes = constant(static_cast<std::int64_t>(byte_size(temporary.elem)));
      for (const Index &extent : temporary.capacity)
        bytes = mul(bytes, extent);
      largest = !largest || equal(largest, bytes) ? bytes : binary(IndexOp::max, largest, bytes);
    }
    if (piece.per_thread)
      largest =
          mul(mul(constant(part_alignment), ceil_div(largest, constant(part_alignment))), variable(threads));
    sum = add(sum, largest);
  }
  return facts.simplify(sum);
}

} // namespace atl::cbackend
