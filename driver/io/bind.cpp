#include "driver/io/bind.h"

#include "driver/io/infer_sizes.h"
#include "driver/io/tensor_file.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace atl::driver {

namespace {

Diagnostic bad_argument(std::string message) {
  return {Code::bad_argument, std::nullopt, std::move(message), {}};
}

bool is_size(const Param &param) {
  return param.kind == Param::Kind::size;
}
bool is_scalar(const Param &param) {
  return !is_size(param) && param.type.shape.empty();
}

std::string declaration(const Param &param) {
  if (is_size(param))
    return param.name + ": size";
  std::vector<std::string> extents;
  for (const Index &extent : param.type.shape)
    extents.push_back(to_string(extent));
  std::string shape = extents.empty() ? "" : fmt::format("[{}]", fmt::join(extents, ", "));
  return fmt::format("{}: {}{}", param.name, name(param.type.elem), shape);
}

std::string declarations(const TypedKernel &kernel) {
  std::vector<std::string> all;
  for (const Param &param : kernel.params)
    all.push_back(declaration(param));
  return all.empty() ? "no parameters" : fmt::format("the parameters {}", fmt::join(all, ", "));
}

// The whole text as a number of type T; nothing if it is none. out_of_range is an error of its own.
template <class T>
std::errc parse_number(std::string_view text, T &value) {
  if (text.starts_with('+'))
    text.remove_prefix(1);
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end != text.data() + text.size() ? std::errc::invalid_argument : error;
}

Result<std::int64_t> parse_size(const Param &param, const std::string &text) {
  std::int64_t value = 0;
  std::errc error = parse_number(text, value);
  if (error == std::errc::result_out_of_range)
    return bad_argument(fmt::format("{}={}: the number is too large", param.name, text));
  if (error != std::errc())
    return bad_argument(
        fmt::format("{}={}: a size is a number such as {}=100", param.name, text, param.name));
  if (value < 0)
    return bad_argument(fmt::format("{}={}: a size is not negative", param.name, text));
  return value;
}

Diagnostic no_scalar(const Param &param, const std::string &text) {
  return bad_argument(fmt::format("{}={}: not a number of type {}", param.name, text, name(param.type.elem)));
}

Diagnostic does_not_fit(const Param &param, const std::string &text) {
  return bad_argument(
      fmt::format("{}={}: the number does not fit {}", param.name, text, name(param.type.elem)));
}

template <class T>
Result<Scalar> parse_real(const Param &param, const std::string &text) {
  T value = 0;
  std::errc error = parse_number(text, value);
  if (error == std::errc::result_out_of_range)
    return does_not_fit(param, text);
  if (error != std::errc())
    return no_scalar(param, text);
  return Scalar{param.type.elem, value, 0};
}

Result<Scalar> parse_integer(const Param &param, const std::string &text) {
  std::int64_t value = 0;
  std::errc error = parse_number(text, value);
  Elem elem = param.type.elem;
  if (error == std::errc::result_out_of_range)
    return does_not_fit(param, text);
  if (error != std::errc())
    return no_scalar(param, text);
  if (value < least_integer(elem) || value > greatest_integer(elem))
    return does_not_fit(param, text);
  return Scalar{elem, 0, value};
}

Result<Scalar> parse_scalar(const Param &param, const std::string &text) {
  switch (param.type.elem) {
  case Elem::f32: return parse_real<float>(param, text);
  case Elem::f64: return parse_real<double>(param, text);
  case Elem::boolean:
    if (text != "true" && text != "false")
      return bad_argument(fmt::format("{}={}: a bool is true or false", param.name, text));
    return make_bool(text == "true");
  default: return parse_integer(param, text);
  }
}

Tensor scalar_tensor(const Scalar &value) {
  Tensor tensor = make_tensor(value.elem, {});
  tensor.set(0, value);
  return tensor;
}

class Binder {
public:
  Binder(const TypedKernel &kernel, const std::vector<std::string> &arguments) : kernel_(kernel) {
    for (const std::string &argument : arguments)
      take(argument);
    for (const Param &param : kernel.params)
      if (auto given = texts_.find(param.name); given != texts_.end())
        bind(param, given->second);
      else if (!is_size(param))
        errors_.push_back(missing(param));
  }

  Result<Inputs> run() {
    if (!errors_.empty())
      return errors_;
    Result<Valuation> sizes = infer_sizes(kernel_, inputs_.sizes, extents_);
    if (!sizes)
      return sizes.errors();
    inputs_.sizes = *sizes;
    return std::move(inputs_);
  }

private:
  void take(const std::string &argument) {
    std::size_t equals = argument.find('=');
    if (equals == 0 || equals == std::string::npos) {
      errors_.push_back(
          bad_argument(fmt::format("'{}' is not of the form NAME=value or NAME=file", argument)));
      return;
    }
    std::string name = argument.substr(0, equals);
    bool known = std::any_of(kernel_.params.begin(), kernel_.params.end(),
                             [&](const Param &p) { return p.name == name; });
    if (!known)
      errors_.push_back(bad_argument(fmt::format("the kernel {} has no parameter '{}'; it has {}",
                                                 kernel_.name, name, declarations(kernel_))));
    else if (!texts_.emplace(name, argument.substr(equals + 1)).second)
      errors_.push_back(bad_argument(fmt::format("{} is given twice", name)));
  }

  static Diagnostic missing(const Param &param) {
    return bad_argument(fmt::format("the parameter {} is not given: add {}={}", declaration(param),
                                    param.name, is_scalar(param) ? "VALUE" : "FILE.npy or FILE.png"));
  }

  void bind(const Param &param, const std::string &text) {
    if (is_size(param))
      keep(parse_size(param, text), [&](std::int64_t value) { inputs_.sizes[param.name] = value; });
    else if (is_scalar(param) && !is_tensor_file(text))
      keep(parse_scalar(param, text),
           [&](const Scalar &value) { inputs_.tensors[param.name] = scalar_tensor(value); });
    else
      keep(read_tensor(text, param.name, param.type),
           [&](Tensor &tensor) { add_tensor(param, std::move(tensor)); });
  }

  void add_tensor(const Param &param, Tensor tensor) {
    for (std::size_t d = 0; d < tensor.shape.size(); ++d)
      extents_.push_back({param.name, d, tensor.shape.size(), param.type.shape[d], tensor.shape[d]});
    inputs_.tensors[param.name] = std::move(tensor);
  }

  template <class T, class Use>
  void keep(Result<T> result, Use use) {
    if (result)
      use(*result);
    else
      errors_.insert(errors_.end(), result.errors().begin(), result.errors().end());
  }

  const TypedKernel &kernel_;
  std::map<std::string, std::string> texts_;
  std::vector<Measured> extents_;
  Inputs inputs_;
  Diagnostics errors_;
};

} // namespace

Result<Inputs> bind_inputs(const TypedKernel &kernel, const std::vector<std::string> &arguments) {
  return Binder(kernel, arguments).run();
}

} // namespace atl::driver
