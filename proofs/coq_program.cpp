#include "proofs/coq_program.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace atl::proofs::coq {

namespace {

void collect_unwritten(const ExprPtr &e, Fillings &into) {
  if (const Let *let = std::get_if<Let>(&e->node))
    into[let->names[0]] = equality::unwritten_value(let->bound);
  for (const ExprPtr &child : children(*e))
    collect_unwritten(child, into);
}

class Definer {
public:
  Definer(std::string name, const Fillings &fillings) : name_(std::move(name)), fillings_(fillings) {}

  Definitions program(const TypedKernel &kernel) {
    std::string text;
    for (const Binding &let : kernel.lets)
      text += fmt::format("  (PLet {} {} {}\n", quoted(let.name), filling(fillings_, let.name),
                          tensor(let.name, let.value));
    std::vector<std::string> outputs;
    for (std::size_t i = 0; i < kernel.results.size(); ++i) {
      const std::string &name = kernel.outputs[i].name;
      outputs.push_back(fmt::format("({}, ({}, {}))", quoted(name), filling(fillings_, name),
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
    std::string text = "  " + term(value, fillings_, inner, 2);
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
  const Fillings &fillings_;
  Definitions result_;
};

} // namespace

Definitions definitions(const std::string &name, const TypedKernel &kernel, const Fillings &fillings) {
  return Definer(name, fillings).program(kernel);
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
    std::vector<std::string> cell;
    for (const std::string &variable : prophecy.cell)
      cell.push_back(quoted(variable));
    all.push_back(fmt::format("\n  ({}, Some (Holds [{}] {} {} {} {} {}))", quoted(name),
                              fmt::join(cell, "; "), term(prophecy.known), term(prophecy.valid),
                              quoted(prophecy.tensor), terms(prophecy.indices),
                              constant_name(start->second)));
  }
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
