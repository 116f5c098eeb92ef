// The module in C: the code that all modules share, and the tables of this library's kernels.
#include "cbackend/library/python.h"

#include "atl/index/bounds.h"
#include "cbackend/library/packaging.h"
#include "python_texts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace atl::cbackend {

namespace {

std::string c_string(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c == '\n' ? std::string("\\n\"\n    \"") : std::string(1, c);
  }
  return result + "\"";
}

std::string_view function_of(IndexOp op) {
  switch (op) {
  case IndexOp::add: return "atl_add";
  case IndexOp::sub: return "atl_sub";
  case IndexOp::mul: return "atl_mul";
  case IndexOp::div: return "atl_div";
  case IndexOp::cdiv: return "atl_cdiv";
  case IndexOp::mod: return "atl_mod";
  case IndexOp::min: return "atl_min";
  case IndexOp::max: return "atl_max";
  case IndexOp::constant:
  case IndexOp::variable: break;
  }
  return "";
}

class KernelTables {
public:
  KernelTables(const PythonKernel &kernel, std::string prefix)
      : kernel_(kernel), prefix_(std::move(prefix)), params_(kernel.kernel->params) {}

  std::string text(const std::string &package, const std::string &identifier) {
    std::string params, where;
    for (std::size_t i = 0; i < params_.size(); ++i)
      params += parameter(i);
    for (const Where &clause : kernel_.kernel->kernel->where)
      where += fmt::format("    {{{}, {}, {}}},\n", c_string(to_string(clause.pred)),
                           expression(condition(clause.pred)), sizes_of(clause.pred));
    const std::size_t outputs = std::count_if(params_.begin(), params_.end(), is_output);
    const std::size_t clauses = kernel_.kernel->kernel->where.size();
    std::string results = outputs > 1 ? result_type(package, outputs) : "";
    if (clauses > 0)
      where = fmt::format("static const AtlClause {}_where[] = {{\n{}}};\n", prefix_, where);
    return tables_ +
           fmt::format("static const AtlParam {}_params[] = {{\n{}}};\n{}{}{}", prefix_, params, where,
                       results, thunk()) +
           fmt::format(
               "static PyObject *{0}_names[{1} + 2], *{0}_type;\n"
               "static const AtlKernel {0} = {{\n"
               "    {2}, {3}, {4}, {0}_params, {1}, {5}, {6}, {7}, {0}_call, {8}_strerror, {9}, {0}_names, "
               "&{0}_type}};\n",
               prefix_, params_.size(), c_string(kernel_.name), c_string(kernel_.out), c_string(kernel_.copy),
               outputs, clauses > 0 ? prefix_ + "_where" : "NULL", clauses, identifier,
               outputs > 1 ? "&" + prefix_ + "_results" : "NULL") +
           fmt::format("static PyObject *{0}_function(PyObject *module, PyObject *const *arguments, "
                       "Py_ssize_t count, PyObject *names) {{\n"
                       "  (void)module;\n  return atl_call(&{0}, arguments, count, names);\n}}\n\n",
                       prefix_);
  }

private:
  static bool is_output(const CParam &p) { return p.kind == CParam::Kind::output; }

  std::size_t position(const std::string &size) const {
    return static_cast<std::size_t>(
        std::find_if(params_.begin(), params_.end(), [&](const CParam &p) { return p.name == size; }) -
        params_.begin());
  }

  std::string number(const Index &e) const {
    if (e->op == IndexOp::constant)
      return fmt::format("atl_number(INT64_C({}))", e->value);
    if (e->op == IndexOp::variable)
      return fmt::format("atl_number(v[{}].size)", position(e->name));
    return fmt::format("{}({}, {})", function_of(e->op), number(e->a), number(e->b));
  }

  std::string condition(const Pred &p) const {
    switch (p->op) {
    case PredOp::truth: return p->value ? "atl_number(1)" : "atl_number(0)";
    case PredOp::lt: return fmt::format("atl_lt({}, {})", number(p->lhs), number(p->rhs));
    case PredOp::le: return fmt::format("atl_not(atl_lt({}, {}))", number(p->rhs), number(p->lhs));
    case PredOp::gt: return fmt::format("atl_lt({}, {})", number(p->rhs), number(p->lhs));
    case PredOp::ge: return fmt::format("atl_not(atl_lt({}, {}))", number(p->lhs), number(p->rhs));
    case PredOp::eq: return fmt::format("atl_eq({}, {})", number(p->lhs), number(p->rhs));
    case PredOp::ne: return fmt::format("atl_not(atl_eq({}, {}))", number(p->lhs), number(p->rhs));
    case PredOp::conj: return fmt::format("atl_and({}, {})", condition(p->a), condition(p->b));
    case PredOp::disj: return fmt::format("atl_or({}, {})", condition(p->a), condition(p->b));
    case PredOp::neg: break;
    }
    return fmt::format("atl_not({})", condition(p->a));
  }

  std::string fresh(std::string_view kind) { return fmt::format("{}_{}{}", prefix_, kind, ++count_); }

  // A function for it; equal ones share one.
  std::string expression(const std::string &value) {
    auto [found, is_new] = expressions_.try_emplace(value);
    if (is_new) {
      found->second = fresh("e");
      tables_ += fmt::format("static AtlNumber {}(const AtlValue *v) {{\n  (void)v;\n  return {};\n}}\n",
                             found->second, value);
    }
    return found->second;
  }

  template <class Expression> // sorted by name
  std::string sizes_of(const Expression &e) {
    std::set<std::string> names;
    collect_variables(e, names);
    std::string name = fresh("s"), list;
    for (const std::string &size : names)
      list += fmt::format("{}, ", position(size));
    tables_ += fmt::format("static const int {}[] = {{{}-1}};\n", name, list);
    return name;
  }

  std::string extent(const Index &e) {
    std::set<std::string> names;
    collect_variables(e, names);
    std::string lines;
    std::size_t count = 0;
    for (const std::string &size : names)
      if (auto linear = linear_in(e, size)) {
        ++count;
        lines += fmt::format("    {{{}, {}, {}}},\n", position(size), expression(number(linear->slope)),
                             expression(number(linear->rest)));
      }
    std::string name = count > 0 ? fresh("l") : "NULL";
    if (count > 0)
      tables_ += fmt::format("static const AtlLine {}[] = {{\n{}}};\n", name, lines);
    return fmt::format("    {{{}, {}, {}, {}, {}, {}}},\n", c_string(to_string(e)), expression(number(e)),
                       sizes_of(e), e->op == IndexOp::constant, name, count);
  }

  std::string parameter(std::size_t i) {
    const CParam &p = params_[i];
    const bool is_size = p.kind == CParam::Kind::size;
    std::string extents, table = "NULL";
    for (const Index &dim : p.dims)
      extents += extent(dim);
    if (!extents.empty()) {
      table = fresh("x");
      tables_ += fmt::format("static const AtlExtent {}[] = {{\n{}}};\n", table, extents);
    }
    constexpr std::array kinds{"atl_size", "atl_scalar", "atl_input", "atl_output"};
    const std::string type = is_size ? "size" : type_text(p.elem, p.dims);
    // A single result is given as the option.
    const bool is_out = is_output(p) && std::count_if(params_.begin(), params_.end(), is_output) == 1;
    const std::string &name = is_out ? kernel_.out : kernel_.params[i];
    return fmt::format("    {{{}, {}, {}, atl_{}, {}, {}, INT64_C({})}},\n", c_string(name),
                       c_string(name + ": " + type), kinds[static_cast<std::size_t>(p.kind)],
                       atl::name(p.elem), p.dims.size(), table, p.limit);
  }

  std::string result_type(const std::string &package, std::size_t outputs) const {
    std::string fields;
    for (std::size_t i = params_.size() - outputs; i < params_.size(); ++i)
      fields += fmt::format("    {{{}, {}}},\n", c_string(kernel_.params[i]),
                            c_string(type_text(params_[i].elem, params_[i].dims)));
    return fmt::format("static PyStructSequence_Field {0}_fields[] = {{\n{1}    {{NULL, NULL}}}};\n"
                       "static PyStructSequence_Desc {0}_results = {{{2}, {3}, {0}_fields, {4}}};\n",
                       prefix_, fields, c_string(package + "." + kernel_.results),
                       c_string("The results of " + kernel_.name + "."), outputs);
  }

  std::string thunk() const {
    std::vector<std::string> values;
    for (std::size_t i = 0; i < params_.size(); ++i) {
      const CParam &p = params_[i];
      const std::string_view elem = p.elem == Elem::boolean ? "boolean" : atl::name(p.elem);
      values.push_back(fmt::format("v[{}].{}", i,
                                   p.kind == CParam::Kind::size     ? "size"
                                   : p.kind == CParam::Kind::scalar ? elem
                                                                    : "tensor"));
    }
    return fmt::format("static int {}_call(const AtlValue *v) {{\n  return {}({});\n}}\n", prefix_,
                       kernel_.kernel->c_name, fmt::join(values, ", "));
  }

  const PythonKernel &kernel_;
  std::string prefix_;
  const std::vector<CParam> &params_;
  std::string tables_;
  std::map<std::string, std::string> expressions_;
  int count_ = 0;
};

std::string entry(const PythonKernel &kernel, const std::string &prefix) {
  const std::string signature =
      fmt::format("{}($module, /, {})\n--\n\n", kernel.name, python_parameters(kernel));
  return fmt::format("  {{{}, {}_function, METH_FASTCALL | METH_KEYWORDS,\n    {}}},\n",
                     c_string(kernel.name), prefix, c_string(signature + python_documentation(kernel)));
}

std::string element_types() {
  std::string names, rows;
  for (const ElemInfo &row : elem_table) {
    const char kind = row.elem == Elem::boolean ? 'b' : row.is_float ? 'f' : row.is_signed ? 'i' : 'u';
    names += fmt::format("{}atl_{}", names.empty() ? "" : ", ", row.name);
    rows += fmt::format("    {{\"{}\", \"{}\", '{}', {}}},\n", row.name, numpy_name(row.elem), kind,
                        row.bits / 8);
  }
  return fmt::format("typedef enum {{ {} }} AtlElem;\n"
                     "static const struct {{\n  const char *name, *numpy;\n  char kind; /* as in NumPy */\n"
                     "  int bytes;\n}} atl_elems[] = {{\n{}}};\n\n",
                     names, rows);
}

std::string constants(const std::vector<PythonKernel> &kernels) {
  std::size_t most = 1;
  for (const PythonKernel &kernel : kernels)
    most = std::max(most, kernel.params.size());
  std::string codes;
  for (const RuntimeErrorInfo &row : runtime_errors)
    codes += fmt::format("{}ATL_{} = {}", codes.empty() ? "" : ", ", row.suffix, static_cast<int>(row.error));
  return fmt::format("enum {{ {} }};\nenum {{ ATL_MOST_PARAMS = {} }};\n\n", codes, most);
}

} // namespace

std::string emit_python_module(const CLibrary &library, const std::vector<PythonKernel> &kernels,
                               const std::string &package) {
  std::string text = fmt::format("// {0} for Python: generated by atlc {1}.\n#include \"../{2}\"\n\n",
                                 library.name, version(), library.header);
  text += std::string(text_abi) + "\n" + constants(kernels) + element_types();
  for (std::string_view part : {text_numbers, text_tables, text_sizes, text_views, text_arguments, text_call})
    text += std::string(part) + "\n";
  std::string entries, prepared;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const std::string prefix = fmt::format("atl_kernel{}", i + 1);
    text += KernelTables(kernels[i], prefix).text(package, library.identifier);
    entries += entry(kernels[i], prefix);
    prepared += fmt::format("{}atl_prepare(&{})", prepared.empty() ? "" : " && ", prefix);
  }
  return text + fmt::format(R"(static PyMethodDef atl_functions[] = {{
{}  {{NULL, NULL, 0, NULL}}}};
static PyModuleDef atl_module = {{
    .base = {{.references = 1}}, .name = "_kernels", .size = -1, .methods = atl_functions}};

__attribute__((visibility("default"))) PyObject *PyInit__kernels(void);
PyObject *PyInit__kernels(void) {{
  const int abi = 3;
  return {} ? PyModule_Create2(&atl_module, abi) : NULL;
}}
)",
                            entries, prepared);
}

} // namespace atl::cbackend
