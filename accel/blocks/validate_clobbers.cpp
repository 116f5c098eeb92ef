#include "accel/blocks/validate_clobbers.h"

#include "lowering/nest/walk.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::accel {

using namespace lowering;

namespace {

// The statement of the kernel that it is in, if that is a condition: one version of the kernel.
using Version = const If *;

struct Clobber {
  const For *nest; // that the instruction replaces
  Known around;
  Version version;
};
struct Kept {
  const Alloc *alloc;
  Version version;
};

class ClobberFinder {
public:
  std::vector<Clobber> clobbers;
  std::vector<Kept> kept;

  void visit(const Block &body, const Known &around, Version version) {
    for (const Stmt &stmt : body)
      match(
          stmt, [&](const For &loop) { visit(loop, around, version); },
          [&](const If &branch) {
            const bool is_version = !version && around.loops.empty();
            visit(branch.body, around.where(branch.pred), is_version ? &branch : version);
          },
          [&](const Alloc &alloc) {
            if (!alloc.buffer.memory.empty())
              kept.push_back({&alloc, version});
            visit(alloc.body, around, version);
          },
          [](const Store &) {});
  }

private:
  void visit(const For &loop, const Known &around, Version version) {
    if (loop.block && loop.block->call && !loop.block->call->instruction->clobbers.empty())
      clobbers.push_back({&loop, around, version});
    if (!loop.block || !loop.block->replaces)
      visit(loop.body, around.inside(loop.range()), version);
  }
};

bool is_clobbered(const Kept &kept, const Clobber &clobber) {
  const std::vector<std::string> &memories = clobber.nest->block->call->instruction->clobbers;
  return std::find(memories.begin(), memories.end(), kept.alloc->buffer.memory) != memories.end();
}

// Only another version of the kernel may have the temporary.
Obligation obligation_of(const Clobber &clobber, const Kept &kept) {
  const std::string &instruction = clobber.nest->block->call->instruction->meaning.name;
  const Buffer &buffer = kept.alloc->buffer;
  Obligation o =
      obligation_at(clobber.around, clobber.nest->span,
                    fmt::format("{} is not kept in {} beside {}", buffer.name, buffer.memory, instruction));
  const bool is_other = clobber.version && kept.version && clobber.version != kept.version;
  o.claims.push_back({is_other ? neg(kept.version->pred) : truth(false),
                      {fmt::format("{} leaves nothing in {} as it was", instruction, buffer.memory)}});
  return o;
}

} // namespace

std::vector<Obligation> clobber_obligations(const LoopKernel &kernel) {
  ClobberFinder finder;
  finder.visit(kernel.body, known_in(kernel), nullptr);
  std::vector<Obligation> obligations;
  for (const Clobber &clobber : finder.clobbers)
    for (const Kept &kept : finder.kept)
      if (is_clobbered(kept, clobber))
        obligations.push_back(obligation_of(clobber, kept));
  return obligations;
}

} // namespace atl::accel
