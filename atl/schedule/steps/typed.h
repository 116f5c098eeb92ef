// Arguments as the functions that do steps take them. A type of parameter says which arguments it is for, and
// what they mean in the program as it stands.
#pragma once
#include "atl/rewrites/rewrites.h"
#include "atl/schedule/steps/match.h"

#include <utility>

namespace atl::schedule {

struct Name { // where a diagnostic that comes later needs the place
  std::string text;
  Span span;
};

inline bool is_one(const Parameter &p, Parameter::Kind kind) {
  return p.kind == kind && !p.optional && !p.list;
}

template <class T>
struct Typed;

template <>
struct Typed<Index> {
  static bool fits(const Parameter &p) { return is_one(p, Parameter::Kind::index); }
  static Result<Index> of(const Given &given, const TypedKernel &) { return given.at(0).index; }
};

template <>
struct Typed<Pred> {
  static bool fits(const Parameter &p) { return is_one(p, Parameter::Kind::condition); }
  static Result<Pred> of(const Given &given, const TypedKernel &) { return given.at(0).condition; }
};

template <>
struct Typed<Name> {
  static bool fits(const Parameter &p) { return is_one(p, Parameter::Kind::name); }
  static Result<Name> of(const Given &given, const TypedKernel &) {
    return Name{given.at(0).name.name, given.at(0).name.span};
  }
};

// Also for a loop of the program in the end, which is not looked for now.
template <>
struct Typed<std::string> {
  static bool fits(const Parameter &p) {
    return is_one(p, Parameter::Kind::name) || is_one(p, Parameter::Kind::loop);
  }
  static Result<std::string> of(const Given &given, const TypedKernel &);
};

// For functions that look for the loop themselves, in a program that they have changed before.
template <>
struct Typed<LoopName> {
  static bool fits(const Parameter &p) { return is_one(p, Parameter::Kind::loop); }
  static Result<LoopName> of(const Given &given, const TypedKernel &) { return given.at(0).name; }
};

template <>
struct Typed<Path> {
  static bool fits(const Parameter &p) { return is_one(p, Parameter::Kind::loop); }
  static Result<Path> of(const Given &given, const TypedKernel &kernel) {
    return find_loop(kernel, given.at(0).name);
  }
};

// Of `[every] LOOP`, or a list of such.
template <>
struct Typed<std::vector<Path>> {
  static bool fits(const Parameter &p) { return p.kind == Parameter::Kind::loops && !p.optional; }
  static Result<std::vector<Path>> of(const Given &given, const TypedKernel &kernel);
};

template <>
struct Typed<rewrites::Tail> {
  static bool fits(const Parameter &p) { return is_one(p, Parameter::Kind::choice); }
  static Result<rewrites::Tail> of(const Given &given, const TypedKernel &);
};

template <class T>
struct Typed<std::optional<T>> {
  static bool fits(Parameter p) { return std::exchange(p.optional, false) && Typed<T>::fits(p); }
  static Result<std::optional<T>> of(const Given &given, const TypedKernel &kernel) {
    if (given.empty())
      return std::optional<T>();
    Result<T> value = Typed<T>::of(given, kernel);
    if (!value)
      return value.errors();
    return std::optional<T>(std::move(*value));
  }
};

template <class T>
struct Typed<std::vector<T>> {
  static bool fits(Parameter p) { return std::exchange(p.list, false) && Typed<T>::fits(p); }
  static Result<std::vector<T>> of(const Given &given, const TypedKernel &kernel) {
    std::vector<T> all;
    for (const Argument &argument : given) {
      Result<T> value = Typed<T>::of({argument}, kernel);
      if (!value)
        return value.errors();
      all.push_back(std::move(*value));
    }
    return all;
  }
};

} // namespace atl::schedule
