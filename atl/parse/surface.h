// The parse tree: what the grammar saw, every node with its place. Plain data without meaning; elaborate.h
// gives it one.
#pragma once
#include "atl/base/span.h"

#include <vector>

namespace atl::parse {

enum class Kind {
  // definitions    children
  import_file,     // exported, if it is; string; alias, if given
  exported,        //
  alias,           // word
  private_one,     // a definition that is not an import
  constant,        // word; word of an element type, if given; value
  function,        // word, params, type, body
  kernel,          // word, params, outputs, conditions, rounding, block
  broken,          // word, if it was there: a definition with a syntax error
  params,          // param ...
  param,           // word, type
  type,            // word, extent ...
  outputs,         // either one type, or param ...
  conditions,      // expression ...; then such_as, if given
  such_as,         // size_value ...
  rounding,        // word ...
  size_value,      // word, value
  step_definition, // word, names, steps
  schedule,        // word, names of parameters, names of kernels; steps, or the step that uses another one

  hardware,      // word; property, memory, instr, table ...
  property,      // word, string ...
  memory,        // word, number, rows if given, property ...
  rows,          // width, first address
  cost,          // word, number
  configuration, // word, params, string
  instr,         // word, params (each with its memory_name or aligned, if given), outputs (likewise; adds,
                 // unordered), conditions, needs, names of memories, string, block
  table,         // names of columns, rows, instr or table ...
  table_rows,    // row ...
  row,           // cell ...: an expression, a string or a text
  text,          // string ...: given in parts
  needs,         // need ...
  need,          // word; number or word ...
  adds,
  unordered,
  aligned,     // number
  memory_name, // word

  // steps of schedules
  steps,     // step ...
  step,      // word, item ...; then steps, and steps of an `else`, where it has them
  marker,    // an item: a word of steps. Other items are expressions and commas
  comma,     // an item
  arguments, // item ...: the only item of a use of a user-level step
  list,      // an argument: expression ...
  composed,  // an item: word, word

  // expressions
  disjunction, // operand ...
  conjunction, // operand ...
  negation,    // operand
  comparison,  // operand, (op, operand) ...
  sum,         // operand, (op, operand) ...
  product,     // operand, (op, operand) ...
  guard,       // condition, body
  negative,    // operand
  reshape,     // word, index arguments, operand
  gen,         // mode, binders, block
  reduce,      // word, mode, binders, block
  mode,        // word, if given
  binders,     // comparison ...
  concat,      // operand ...
  access,      // word, index ...
  call,        // word, argument ...
  parens,      // one expression, or the elements of a tuple
  block,       // let ..., result
  let,         // word or names, memory_name, if given; value
  names,       // word ...

  // leaves: their text is that of their span
  word,
  number,
  string, // with its quotation marks
  op,
};

struct Node {
  Kind kind;
  Span span;
  std::vector<Node> children;
};

} // namespace atl::parse
