// The C that atlc emits, as a tree: what a C compiler would see of the functions' bodies.
#pragma once
#include "proofs/reader/c/tokens.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace atl::proofs::reader {

struct CExpr;
using CExprs = std::vector<CExpr>;

struct CExpr {
  enum class Kind {
    name,      // text
    number,    // text, as it is written
    prefix,    // text: - ! &; args: the operand
    infix,     // text: the operator; args: two
    choice,    // a ? b : c
    call,      // text(args)
    subscript, // args[0][args[1]]
    cast,      // (text)args[0]
    size_of,   // sizeof(text)
    array,     // (const int64_t[]){args}
  } kind;
  std::string text;
  CExprs args;
  std::uint32_t at;
};

// T x, const T x, T *restrict x, T x[4]
struct CDeclaration {
  std::string type, name;
  bool is_const = false, is_pointer = false, is_restrict = false;
  std::optional<CExpr> elements; // of an array
  std::optional<CExpr> value;
};

struct CStmt {
  enum class Kind {
    declaration,
    assignment, // target, text (= += *= ...), value
    branch,     // if (value) body
    loop,       // for (int64_t text = from; text < value; ++text) body
    block,      // { body }
    result,     // return value
    call,       // value;
    unused,     // (void)text;
    mark,       // text: a line of the preprocessor, or a macro that stands for one
    foreign,    // any other C: of a hardware description
  } kind;
  std::uint32_t at;
  std::string text;
  std::size_t first_token = 0; // it begins with that one of the file
  CDeclaration declaration{};
  std::optional<CExpr> target, value, from;
  std::vector<CStmt> body;
};

struct CFunction {
  std::string result, name; // int f(...)
  std::vector<CDeclaration> params;
  std::vector<CStmt> body;
  std::uint32_t at, end; // its name; the brace that ends it
};

} // namespace atl::proofs::reader
