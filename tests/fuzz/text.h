// Pieces of program text. Every piece exists twice: with as few parentheses as the grammar allows and with
// all of them; both must parse to the same tree.
#pragma once
#include "atl/index/index.h"
#include "atl/scalar/scalar.h"

#include <string>
#include <vector>

namespace atl::fuzz {

struct Text {
  std::string minimal, full;
  int precedence = precedence::atom; // of the minimal one
  bool anchored = false;             // it has its element type whatever stands around it
};

Text atom(const std::string &text);
Text index_text(const Index &e);
Text pred_text(const Pred &p);

Text operator+(const Text &a, const Text &b); // side by side; the result is an atom
Text operator+(const Text &a, const std::string &b);
Text operator+(const std::string &a, const Text &b);
Text join(const std::vector<Text> &parts);          // with commas
Text operand(const Text &text, int min_precedence); // in parentheses where needed
Text infix(const Text &a, const std::string &symbol, const Text &b, int binding);
Text prefix(const std::string &symbol, const Text &a, int binding);
Text call(const std::string &name, const std::vector<Text> &args);
Text block(const Text &inside); // { ... }

} // namespace atl::fuzz
