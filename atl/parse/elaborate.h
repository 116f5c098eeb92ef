// Parse tree to syntax tree: names get their meaning, and every expression is read as an index, a condition
// on indices, or data.
#pragma once
#include "atl/parse/call_graph.h"
#include "atl/parse/names.h"
#include "atl/parse/reporter.h"
#include "atl/parse/surface.h"
#include "atl/syntax/program.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace atl::parse {

// The ways in which an expression can be read. 3 is an index or data; i < 3 a condition; none: an error was
// reported.
struct Value {
  Index index;
  Pred pred;
  ExprPtr data;
  bool failed() const { return !index && !pred && !data; }
};

class Elaborator {
public:
  Elaborator(const Sources &sources, Names &names, Reporter &reporter)
      : sources_(sources), names_(names), reporter_(reporter) {}
  Program elaborate(const std::vector<Definition> &definitions);

private:
  // Where an expression stands, for messages.
  enum class Want { data, index, guard, where, constant, step };

  // definitions.cpp
  void function(const Definition &definition);
  void kernel(const Definition &definition);
  Param param(const Node &node);
  std::vector<Param> params(const std::vector<Node> &nodes);
  std::vector<Where> conditions(const Node &node);
  void such_as(const Node &node, Kernel &kernel);
  void rounding(const Node &node, Kernel &kernel);
  std::vector<Output> outputs(const Node &node);
  void check_output_names(const Kernel &kernel);
  Type type(const Node &node);
  Elem elem(const Node &word);
  Elem scalar_type(const Node &node);
  bool is_size(const Node &param) const;
  Meaning::Kind kind_of_parameter(const Node &param) const;

  // hardware.cpp
  void hardware(const Definition &definition);
  Hardware extended(const Node &base, Hardware into);
  void property(const Node &node, Hardware &into);
  void cost(const Node &node, Hardware &into);
  Memory memory(const Node &node);
  std::int64_t bank(const Node &node, std::int64_t rows);
  Instruction instruction(const Node &node, const Hardware &of);
  std::string clobbered(const Node &word, const Hardware &of);
  bool is_distance(const Node &word, const Instruction &of) const;
  void declare_distances(const Node &node, const Instruction &of);
  Need need(const Node &node);
  Configuration configuration(const Node &node);
  std::int64_t integer(const Node &node, std::int64_t least, std::int64_t greatest, const std::string &what);
  std::string memory_named(const Node &word, const Hardware &of);
  std::string placed_in(const Node &node, std::size_t child, const Hardware &of);
  std::int64_t alignment(const Node &node, std::size_t child);
  std::string unquoted(const Node &string) const;
  std::string checked_c(std::string c, Span span);
  std::string c_text(const Node &string); // checked, too

  // tables.cpp: of hardware
  using Cells = std::map<std::string, const Node *, std::less<>>; // of one row, by column
  using EachInstruction = std::function<void(const Node &)>;
  void table(const Node &node, const EachInstruction &each);
  std::vector<std::string> columns(const Node &names);
  bool has_cells(const Node &row, const Node &names);
  Node filled(const Node &node, const Cells &cells);
  void keep_apart(const Node &declaration, const Cells &cells);
  std::string spelled(std::string text) const; // with the cells of columns in braces
  std::string instruction_name(const Node &word);
  std::string joined(const Node &strings) const; // one text, given in parts

  // constants.cpp
  void constant(const Definition &definition);
  Constant constant_value(const Definition &definition);
  std::int64_t index_constant(const Node &node);
  ExprPtr data_constant(const Node &node, Elem elem);
  Value use_of_constant(const Node &word, const Meaning &meaning);

  // expressions.cpp. Where an error is reported, the tree that is returned is arbitrary.
  Value value(const Node &node, Want want);
  Value reading(const Node &node, Want want);
  Index index(const Node &node, Want want = Want::index);
  Pred condition(const Node &node, Want want);
  ExprPtr data(const Node &node);
  ExprPtr as_data(const Value &value, Span span);
  std::vector<Index> indices(const Node &node, std::size_t first, std::size_t last);
  ExprPtr placeholder(Span span) const; // where an error was reported
  Value literal_word(const Node &node) const;
  Value number(const Node &node, bool negative, Span span);
  Value word(const Node &node, Want want);
  Value access(const Node &node);
  Value wrong_kind(const Node &word, const Meaning &meaning);
  Value data_in_index(const Node &node, Want want);
  Value error(Code code, Span span, std::string message, std::vector<Note> notes = {});
  std::string quoted(Span span) const;

  // forms.cpp
  struct Binder {
    std::string name;
    Index lo, hi;
    Span span;
    LoopMode mode;
  };
  LoopMode mode(const Node &node) const;
  std::vector<Binder> binders(const Node &node);
  Binder binder(const Node &node);
  Binder no_binder(const Node &node);
  ExprPtr gen(const Node &node);
  ExprPtr reduce(const Node &node);
  ExprPtr concat(const Node &node);
  ExprPtr reshape(const Node &node);
  ExprPtr guard(const Node &node);
  ExprPtr block(const Node &node, bool tuple_allowed);
  Let let(const Node &node);
  void report_one_of_several(const Node &word, const Node &bound);
  ExprPtr tuple(const Node &node);

  // operators.cpp
  struct Operand {
    Value value;
    Span span;
  };
  Operand operand(const Node &node, Want want) { return {value(node, want), node.span}; }
  Operand next_operand(const Operand &previous, const Node &node, Want want);
  Value logic(const Node &node, Want want);
  Operand joined(std::string_view op,
                 const std::vector<Operand> &operands); // with `and` or `or`, at least one
  Value joined(std::string_view op, const Operand &a, const Operand &b);
  Value negation(const Node &node, Want want);
  Value negative(const Node &node, Want want);
  std::vector<Operand> links(const Node &comparison, Want want);
  Value comparison(const Node &node, Want want);
  Value compared(std::string_view op, const Operand &a, const Operand &b);
  Value arithmetic(const Node &node, Want want);
  Value combined(std::string_view op, const Operand &a, const Operand &b);
  Value index_and_data(const Operand &a, const Operand &b);

  // schedules.cpp
  void step_definition(const Definition &definition);
  void schedule(const Definition &definition);
  std::vector<Step> steps(const Node &node);
  Step step(const Node &node);
  StepItem step_item(const Node &node);
  void step_arguments(const Node &node, std::vector<StepItem> &into);
  StepItem step_argument(const Node &node);
  std::optional<StepItem> part_of_hardware(std::string_view step, std::string_view before, const Node &node);
  bool is_step_name(std::string_view name) const;
  bool is_local_of_steps(std::string_view name) const;
  std::vector<ScheduleParam> kernels_named(const Node &names);
  std::vector<ScheduleParam> step_params(const Node &names);
  void report_twice(const std::vector<ScheduleParam> &names);
  void step_param(const Node &word);
  Value reading_of_step(const Node &node);
  Value extent_in_step(const Node &node);
  Value word_of_step(const Node &word);
  std::optional<ScheduleParam> kernel_named(const Node &word);
  void check_other_schedule(const Node &word, const std::string &name);
  void report_duplicate(const std::string &step_name, Span span);
  void report_duplicate(const Schedule &schedule);

  // calls.cpp
  Value call(const Node &node, Want want);
  Value conversion(const Node &node, Elem to, ConvertMode mode);
  Value select(const Node &node);
  Value index_operation(const Node &node, Want want);
  Value scalar_operation(const Node &node);
  Value definition_call(const Node &node, const Meaning &callee);
  bool has_arguments(const Node &node, std::size_t expected, std::vector<Note> notes = {});

  // The levels that a node adds to the tree, while it is elaborated.
  class Nesting {
  public:
    Nesting(Elaborator &elaborator, std::size_t levels);
    ~Nesting() { elaborator_.depth_ -= levels_; }
    Nesting(const Nesting &) = delete;
    Nesting &operator=(const Nesting &) = delete;
    bool too_deep() const { return elaborator_.depth_ > depth_limit; }

  private:
    Elaborator &elaborator_;
    int levels_;
  };
  Value too_deep(Span span);

  std::string_view text(const Node &node) const { return sources_.text(node.span); }

  const Sources &sources_;
  Names &names_;
  Reporter &reporter_;
  Program program_;
  std::vector<DefinitionSize> sizes_; // of the definitions so far; the last one is under way
  int depth_ = 0;
  std::vector<Cells> cells_;                 // of the rows of tables around an instruction
  std::vector<std::string_view> step_names_; // parameters and loops over names around a step
  const Node *under_way_ = nullptr;          // the step or schedule
  std::vector<std::string> kernels_;         // of the schedule
  std::map<std::string, Span> step_places_;
  std::map<std::pair<std::string, std::string>, Span> schedule_places_; // by name and kernel
  std::map<const Definition *, std::optional<Constant>> constants_;     // nothing: being found
};

} // namespace atl::parse
