#include "atl/rewrites/rewrites.h"
#include "atl/syntax/ops/reshape_op.h"

namespace atl::rewrites {

Refused distribute_loop(Work &work, const Path &path, const std::string &first, const std::string &second) {
  ExprPtr e = at(work.kernel, path);
  LoopHead loop = *loop_head(e);
  const Concat *concat = std::get_if<Concat>(&loop_body(e)->node);
  if (!concat)
    return Refusal{"directly inside " + loop.var + " there is no concat"};
  if (loop.reduction)
    return Refusal{loop.var + " is a reduction; only a gen can be distributed"};
  for (const std::string &name : {first, second})
    if (names_in(loop_body(e)).contains(name))
      return Refusal{"a loop inside is already called " + name};
  auto part = [&](const std::string &name, const ExprPtr &body) {
    LoopHead head = loop;
    head.var = name;
    return reshape_of(transpose_op, {}, loop_of(head, work.moved(body, {{loop.var, variable(name)}})));
  };
  replace(work.kernel, path,
          reshape_of(transpose_op, {}, concat_of(part(first, concat->left), part(second, concat->right))));
  return {};
}

} // namespace atl::rewrites
