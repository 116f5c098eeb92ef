#include "cbackend/function/emit_kernel.h"

#include "atl/base/check.h"
#include "cbackend/function/emit_blocks.h"
#include "cbackend/function/emit_lanes.h"
#include "cbackend/function/emit_prefetch.h"
#include "cbackend/function/entry_checks.h"
#include "cbackend/function/workspace.h"
#include "cbackend/term/c_scalar.h"
#include "cbackend/term/writer.h"
#include "lowering/nest/ranges.h"
#include "lowering/nest/uses.h"
#include "lowering/nest/versions.h"
#include "lowering/nest/walk.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <span>

namespace atl::cbackend {

using namespace lowering;

namespace {

// Of a call with the parameters of the kernel.
std::string arguments(const CKernel &kernel) {
  std::string all;
  for (const CParam &param : kernel.params)
    all += (all.empty() ? "" : ", ") + param.c_name;
  return all;
}

// Whose iterations the surrounding code runs at the same time: OpenMP forbids most constructs within others.
struct Around {
  bool threads = false, vectors = false;
};

class KernelEmitter {
public:
  // `mapped`: loops run as the instructions they are mapped to. Of a part of a kernel, `when` is known.
  KernelEmitter(const CKernel &kernel, const ErrorCodes &codes, Prelude &prelude, bool mapped)
      : kernel_(kernel), codes_(codes), prelude_(prelude), mapped_(mapped),
        sizes_(size_ranges(size_names(kernel), kernel.kernel->assumptions)) {}

  // Its arguments are checked again in the part that runs: that is cheap, tells the C compiler what is known
  // of the sizes there, and memory is allocated only for that part.
  std::string choose(const CVersion &version, const std::vector<Pred> &conditions) {
    NameScope names = kernel_.names;
    Scope scope = root_scope();
    const std::string head = prototype(kernel_, "restrict") + " {\n";
    out_.deeper();
    emit_size_checks(*kernel_.kernel, scope, names, codes_, prelude_, out_);
    for (const Pred &assumption : kernel_.kernel->assumptions)
      scope.known.assume(assumption);
    for (std::size_t i = 0; i < conditions.size(); ++i) {
      const std::string call = fmt::format("return {}({});", version.parts[i], arguments(kernel_));
      if (i + 1 == conditions.size()) {
        out_.line(call);
      } else {
        out_.line(fmt::format("if ({})", c_pred(conditions[i], scope, prelude_).text));
        out_.indented(call);
      }
    }
    out_.close();
    return head + out_.text();
  }

  std::string emit(const Pred &when = truth(true)) {
    NameScope names = kernel_.names;
    workspace_ = plan_workspace(kernel_.kernel->body, names, mapped_, can_share_memory(*kernel_.kernel));
    Scope scope = root_scope();
    const std::string head = prototype(kernel_, "restrict") + " {\n"; // with its own line breaks
    out_.deeper();
    ignore_unused_parameters();
    emit_entry_checks(*kernel_.kernel, workspace_, scope, names, codes_, prelude_, out_);
    for (const Pred &assumption : kernel_.kernel->assumptions)
      scope.known.assume(assumption);
    scope.known.assume(when);
    if (mapped_ && !kernel_.kernel->hardware->begin.empty())
      out_.line(kernel_.kernel->hardware->begin);
    block(kernel_.kernel->body, scope, names, {});
    if (mapped_ && !kernel_.kernel->hardware->finish.empty())
      out_.line(kernel_.kernel->hardware->finish);
    emit_exit(workspace_, codes_, out_);
    out_.close();
    return head + out_.text();
  }

private:
  static std::vector<std::string> size_names(const CKernel &kernel) {
    std::vector<std::string> names;
    for (const CParam &p : kernel.params)
      if (p.kind == CParam::Kind::size)
        names.push_back(p.name);
    return names;
  }

  Scope root_scope() const {
    Scope scope;
    scope.sizes = sizes_;
    scope.apart = kernel_.kernel->apart;
    scope.subtracts = lowering::any_of<Store>(
        kernel_.kernel->body, [](const Store &store) { return subtracts_floats(store.value); });
    for (const CParam &p : kernel_.params)
      if (p.kind == CParam::Kind::size)
        scope.variables[p.name] = p.c_name;
      else
        scope.buffers[p.name] = {p.c_name, p.elem, p.dims, p.kind == CParam::Kind::scalar};
    return scope;
  }

  // A tensor without cells is not even checked for being null.
  void ignore_unused_parameters() {
    const Block &body = kernel_.kernel->body;
    for (const CParam &p : kernel_.params)
      if (p.kind != CParam::Kind::size && !reads(body, p.name) && count_stores(body, p.name) == 0)
        out_.line(fmt::format("(void){};", p.c_name));
  }

  // The statements of a C block; `names` holds what it declares.
  void block(std::span<const Stmt> body, const Scope &scope, NameScope &names, Around around) {
    if (mapped_ && !scope.prefetched.empty())
      emit_prefetches(body, scope, kernel_.kernel->hardware->prefetch, prelude_, out_);
    for (const Stmt &stmt : body)
      match(
          stmt, [&](const For &loop) { emit_loop(loop, scope, names, around); },
          [&](const If &branch) { emit_if(branch, scope, names, around); },
          [&](const Alloc &alloc) { emit_alloc(alloc, scope, names, around, &stmt == &body.back()); },
          [&](const Store &store) { emit_store(store, scope); });
  }

  void emit_loop(const For &loop, const Scope &scope, NameScope names, Around around) {
    if (mapped_ && loop.lanes)
      return emit_lanes(*loop.lanes, scope, std::move(names), prelude_, out_);
    if (mapped_ && loop.total)
      return emit_total(*loop.total, scope, names);
    if (mapped_ && loop.block) {
      if (loop.block->fence)
        out_.line(kernel_.kernel->hardware->finish);
      emit_settings(*loop.block, scope, prelude_, out_);
      block(loop.block->before, scope, names, around);
      emit_call(*loop.block, scope, prelude_, out_);
      if (loop.block->replaces)
        return;
    }
    Scope inner = scope;
    std::string var = names.claim(loop.var);
    inner.variables[loop.var] = var;
    inner.known.enter(loop.range());
    for (const Ahead &ahead : loop.prefetches)
      inner.prefetched.push_back({ahead.buffer, loop.var, ahead.iterations});
    emit_mode(loop, around);
    out_.open(fmt::format("for (int64_t {0} = {1}; {0} < {2}; ++{0}) {{", var,
                          c_index(loop.lo, scope, prelude_).text,
                          parenthesized(c_index(loop.hi, scope, prelude_), Binds::sum)));
    if (mapped_ && loop.block)
      block(loop.block->inside, inner, names, around);
    block(loop.body, inner, names, around);
    if (mapped_ && loop.block)
      block(loop.block->at_end, inner, names, around);
    if (mapped_ && loop.block && loop.block->fence_at_end)
      out_.line(kernel_.kernel->hardware->finish);
    out_.close();
  }

  void emit_total(const LaneTotal &total, const Scope &scope, NameScope &names) {
    Scope inner = scope;
    const Elem elem = total.scalar.elem;
    const std::string name = names.claim(total.scalar.name);
    inner.buffers[total.scalar.name] = {name, elem, {}, true};
    out_.open("{");
    out_.line(
        fmt::format("const {} {} = {};", info(elem).c_type, name, c_call(*total.call, scope, prelude_)));
    emit_store(total.store, inner);
    out_.close();
  }

  // Of nested parallel loops the outermost runs on threads, of nested vectorized ones the outermost in
  // vectors. As many threads as there are parts of temporaries.
  void emit_mode(const For &loop, Around &around) {
    if (loop.mode == LoopMode::parallel && !around.threads && !around.vectors) {
      around.threads = true;
      std::string pragma = "#pragma omp parallel for";
      if (shares_threads_with_inner(loop))
        pragma += " collapse(2)";
      if (!workspace_.threads.empty())
        pragma += fmt::format(" num_threads({})", workspace_.threads);
      out_.line("#ifdef _OPENMP");
      out_.line(pragma);
      out_.line("#endif");
    }
    if (loop.mode == LoopMode::vectorized && !around.vectors) {
      around.vectors = true;
      out_.line(prelude_.index_function("vectorize"));
    }
  }

  // Two parallel loops with nothing between them, whose iterations OpenMP can count together in 64 bits.
  bool shares_threads_with_inner(const For &loop) const {
    const For *inner = loop.body.size() == 1 ? std::get_if<For>(&loop.body[0].node) : nullptr;
    return inner && inner->mode == LoopMode::parallel && !mentions(inner->lo, loop.var) &&
           !mentions(inner->hi, loop.var) &&
           interval_of(mul(sub(loop.hi, loop.lo), sub(inner->hi, inner->lo)), sizes_);
  }

  void emit_if(const If &branch, const Scope &scope, NameScope names, Around around) {
    Scope inner = scope;
    inner.known.assume(branch.pred);
    out_.open(fmt::format("if ({}) {{", c_pred(branch.pred, scope, prelude_).text));
    block(branch.body, inner, names, around);
    out_.close();
  }

  // The rest of the C block is the temporary's life, unless something follows: then it has its own braces, so
  // that what is on the stack can share its place as well.
  void emit_alloc(const Alloc &alloc, const Scope &scope, NameScope &names, Around around, bool is_last) {
    if (is_last || alloc.storage == Alloc::Storage::heap)
      return emit_alloc_here(alloc, scope, names, around);
    NameScope own = names;
    out_.open("{");
    emit_alloc_here(alloc, scope, own, around);
    out_.close();
  }

  void emit_registers(const Alloc &alloc, const Scope &scope, NameScope &names, Around around) {
    const Buffer &buffer = alloc.buffer;
    const Memory *memory = kernel_.kernel->hardware->find_memory(buffer.memory);
    Scope inner = scope;
    CBuffer &registers = inner.buffers[buffer.name] = {"", buffer.elem, buffer.dims, false, {}};
    std::vector<std::int64_t> extents, at(buffer.dims.size() - 1, 0);
    for (std::size_t d = 0; d < at.size(); ++d)
      extents.push_back(as_constant(buffer.dims[d]).value());
    name_registers(buffer.name, extents, {}, names, registers);
    std::string all;
    for (const auto &[place, name] : registers.registers)
      all += (all.empty() ? "" : ", ") + name;
    if (!all.empty())
      out_.line(fmt::format("{} {};", memory->c_types.at(buffer.elem), all));
    block(alloc.body, inner, names, around);
  }

  static void name_registers(const std::string &name, const std::vector<std::int64_t> &extents,
                             std::vector<std::int64_t> at, NameScope &names, CBuffer &into) {
    if (at.size() == extents.size()) {
      into.registers[at] = names.claim(name);
      return;
    }
    std::size_t d = at.size();
    at.push_back(0);
    for (; at[d] < extents[d]; ++at[d])
      name_registers(fmt::format("{}_{}", name, at[d]), extents, at, names, into);
  }

  void emit_alloc_here(const Alloc &alloc, const Scope &scope, NameScope &names, Around around) {
    if (mapped_ && !alloc.buffer.memory.empty() && kernel_.kernel->hardware->has_rows())
      return block(alloc.body, scope, names, around); // its addresses are in the instructions
    if (mapped_ && !alloc.buffer.memory.empty())
      return emit_registers(alloc, scope, names, around);
    bool is_variable = alloc.storage == Alloc::Storage::scalar;
    bool is_heap = alloc.storage == Alloc::Storage::heap;
    const Buffer &buffer = alloc.buffer;
    std::string name = is_heap ? temporary(alloc).c_name : names.claim(buffer.name);
    Scope inner = scope;
    inner.buffers[buffer.name] = {name, buffer.elem, buffer.dims, is_variable};
    std::span<const Stmt> rest = alloc.body; // not a copy: the workspace knows its addresses
    if (is_variable && declare_with_first_store(alloc, name, scope))
      rest = rest.subspan(1);
    else if (is_variable)
      out_.line(fmt::format("{} {};", info(buffer.elem).c_type, name));
    else if (is_heap)
      declare_in_workspace(alloc);
    else
      out_.line(fmt::format("{} {}[{}];", info(buffer.elem).c_type, name, stack_elements(alloc)));
    if (!is_heap && !reads(alloc.body, buffer.name))
      out_.line(fmt::format("(void){};", name));
    block(rest, inner, names, around);
  }

  const HeapTemporary &temporary(const Alloc &alloc) const {
    Workspace::Place place = workspace_.places.at(&alloc);
    return workspace_.pieces[place.piece].temporaries[place.temporary];
  }

  // A plain one is declared at entry. Where several share a piece, their pointers are no `restrict` ones: the
  // piece's is.
  void declare_in_workspace(const Alloc &alloc) {
    const HeapPiece &piece = workspace_.pieces[workspace_.places.at(&alloc).piece];
    if (piece.is_plain())
      return;
    std::string start = piece.c_name;
    if (piece.per_thread)
      start = fmt::format("{0}({1}, {1}_bytes, {2})", prelude_.index_function("part"), piece.c_name,
                          workspace_.threads);
    const std::string &name = temporary(alloc).c_name;
    out_.line(fmt::format("{} *{}{} = {};", info(alloc.buffer.elem).c_type,
                          piece.temporaries.size() == 1 ? "restrict " : "", name, start));
    if (!reads(alloc.body, alloc.buffer.name) && count_stores(alloc.body, alloc.buffer.name) == 0)
      out_.line(fmt::format("(void){};", name));
  }

  // `float acc = 0.0f;` for a variable whose first statement sets it; const if nothing else does.
  bool declare_with_first_store(const Alloc &alloc, const std::string &name, const Scope &scope) {
    const Store *first = alloc.body.empty() ? nullptr : std::get_if<Store>(&alloc.body.front().node);
    if (!first || first->buffer != alloc.buffer.name || first->combine)
      return false;
    bool only = count_stores(alloc.body, alloc.buffer.name) == 1;
    out_.line(fmt::format("{}{} {} = {};", only ? "const " : "", info(alloc.buffer.elem).c_type, name,
                          c_stored(first->value, scope, prelude_).text));
    return true;
  }

  static std::int64_t stack_elements(const Alloc &alloc) {
    std::int64_t elements = 1;
    for (const Index &d : alloc.capacity) {
      auto extent = evaluate(d, {});
      ATL_CHECK(extent.has_value(), "a stack buffer needs a constant size: " + alloc.buffer.name);
      elements *= std::max<std::int64_t>(*extent, 0);
    }
    return std::max<std::int64_t>(elements, 1);
  }

  void emit_store(const Store &store, const Scope &scope) {
    std::string target = c_element(store.buffer, store.indices, scope, prelude_);
    CText value = c_stored(store.value, scope, prelude_);
    if (!store.combine) {
      out_.line(fmt::format("{} = {};", target, value.text));
      return;
    }
    Elem elem = scope.buffers.at(store.buffer).elem;
    const ScalarOp &op = combiner(*store.combine);
    if (is_float(elem) && (*store.combine == Reduction::sum || *store.combine == Reduction::prod)) {
      out_.line(fmt::format("{} {}= {};", target, op.name, value.text));
      return;
    }
    CText combined = c_op(op, elem, {{target, Binds::postfix}, value}, prelude_);
    out_.line(fmt::format("{} = {};", target, combined.text));
  }

  const CKernel &kernel_;
  const ErrorCodes &codes_;
  Prelude &prelude_;
  bool mapped_;
  Writer out_;
  Intervals sizes_;
  Workspace workspace_;
};

} // namespace

namespace {

// The functions of a version; `target` stands before those with its loops. With one function for each part,
// the C compiler gives registers to one loop nest at a time, and little is done before it.
std::string functions(CKernel kernel, const CVersion &version, const ErrorCodes &codes, Prelude &prelude,
                      const std::string &target, bool mapped) {
  const std::string internal = kernel.mapped.empty() ? "" : "static ";
  kernel.kernel = version.kernel;
  kernel.c_name = version.c_name;
  const std::vector<Pred> conditions = lowering::conditions_in_order(version.kernel->body);
  if (conditions.empty())
    return target + internal + KernelEmitter(kernel, codes, prelude, mapped).emit();
  std::string text;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const If &branch = std::get<If>(version.kernel->body[i].node);
    LoopKernel part = *version.kernel;
    part.body = branch.body;
    CKernel described = kernel;
    described.kernel = &part;
    described.c_name = version.parts[i];
    text += fmt::format("{}static {} {}\n", target, prelude.index_function("apart"),
                        KernelEmitter(described, codes, prelude, mapped).emit(branch.pred));
  }
  return text + internal + KernelEmitter(kernel, codes, prelude, mapped).choose(version, conditions);
}

// Where the function of instructions is compiled. Temporaries begin where a cache line does if C has
// aligned_alloc.
std::string is_compiled(const LoopKernel &kernel) {
  return kernel.aligns_temporaries
             ? fmt::format("({}) && __STDC_VERSION__ >= 201112L", kernel.hardware->available)
             : kernel.hardware->available;
}

// What must hold when the kernel is called: features of the CPU, and where tensors of the caller begin.
std::string can_run(const CKernel &kernel, const LoopKernel &version) {
  std::vector<std::string> all;
  for (const std::string &feature : version.hardware->features)
    all.push_back(fmt::format("ATL_CPU_HAS(\"{}\")", feature));
  for (const CParam &param : kernel.params)
    if (auto found = version.aligned.find(param.name); found != version.aligned.end())
      all.push_back(fmt::format("(uintptr_t){} % {} == 0", param.c_name, found->second));
  return fmt::format("{}", fmt::join(all, " && "));
}

std::string mapped_variant(const CKernel &kernel, const CVersion &version, const ErrorCodes &codes,
                           Prelude &prelude) {
  const Hardware &hardware = *version.kernel->hardware;
  std::string target = hardware.features.empty() ? ""
                                                 : fmt::format("__attribute__((target(\"{}\")))\n",
                                                               fmt::join(hardware.features, ","));
  return fmt::format("#if {}\n{}#endif\n\n", is_compiled(*version.kernel),
                     functions(kernel, version, codes, prelude, target, true));
}

// The function of the library. Without anything to ask for, the C compiler chooses.
std::string dispatcher(const CKernel &kernel) {
  std::string body, behind;
  std::string loops = fmt::format("  return {}({});\n", kernel.portable.c_name, arguments(kernel));
  for (const CVersion &version : kernel.mapped) {
    const std::string condition = can_run(kernel, *version.kernel);
    body += fmt::format("#if {}\n", is_compiled(*version.kernel));
    if (condition.empty()) {
      body += fmt::format("  (void){};\n  return {}({});\n#else\n", kernel.portable.c_name, version.c_name,
                          arguments(kernel));
      behind += "#endif\n";
    } else {
      body += fmt::format("  if ({})\n    return {}({});\n#endif\n", condition, version.c_name,
                          arguments(kernel));
    }
  }
  return fmt::format("{} {{\n{}{}{}}}\n", prototype(kernel, "restrict"), body, loops, behind);
}

} // namespace

std::string emit_kernel(const CKernel &kernel, const ErrorCodes &codes, Prelude &prelude) {
  std::string text = functions(kernel, kernel.portable, codes, prelude, "", false);
  if (kernel.mapped.empty())
    return text;
  text += "\n";
  for (const CVersion &version : kernel.mapped)
    text += mapped_variant(kernel, version, codes, prelude);
  return text + dispatcher(kernel);
}

} // namespace atl::cbackend
