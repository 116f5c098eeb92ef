// Random programs, well-typed by construction, as text.
#pragma once
#include "fuzz/context.h"
#include "fuzz/text.h"

#include <string>
#include <vector>

namespace atl::fuzz {

struct GeneratedProgram {
  std::string minimal, full; // the same program with few and with all parentheses
  std::string kernel;        // the one to run; it may call others
};

GeneratedProgram generate_program(Random &random, const std::string &kernel_name);

class Generator {
public:
  explicit Generator(Random &random) : random_(random) {}

  GeneratedProgram program(const std::string &kernel_name);

private:
  struct FunctionInfo {
    std::string name;
    std::vector<Elem> params;
    Elem result;
  };
  // kernel name(P: size, t: in[P]) -> out[P] (or two of them)
  struct HelperInfo {
    std::string name;
    Elem input;
    std::vector<Elem> outputs;
    bool needs_positive; // where P >= 1
  };

  // programs.cpp
  Text make_constant();
  Text make_function();
  Text make_helper();
  Text make_kernel(const std::string &name, bool with_where);
  Text kernel_body(Context &context, const std::vector<Type> &outputs);
  Elem any_elem();
  Text type_text(const Type &type);

  // indices.cpp
  Index index(const Context &context, int depth);
  Index index_with_name(const Context &context, int depth);
  Pred predicate(const Context &context, int depth);
  Index extent(const Context &context, bool large);
  // An index that is in [0, extent) wherever the context can be; null if none was found.
  Index index_inside(const Context &context, const Index &extent);

  // scalars.cpp
  Text scalar(Elem elem, const Context &context, int depth);
  Text literal(Elem elem, bool needs_suffix);
  Text scalar_leaf(Elem elem, const Context &context);
  Text access(Elem elem, const Context &context);
  Text read(const TensorInScope &tensor, const Context &context);
  Text boolean(const Context &context, int depth);
  Text arithmetic(Elem elem, const Context &context, int depth);
  Text function_of_one(Elem elem, const Context &context, int depth);
  Text conversion(Elem elem, const Context &context, int depth);
  Text selection(Elem elem, const Context &context, int depth);
  Text scalar_reduction(Elem elem, const Context &context, int depth);
  Text scalar_guard(Elem elem, const Context &context, int depth);
  Text scalar_let(Elem elem, const Context &context, int depth);
  Text function_call(const FunctionInfo &function, const Context &context, int depth);

  // tensors.cpp
  Text tensor(Elem elem, const Shape &shape, const Context &context, int depth);
  Text generate(Elem elem, const Shape &shape, const Context &context, int depth);
  Text reduction(Elem elem, const Shape &shape, const Context &context, int depth);
  Text guarded(Elem elem, const Shape &shape, const Context &context, int depth);
  Text with_let(Elem elem, const Shape &shape, const Context &context, int depth);
  Text concatenation(Elem elem, const Shape &shape, const Context &context, int depth);
  Text helper_call(const HelperInfo &helper, const Shape &shape, const Context &context, int depth);
  // `let ... ;` in front of `body`, made in the context with the new name.
  Text let_binding(const Context &context, int depth, Context &inner);

  // reshapes.cpp
  Text reshape(Elem elem, const Shape &shape, const Context &context, int depth);
  Text overlapped(Elem elem, const Shape &shape, const Context &context, int depth);
  Text flattened(Elem elem, const Shape &shape, const Context &context, int depth);
  Text tiled(Elem elem, const Shape &shape, const Context &context, int depth);
  Text truncated(Elem elem, const Shape &shape, const Context &context, int depth);
  Text padded_right(Elem elem, const Shape &shape, const Index &more, const Context &context, int depth);
  Text padded_left(Elem elem, const Shape &shape, const Index &more, const Context &context, int depth);

  // What is in scope of that type, whole or a part.
  std::vector<Text> views(const Type &type, const Context &context);

  Random &random_;
  std::vector<std::pair<std::string, std::int64_t>> constants_;
  std::vector<FunctionInfo> functions_;
  std::vector<HelperInfo> helpers_;
};

} // namespace atl::fuzz
