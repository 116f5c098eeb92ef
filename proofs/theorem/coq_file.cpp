#include "proofs/theorem/coq_file.h"

#include "atl/syntax/path.h"
#include "lowering/copies/versions.h"
#include "lowering/nest/ranges.h"
#include "lowering/nest/walk.h"
#include "proofs/theorem/coq_names.h"
#include "proofs/theorem/coq_program.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace atl::proofs::coq {

namespace {

using lowering::Block;

// The buffers that are filled before they are stored to, and with what.
void collect_fillings(const Block &block, Fillings &into) {
  lowering::for_each<lowering::Store>(block, [&](const lowering::Store &store) {
    if (store.initializes)
      into[store.buffer] = store.value;
  });
}

// The buffers that have no addresses, in quotes: those in memories, but for memories made of rows.
std::vector<std::string> registers(const Block &block, const Hardware *hardware) {
  std::vector<std::string> all;
  lowering::for_each<lowering::Alloc>(block, [&](const lowering::Alloc &alloc) {
    if (!alloc.buffer.memory.empty() && !hardware->find_memory(alloc.buffer.memory)->rows)
      all.push_back(quoted(alloc.buffer.name));
  });
  return all;
}

std::string integers(const Shape &shape) {
  std::vector<std::string> all;
  for (const Index &extent : shape)
    all.push_back(integer(extent));
  return fmt::format("[{}]", fmt::join(all, "; "));
}

std::string buffers(const std::vector<lowering::Buffer> &list) {
  std::vector<std::string> all;
  for (const lowering::Buffer &b : list)
    all.push_back(fmt::format("({}, Some {})", quoted(b.name), integers(b.dims)));
  return fmt::format("[{}]", fmt::join(all, "; "));
}

// Of each buffer, by its name in the theorem.
std::vector<std::string> cell_bytes(const lowering::LoopKernel &kernel, const Block &body) {
  std::map<std::string, std::size_t> bytes;
  for (const auto *list : {&kernel.inputs, &kernel.outputs})
    for (const lowering::Buffer &b : *list)
      bytes[b.name] = byte_size(b.elem);
  lowering::for_each<lowering::Alloc>(
      body, [&](const lowering::Alloc &alloc) { bytes[alloc.buffer.name] = byte_size(alloc.buffer.elem); });
  std::vector<std::string> all;
  for (const auto &[name, count] : bytes)
    all.push_back(fmt::format("({}, {})", quoted(name), count));
  return all;
}

std::vector<std::string> buffer_names(const lowering::LoopKernel &kernel) {
  std::vector<std::string> all;
  for (const auto *list : {&kernel.inputs, &kernel.outputs})
    for (const lowering::Buffer &b : *list)
      all.push_back(b.name);
  return all;
}

// One of the programs that the loop nest chooses among: where it is chosen, with what its lemmas are called.
struct Part {
  Pred when;
  std::string suffix; // of names
  TypedKernel form;
  equality::Prophecies prophecies;
  std::vector<equality::Renumbered> renumbered;
  Fillings unwritten;                  // what cells of its tensors start with
  Definitions program;                 // `form`
  std::vector<std::string> hypotheses; // that say where it is chosen
};

// The temporaries of a version have names of their own in the loop nest (lowering/copies/versions.h).
void rename_temporaries(Part &part, const std::string &suffix) {
  std::vector<std::string> names;
  for (const Binding &let : part.form.lets)
    names.push_back(let.name);
  for_each_node(part.form, [&](const Path &, const ExprPtr &e) {
    if (const Let *let = std::get_if<Let>(&e->node))
      names.push_back(let->names[0]);
  });
  for (const std::string &name : names) {
    rename_let(part.form, name, name + suffix);
    for (equality::Renumbered &r : part.renumbered)
      if (r.tensor == name)
        r.tensor = name + suffix;
    if (auto prophecy = part.prophecies.extract(name))
      part.prophecies[name + suffix] = std::move(prophecy.mapped());
    if (auto start = part.unwritten.extract(name))
      part.unwritten[name + suffix] = std::move(start.mapped());
  }
}

// By name, those that are more than a scalar: what an inner let binds.
void collect_tensors(const ExprPtr &e, std::map<std::string, ExprPtr> &into) {
  if (const Let *let = std::get_if<Let>(&e->node); let && !is_scalar_form(*let->bound))
    into[let->names[0]] = let->bound;
  for (const ExprPtr &child : children(*e))
    collect_tensors(child, into);
}

std::map<std::string, ExprPtr> inner_tensors(const TypedKernel &kernel) {
  std::map<std::string, ExprPtr> result;
  for (const Binding &let : kernel.lets)
    collect_tensors(let.value, result);
  for (const ExprPtr &value : kernel.results)
    collect_tensors(value, result);
  return result;
}

// What the schedule left where it was inside an expression holds the tensor of its own name.
void foretell_inner(const TypedKernel &algorithm, const TypedKernel &scheduled,
                    equality::Prophecies &prophecies) {
  std::map<std::string, ExprPtr> then = inner_tensors(algorithm);
  for (const auto &[name, bound] : inner_tensors(scheduled)) {
    auto found = then.find(name);
    std::size_t rank = bound->type->shape.size();
    if (found != then.end() && found->second->type->shape.size() == rank)
      prophecies.try_emplace(name, equality::itself(name, rank));
  }
}

// Of the algorithm, and those that a schedule has brought in.
std::vector<Operation> operations_in(const Subject &subject) {
  std::vector<const TypedKernel *> kernels{&subject.algorithm};
  for (const Version &version : subject.versions)
    kernels.push_back(&version.scheduled);
  return operations(kernels);
}

class File {
public:
  explicit File(const Subject &subject)
      : s_(subject), operations_(operations_in(s_)),
        algorithm_(definitions("alg", s_.algorithm, filled_with_unwritten)),
        body_(under_first_names(s_.loops.body, buffer_names(s_.loops))) {
    std::size_t count = s_.versions.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Version &version = s_.versions[i];
      Part part{version.when,
                count > 1 ? fmt::format("_{}", i + 1) : "",
                version.normal,
                version.prophecies,
                version.renumbered,
                unwritten_of(version.scheduled),
                {},
                {}};
      foretell_inner(s_.algorithm, version.scheduled, part.prophecies);
      if (i > 0)
        rename_temporaries(part, lowering::suffix_of_version(i));
      Fillings fillings;
      collect_fillings(count > 1 ? Block{body_.at(i)} : body_, fillings);
      part.program = definitions("sched" + part.suffix, part.form, filled_by(std::move(fillings)));
      for (std::size_t before = 0; before < i; ++before)
        part.hypotheses.push_back(fmt::format("not_{}", before + 1));
      if (i + 1 < count)
        part.hypotheses.push_back("chosen");
      parts_.push_back(std::move(part));
    }
  }

  std::string text() const {
    std::string text = header() + data() + sizes();
    for (const Part &part : parts_)
      text += section(part);
    return text + theorem();
  }

private:
  std::string header() const {
    return fmt::format(
        "(** {}: for all sizes and all inputs the loop nest computes, without an access out of bounds,\n"
        "    what the algorithm denotes. Compile it with coqc against the library in proofs/coq. *)\n\n"
        "From ATL Require Import Exported.\n\n",
        s_.name);
  }

  std::string data() const {
    std::string text = fmt::format(
        "(** ** The algorithm, as it is written *)\n\n{}"
        "(** ** The program that is lowered: what the schedule made of it, with its accumulators *)\n\n",
        algorithm_.text);
    for (const Part &part : parts_) {
      if (has_condition(part))
        text += fmt::format("Definition when{} : prd := {}.\n\n", part.suffix, term(part.when));
      text += part.program.text;
      text += fmt::format("(** What its temporaries hold. *)\n"
                          "Definition prophecies{} : list (string * option prophecy) := {}.\n\n",
                          part.suffix, term(part.prophecies, part.unwritten));
      if (!part.renumbered.empty())
        text += fmt::format("(** How the terms of its reductions correspond to those of the algorithm. *)\n"
                            "Definition renumberings{} : list (string * list renumbering) := {}.\n\n",
                            part.suffix, term(part.renumbered, operations_));
    }
    text += fmt::format("(** What is kept in registers, and filled in vectors. *)\n"
                        "Definition registers : list string := [{}].\n\n",
                        fmt::join(registers(body_, s_.loops.hardware.get()), "; "));
    return text + "(** ** The loop nest that is printed as C *)\n\n" + nest() + addresses();
  }

  // A definition for each version that the loop nest chooses among.
  std::string nest() const {
    if (parts_.size() == 1)
      return fmt::format("Definition nest : stmt :=\n  {}.\n\n", term(body_, 2));
    std::string text;
    std::vector<std::string> choices;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const auto &choice = std::get<lowering::If>(body_.at(i).node);
      text += fmt::format("Definition nest{} : stmt :=\n  {}.\n\n", parts_[i].suffix, term(choice.body, 2));
      choices.push_back(fmt::format("SIf {} nest{}", term(choice.pred), parts_[i].suffix));
    }
    return text + fmt::format("Definition nest : stmt :=\n  block [{}].\n\n", fmt::join(choices, ";\n    "));
  }

  std::string addresses() const {
    return fmt::format("(** How its C computes addresses: how many bytes a cell has, and which indices are\n"
                       "    computed before they are added to rows. *)\n"
                       "Definition addresses : addressing :=\n  Addressing [{}]\n  {}.\n\n",
                       fmt::join(cell_bytes(s_.loops, body_), "; "), terms(s_.loops.apart));
  }

  bool has_condition(const Part &part) const { return &part != &parts_.back(); }

  // The hypotheses hold for some sizes, or the theorem would speak of nothing.
  std::string satisfied(const std::vector<std::string> &given) const {
    std::vector<std::string> names, values;
    for (const std::string &size : s_.algorithm.size_names()) {
      names.push_back(size_name(size));
      values.push_back(fmt::format("({})", s_.example.at(size)));
    }
    const bool some = !names.empty();
    return fmt::format("(** Some sizes satisfy what is given of them below. *)\n"
                       "Lemma satisfied : {}{}.\nProof. {}by_computation. Qed.\n\n",
                       some ? fmt::format("exists {} : Z,\n  ", fmt::join(names, " ")) : "",
                       given.empty() ? "True" : fmt::format("({})", fmt::join(given, ") /\\\n  (")),
                       some ? fmt::format("exists {}. ", fmt::join(values, ", ")) : "");
  }

  std::string sizes() const {
    std::string text;
    std::vector<std::string> names, bindings;
    for (const std::string &size : s_.algorithm.size_names()) {
      names.push_back(size_name(size));
      bindings.push_back(fmt::format("({}, {})", quoted(size), size_name(size)));
    }
    if (!names.empty())
      text += fmt::format("  Variables {} : Z.\n", fmt::join(names, " "));
    std::vector<std::string> given;
    for (const Pred &assumption : s_.loops.assumptions) {
      given.push_back(proposition(assumption));
      text += fmt::format("  Hypothesis given{} : {}.\n", given.size(), given.back());
    }
    text = "(** ** Sizes and buffers *)\n\n" + satisfied(given) + "Section Sizes.\n" + text;
    text += fmt::format("\n  Definition sizes : env := [{}].\n  Definition inputs : dims := {}.\n"
                        "  Definition outputs : dims := {}.\n\n",
                        fmt::join(bindings, "; "), buffers(s_.loops.inputs), buffers(s_.loops.outputs));
    text += fmt::format("  (** What is given of each size alone. *)\n"
                        "  Definition ranges : intervals := [{}].\n\n",
                        fmt::join(ranges(), "; "));
    if (!s_.obligations.empty())
      text += "  (** ** Obligations, under the names they have everywhere *)\n\n" +
              obligation_lemmas(s_.obligations, given);
    return text + "  (** ** The theorem *)\n\n"
                  "  Lemma widths {S : Scalars} : fits_64_bits addresses sizes nest.\n"
                  "  Proof. in_64_bits sizes ranges. Qed.\n\n";
  }

  std::vector<std::string> ranges() const {
    std::vector<std::string> all;
    for (const auto &[size, range] : lowering::size_ranges(s_.algorithm.size_names(), s_.loops.assumptions))
      all.push_back(fmt::format("({}, Some ({}, {}))", quoted(size), range.lo, range.hi));
    return all;
  }

  // The lemmas about one program, under the hypotheses that say that it is chosen.
  std::string section(const Part &part) const {
    std::string text;
    if (parts_.size() > 1) {
      text += fmt::format("  Section Version{}.\n", part.suffix);
      for (const std::string &name : part.hypotheses)
        text += name == "chosen"
                    ? fmt::format("  Hypothesis chosen : be sizes when{} = true.\n", part.suffix)
                    : fmt::format("  Hypothesis {} : be sizes when{} = false.\n", name, name.substr(3));
      text += "\n";
    }
    text += lemmas(part) + equality(part) + conclusion(part);
    return parts_.size() > 1 ? text + fmt::format("  End Version{}.\n\n", part.suffix) : text;
  }

  using Steps = std::vector<std::string>; // of a proof

  // Makes what is known of the choice arithmetic.
  Steps known(const Part &part) const {
    if (part.hypotheses.empty())
      return {};
    std::vector<std::string> conditions;
    for (const Part &other : parts_)
      if (has_condition(other))
        conditions.push_back("when" + other.suffix);
    return {"hidden",   "choice_known", fmt::format("cbv [{} sizes]", fmt::join(conditions, " ")),
            "computed", "intros",       "shown"};
  }

  std::string lemmas(const Part &part) const {
    std::string begin;
    for (const std::string &step : known(part))
      begin += step + ". ";
    return fmt::format("  Lemma in_bounds{0} : ok_program inputs outputs sizes sched{0}.\n"
                       "  Proof. {1}cbv [{2} inputs outputs sizes]. obligations. Qed.\n\n"
                       "  Lemma loops{0} {{S : Scalars}} : forall junk order, reorders order ->\n"
                       "    refines junk order [(sizes, lower_program registers sched{0})] [(sizes, nest)].\n"
                       "  Proof.\n"
                       "    intros junk order Hord.\n"
                       "    {1}cbv [{3}sizes]. {4}refine_program.\n"
                       "  Qed.\n\n",
                       part.suffix, begin, fmt::join(part.program.names, " "),
                       parts_.size() > 1 ? "nest block fold_right " : "",
                       parts_.size() > 1 ? "refine_chosen. " : "");
  }

  std::string tensors() const {
    std::vector<std::string> pairs;
    for (const lowering::Buffer &input : s_.loops.inputs)
      pairs.push_back(fmt::format("({}, {})", quoted(input.name), tensor_name(input.name)));
    return fmt::format("[{}]", fmt::join(pairs, "; "));
  }

  // Each output is the same tensor in both programs.
  std::string equality(const Part &part) const {
    std::string text;
    for (std::size_t i = 0; i < s_.loops.outputs.size(); ++i) {
      const lowering::Buffer &output = s_.loops.outputs[i];
      std::vector<std::string> cell, ranges;
      bool rounds_up = false; // which arithmetic knows as a quotient
      for (const Index &extent : output.dims) {
        cell.push_back(fmt::format("x{}", cell.size()));
        ranges.push_back(fmt::format("0 <= {} < {} -> ", cell.back(), integer(extent)));
        rounds_up = rounds_up || ranges.back().find("cdiv") != std::string::npos;
      }
      std::string quantified;
      for (const lowering::Buffer &input : s_.loops.inputs)
        quantified += " " + tensor_name(input.name);
      for (const std::string &x : cell)
        quantified += " " + x;
      std::string where =
          fmt::format("sizes {} {} [{}]", tensors(), quoted(output.name), fmt::join(cell, "; "));
      Steps steps = known(part);
      steps.push_back("intros");
      if (rounds_up)
        steps.push_back("cbv [cdiv] in *");
      steps.push_back(fmt::format("cbv [sched{} alg sizes]", part.suffix));
      add_named_tensors(part, steps);
      steps.push_back("denotes_same");
      text += fmt::format("  Lemma output{0}_{1} {{S : Scalars}}{5} :{2} {3}\n"
                          "    result sched{0} {4} = result alg {4}.\n"
                          "  Proof.\n    {6}.\n  Qed.\n\n",
                          part.suffix, i + 1, quantified.empty() ? "" : " forall" + quantified + ",",
                          fmt::join(ranges, ""), where, laws(part.renumbered),
                          &part == &parts_.front()
                              ? fmt::format("{}", fmt::join(steps, ".\n    "))
                              : fmt::format("rejected_last ltac:({})", fmt::join(steps, ";\n      ")));
    }
    return text;
  }

  // The algorithm's tensors get names; what the temporaries of the program hold is said in terms of them.
  void add_named_tensors(const Part &part, Steps &steps) const {
    for (const Binding &let : s_.algorithm.lets)
      steps.push_back(fmt::format("bind_right {0} {0}_is", tensor_name(let.name)));
    steps.push_back(fmt::format("foretold_with prophecies{}", part.suffix));
    if (!part.renumbered.empty())
      steps.push_back(fmt::format("renumbered_with renumberings{}", part.suffix));
  }

  // The laws of the scalars that the schedule used, as hypotheses of the theorem.
  std::string laws(const std::vector<equality::Renumbered> &renumbered) const {
    std::string text;
    int count = 0;
    auto law = [&](const std::string &says) { text += fmt::format(" (law_{} : {})", ++count, says); };
    auto some = [&](Reduction reduction, auto holds) {
      return std::any_of(renumbered.begin(), renumbered.end(),
                         [&](const equality::Renumbered &r) { return r.reduction == reduction && holds(r); });
    };
    auto is_single = [](const auto &r) { return r.now.empty() || r.before.empty(); };
    for (const Operation &operation : operations_) {
      auto uses = [&](auto holds) { return some(operation.reduction, holds); };
      auto is_of_sums = [&](equality::Law used) {
        return s_.used.contains(used) && operation.reduction == Reduction::sum;
      };
      const bool multiplied = is_of_sums(equality::Law::distributivity);
      const bool started = is_of_sums(equality::Law::start) && !operation.is_float;
      if (multiplied)
        law("distributes " + operation.product + " " + operation.name);
      if (started || uses([](const auto &r) { return !r.in_order; }))
        law("commutes " + operation.name);
      if (started || uses([](const auto &r) { return r.partial; }))
        law("associates " + operation.name);
      if (started || uses([](const auto &r) { return r.partial || r.zeros; }))
        law("has_unit " + operation.name + " " + operation.unit);
      if (uses(is_single) || (started && is_of_sums(equality::Law::neutral)))
        law("has_left_unit " + operation.name + " " + operation.unit);
      if (multiplied || uses([](const auto &r) { return r.zeros; }))
        law("absorbs " + operation.product + " " + operation.unit);
    }
    return text;
  }

  static std::string tensor_name(const std::string &name) { return "t_" + identifier(name); }

  std::string conclusion(const Part &part) const {
    std::string outputs;
    for (std::size_t i = 0; i < s_.loops.outputs.size(); ++i)
      outputs += fmt::format("      + now apply output{}_{}.\n", part.suffix, i + 1);
    return fmt::format(
        "  Theorem correct{0} {{S : Scalars}}{2} : compiled addresses sizes inputs outputs alg nest.\n"
        "  Proof.\n"
        "    apply (compile_correct registers) with sched{0}.\n"
        "    - vm_compute. reflexivity.\n"
        "    - exact in_bounds{0}.\n"
        "    - exact loops{0}.\n"
        "    - exact widths.\n"
        "    - intros memory. unfold outputs. outputs_equal.\n{1}"
        "  Qed.\n",
        part.suffix, outputs, laws(part.renumbered));
  }

  std::string theorem() const {
    if (parts_.size() == 1)
      return "End Sizes.\n\nPrint Assumptions correct.\n";
    std::vector<equality::Renumbered> all;
    for (const Part &part : parts_)
      all.insert(all.end(), part.renumbered.begin(), part.renumbered.end());
    std::string text = fmt::format(
        "  Theorem correct {{S : Scalars}}{} : compiled addresses sizes inputs outputs alg nest.\n  Proof.\n",
        laws(all));
    for (std::size_t i = 0; i + 1 < parts_.size(); ++i)
      text += fmt::format("    destruct (be sizes when_{0}) eqn:is_{0}; [now apply correct_{0} |].\n", i + 1);
    return text + fmt::format("    now apply correct_{}.\n  Qed.\nEnd Sizes.\n\nPrint Assumptions correct.\n",
                              parts_.size());
  }

  const Subject &s_;
  std::vector<Operation> operations_;
  Definitions algorithm_;
  Block body_; // the loop nest
  std::vector<Part> parts_;
};

} // namespace

std::variant<std::string, Unsupported> file(const Subject &subject) {
  try {
    return File(subject).text();
  } catch (const Unsupported &problem) {
    return problem;
  }
}

} // namespace atl::proofs::coq
