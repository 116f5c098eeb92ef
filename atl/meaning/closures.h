// Expressions as closures over numbered slots: what the reference interpreter and the loop interpreter are
// both made of. Names are looked up once, when the closure is made; running it looks up slots.
#pragma once
#include "atl/meaning/tensor.h"
#include "atl/syntax/expr.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace atl::closures {

// A tensor whose cells are N (not written) or a value. An N cell holds the value it reads as.
struct Array {
  Tensor tensor;
  std::vector<std::uint8_t> written; // one per cell
  std::vector<std::int64_t> strides; // row-major, in cells

  void reset(std::vector<std::int64_t> shape, const Scalar &content); // all cells N, reading as `content`
  void load(Tensor values);                                           // all cells written
};

// A part of an array: the cells at offset + the sum of index times stride.
struct View {
  Array *array;
  std::int64_t offset;
  const std::int64_t *strides;
};
inline View whole(Array &array) {
  return {&array, 0, array.strides.data()};
}

struct Frame {
  std::vector<std::int64_t> variables;
  std::vector<Array> arrays;
};

// The slots of the names in scope. Every binding has a slot of its own; the innermost binding of a name is
// found.
class Names {
public:
  std::size_t bind_variable(const std::string &name);
  void unbind_variable(const std::string &name) { variables_.at(name).pop_back(); }
  std::size_t new_array() { return array_count_++; } // not yet named
  void bind_array(const std::string &name, std::size_t slot) { arrays_[name].push_back(slot); }
  void unbind_array(const std::string &name) { arrays_.at(name).pop_back(); }
  std::size_t variable(const std::string &name) const { return find(variables_, name); }
  std::size_t array(const std::string &name) const { return find(arrays_, name); }
  Frame frame() const;

private:
  using Slots = std::map<std::string, std::vector<std::size_t>>;
  static std::size_t find(const Slots &slots, const std::string &name);

  Slots variables_, arrays_;
  std::size_t variable_count_ = 0, array_count_ = 0;
};

// An index that overflows 64 bits or divides by a number that is not positive is an InternalError:
// obligations exclude it.
using IndexClosure = std::function<std::int64_t(const Frame &)>;
using PredClosure = std::function<bool(const Frame &)>;
using ScalarClosure = std::function<Scalar(Frame &)>;

IndexClosure close(const Index &e, const Names &names);
PredClosure close(const Pred &p, const Names &names); // `and` and `or` from the left, as far as needed
std::vector<IndexClosure> close(const std::vector<Index> &list, const Names &names);

// The extents, none of them negative.
std::vector<std::int64_t> shape_of(const std::vector<IndexClosure> &shape, const Frame &frame);

// The position of a cell in an array, checked against the shape. `name` is for the message.
std::int64_t cell(const Array &array, const std::vector<IndexClosure> &indices, const Frame &frame,
                  const std::string &name);

// What a scalar expression is closed over besides names.
struct Surroundings {
  std::function<ScalarClosure(const Access &)> access;
  std::function<ScalarClosure(const Expr &)> other; // forms that are no scalar forms
};
ScalarClosure close(const Expr &e, const Names &names, const Surroundings &around);

} // namespace atl::closures
