#include "proofs/theorem/coq_program.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>

namespace atl::proofs::coq {

namespace {

void collect_unwritten(const ExprPtr &e, Fillings &into) {
  if (const Let *let = std::get_if<Let>(&e->node))
    into[let->names[0]] = equality::unwritten_value(let->bound);
  for (const ExprPtr &child : children(*e))
    collect_unwritten(child, into);
}

std::string names(const std::vector<std::string> &list) {
  std::vector<std::string> all;
  for (const std::string &name : list)
    all.push_back(quoted(name));
  return fmt::format("[{}]", fmt::join(all, "; "));
}

std::string values(const std::vector<std::string> &list, const Subst &by) {
  std::vector<Index> all;
  for (const std::string &name : list)
    all.push_back(by.at(name));
  return terms(all);
}

class Definer {
public:
  Definer(std::string name, const FilledWith &filled) : name_(std::move(name)), filled_(filled) {}

  Definitions program(const TypedKernel &kernel) {
    std::string text;
    for (const Binding &let : kernel.lets)
      text += fmt::format("  (PLet {} {} {}\n", quoted(let.name), coq::term(filled_(let.name, let.value)),
                          tensor(let.name, let.value));
    std::vector<std::string> outputs;
    for (std::size_t i = 0; i < kernel.results.size(); ++i) {
      const std::string &name = kernel.outputs[i].name;
      outputs.push_back(fmt::format("({}, ({}, {}))", quoted(name),
                                    coq::term(filled_(name, kernel.results[i])),
                                    tensor(name, kernel.results[i])));
    }
    text += fmt::format("  (Outputs [{}]){}", fmt::join(outputs, "; "), std::string(kernel.lets.size(), ')'));
    define(name_, "program", text);
    return std::move(result_);
  }

private:
  // Defines the tensor, and those inside it first; gives its name.
  std::string tensor(const std::string &tensor_name, const ExprPtr &value) {
    auto inner = [this](const std::string &name, const ExprPtr &bound) { return tensor(name, bound); };
    std::string text = "  " + term(value, filled_, inner, 2);
    std::string whole = name_ + "_" + identifier(tensor_name), name = whole;
    for (int n = 2; std::count(result_.names.begin(), result_.names.end(), name) > 0; ++n)
      name = fmt::format("{}'{}", whole, n);
    define(name, "expr", text);
    return name;
  }

  void define(const std::string &name, const char *type, const std::string &text) {
    result_.names.push_back(name);
    result_.text += fmt::format("Definition {} : {} :=\n{}.\n\n", name, type, text);
  }

  std::string name_;
  const FilledWith &filled_;
  Definitions result_;
};

} // namespace

Definitions definitions(const std::string &name, const TypedKernel &kernel, const FilledWith &filled) {
  return Definer(name, filled).program(kernel);
}

std::optional<ExprPtr> filled_with_unwritten(const std::string &, const ExprPtr &value) {
  return equality::unwritten_value(value);
}

FilledWith filled_by(Fillings fillings) {
  return
      [fillings = std::move(fillings)](const std::string &tensor, const ExprPtr &) -> std::optional<ExprPtr> {
        auto found = fillings.find(tensor);
        return found == fillings.end() ? std::nullopt : std::optional(found->second);
      };
}

Fillings unwritten_of(const TypedKernel &kernel) {
  Fillings result;
  for (const Binding &let : kernel.lets) {
    result[let.name] = equality::unwritten_value(let.value);
    collect_unwritten(let.value, result);
  }
  for (std::size_t i = 0; i < kernel.results.size(); ++i) {
    result[kernel.outputs[i].name] = equality::unwritten_value(kernel.results[i]);
    collect_unwritten(kernel.results[i], result);
  }
  return result;
}

std::string term(const equality::Prophecies &prophecies, const Fillings &unwritten) {
  std::vector<std::string> all;
  for (const auto &[name, prophecy] : prophecies) {
    auto start = unwritten.find(name);
    if (start == unwritten.end())
      continue;
    all.push_back(fmt::format("\n  ({}, Some (Holds {} {} {} {} {} {}))", quoted(name), names(prophecy.cell),
                              term(prophecy.known), term(prophecy.valid), quoted(prophecy.tensor),
                              terms(prophecy.indices), constant_name(start->second)));
  }
  return fmt::format("[{}]", fmt::join(all, ";"));
}

std::vector<Operation> operations(const std::vector<const TypedKernel *> &kernels) {
  std::map<std::string, Operation> found;
  std::function<void(const ExprPtr &)> collect = [&](const ExprPtr &e) {
    if (const Reduce *r = std::get_if<Reduce>(&e->node)) {
      std::string name = combiner_name(r->reduction, e->type->elem);
      found.try_emplace(name, Operation{name, constant_name(equality::unwritten_value(e)),
                                        quoted(fmt::format("*.{}", atl::name(e->type->elem))), r->reduction,
                                        is_float(e->type->elem)});
    }
    for (const ExprPtr &child : children(*e))
      collect(child);
  };
  for (const TypedKernel *kernel : kernels) {
    for (const Binding &let : kernel->lets)
      collect(let.value);
    for (const ExprPtr &value : kernel->results)
      collect(value);
  }
  std::vector<Operation> result;
  for (const auto &[name, operation] : found)
    result.push_back(operation);
  return result;
}

std::string term(const std::vector<equality::Renumbered> &renumbered,
                 const std::vector<Operation> &operations) {
  std::map<std::string, std::vector<std::string>> by_tensor;
  for (const equality::Renumbered &r : renumbered) {
    std::set<std::string> starts;
    for (const Operation &operation : operations)
      if (operation.reduction == r.reduction)
        starts.insert(r.partial ? fmt::format("(Some {})", operation.unit) : "None");
    for (const std::string &start : starts)
      by_tensor[r.tensor].push_back(
          fmt::format("Renumbered {} {} {}\n      {} {}\n      {} {}", names(r.cell), start, r.in_order,
                      names(r.now), values(r.before, r.to_before), names(r.before), values(r.now, r.to_now)));
  }
  std::vector<std::string> all;
  for (const auto &[tensor, list] : by_tensor)
    all.push_back(fmt::format("\n  ({}, [{}])", quoted(tensor), fmt::join(list, ";\n    ")));
  return fmt::format("[{}]", fmt::join(all, ";"));
}

std::string identifier(const std::string &name) {
  std::string result = name;
  for (char &c : result)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_')
      c = '_';
  return result;
}

} // namespace atl::proofs::coq
