// The grammar, in Boost.Spirit X3; no other file includes X3. The rules have no attributes:
// `node(kind)[rule]` records what the rule matched as a parse-tree node, whose children are the nodes
// recorded inside. That keeps places exact (semantic actions lose them), stack frames small and compilation
// quick. No rule is tried twice on the same text, beyond a word or two.
#include "atl/parse/grammar.h"

#include "atl/parse/literal.h"
#include "atl/parse/scan.h"
#include "atl/parse/syntax_error.h"
#include "atl/syntax/expr.h"
#include "atl/syntax/ops/reshape_op.h"

#include <algorithm>
#include <boost/spirit/home/x3.hpp>
#include <optional>
#include <string>

namespace atl::parse {

namespace {

namespace x3 = boost::spirit::x3;
using Iterator = const char *;

// The nodes recorded so far that have no parent yet, and the depth of recursion.
struct Recorder {
  const char *text_begin;
  std::uint32_t file;
  const Outline *outline;
  std::vector<Node> nodes;
  int depth = 0;
  bool too_deep = false;

  Span span(Iterator first, Iterator last) const {
    return {file, static_cast<std::uint32_t>(first - text_begin),
            static_cast<std::uint32_t>(last - text_begin)};
  }
  // The nodes from `mark` on become children of a new one.
  void wrap(Kind kind, Span place, std::size_t mark) {
    auto first = nodes.begin() + static_cast<std::ptrdiff_t>(mark);
    std::vector<Node> children(std::make_move_iterator(first), std::make_move_iterator(nodes.end()));
    nodes.erase(first, nodes.end());
    nodes.push_back({kind, place, std::move(children)});
  }
};
struct RecorderTag;

template <class Context>
Recorder &recorder(const Context &context) {
  return x3::get<RecorderTag>(context);
}

// What a parser without an attribute has to say about it.
struct NoAttribute {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false;
};

// White space and comments.
struct Blank : x3::parser<Blank>, NoAttribute {
  template <class Context, class RuleContext, class Attribute>
  bool parse(Iterator &first, const Iterator &last, const Context &, RuleContext &, Attribute &) const {
    Iterator begin = first;
    first = skip_blank(first, last);
    return first != begin;
  }
};

// A word that `accepts` takes; `expected` is what a message says when it is missing.
struct Word : x3::parser<Word>, NoAttribute {
  bool (*accepts)(std::string_view);
  std::string_view expected;
  constexpr Word(bool (*accepted)(std::string_view), std::string_view name)
      : accepts(accepted), expected(name) {}

  template <class Context, class RuleContext, class Attribute>
  bool parse(Iterator &first, const Iterator &last, const Context &context, RuleContext &,
             Attribute &) const {
    x3::skip_over(first, last, context);
    std::string_view word = first_word({first, last});
    if (word.empty() || !accepts(word))
      return false;
    first += word.size();
    return true;
  }
};

// A literal, whose length `measure` tells. (The character parsers of X3 are for ASCII only.)
struct Token : x3::parser<Token>, NoAttribute {
  std::size_t (*measure)(std::string_view);
  explicit constexpr Token(std::size_t (*length)(std::string_view)) : measure(length) {}

  template <class Context, class RuleContext, class Attribute>
  bool parse(Iterator &first, const Iterator &last, const Context &context, RuleContext &,
             Attribute &) const {
    x3::skip_over(first, last, context);
    std::size_t length = measure({first, static_cast<std::size_t>(last - first)});
    first += length;
    return length > 0;
  }
};

// One given word, or punctuation that is not the start of a longer operator.
struct Symbol : x3::parser<Symbol>, NoAttribute {
  std::string_view text;
  explicit constexpr Symbol(std::string_view symbol) : text(symbol) {}

  template <class Context, class RuleContext, class Attribute>
  bool parse(Iterator &first, const Iterator &last, const Context &context, RuleContext &,
             Attribute &) const {
    x3::skip_over(first, last, context);
    if (first_symbol({first, last}) != text)
      return false;
    first += text.size();
    return true;
  }
};

// Takes no text: is it the `min` or `max` of a call? (The other ones are reductions.)
struct MinMaxCall : x3::parser<MinMaxCall>, NoAttribute {
  template <class Context, class RuleContext, class Attribute>
  bool parse(Iterator &first, const Iterator &last, const Context &context, RuleContext &,
             Attribute &) const {
    x3::skip_over(first, last, context);
    const Recorder &record = recorder(context);
    const std::vector<std::uint32_t> &calls = record.outline->min_max_calls;
    return std::binary_search(calls.begin(), calls.end(), record.span(first, first).begin);
  }
};

// Records what the subject matches as a node; if `only_several`, then unless that is just one node already.
template <class Subject>
struct NodeDirective : x3::unary_parser<Subject, NodeDirective<Subject>>, NoAttribute {
  using base_type = x3::unary_parser<Subject, NodeDirective<Subject>>;
  Kind kind;
  bool only_several;
  constexpr NodeDirective(const Subject &inner, Kind node_kind, bool several)
      : base_type(inner), kind(node_kind), only_several(several) {}

  template <class Context, class RuleContext, class Attribute>
  bool parse(Iterator &first, const Iterator &last, const Context &context, RuleContext &rule_context,
             Attribute &) const {
    x3::skip_over(first, last, context);
    Recorder &record = recorder(context);
    std::size_t mark = record.nodes.size();
    Iterator begin = first;
    if (!this->subject.parse(first, last, context, rule_context, x3::unused)) {
      record.nodes.resize(mark);
      first = begin;
      return false;
    }
    if (!only_several || record.nodes.size() != mark + 1)
      record.wrap(kind, record.span(begin, first), mark);
    return true;
  }
};

// Matches the subject one level deeper; gives up on the whole definition below the limit.
template <class Subject>
struct NestedDirective : x3::unary_parser<Subject, NestedDirective<Subject>>, NoAttribute {
  using base_type = x3::unary_parser<Subject, NestedDirective<Subject>>;
  explicit constexpr NestedDirective(const Subject &inner) : base_type(inner) {}

  template <class Context, class RuleContext, class Attribute>
  bool parse(Iterator &first, const Iterator &last, const Context &context, RuleContext &rule_context,
             Attribute &) const {
    Recorder &record = recorder(context);
    if (record.depth == nesting_limit) {
      record.too_deep = true;
      throw x3::expectation_failure<Iterator>(first, "less nesting");
    }
    ++record.depth;
    bool matched = this->subject.parse(first, last, context, rule_context, x3::unused);
    --record.depth;
    return matched;
  }
};

// node(kind)[subject], several(kind)[subject]
struct NodeMaker {
  Kind kind;
  bool only_several;
  template <class Subject>
  constexpr auto operator[](const Subject &subject) const {
    using Parser = typename x3::extension::as_parser<Subject>::value_type;
    return NodeDirective<Parser>(x3::as_parser(subject), kind, only_several);
  }
};
constexpr NodeMaker node(Kind kind) {
  return {kind, false};
}
constexpr NodeMaker several(Kind kind) { // a single child stands for itself
  return {kind, true};
}

struct NestedMaker {
  template <class Subject>
  constexpr auto operator[](const Subject &subject) const {
    return NestedDirective<typename x3::extension::as_parser<Subject>::value_type>(x3::as_parser(subject));
  }
};
constexpr NestedMaker nested;

bool is_name(std::string_view word) {
  return !is_keyword(word);
}
bool is_step_name(std::string_view word) { // any other word can be the name of a step
  return word != "if" && word != "for" && word != "else" && !starts_definition(word);
}
bool is_loop_mode(std::string_view word) {
  return loop_mode_named(word).has_value();
}
template <int arguments>
bool is_reshape(std::string_view word) {
  const ReshapeOp *op = find_reshape_op(word);
  return op != nullptr && op->arity == arguments;
}

constexpr Symbol symbol(std::string_view text) {
  return Symbol(text);
}
constexpr auto op(std::string_view text) {
  return node(Kind::op)[symbol(text)];
}
template <class Item>
constexpr auto list(const Item &item) { // one or more, with commas
  return item > *(symbol(",") > item);
}

} // namespace

} // namespace atl::parse

namespace boost::spirit::x3 {

template <>
struct get_info<atl::parse::Word> {
  using result_type = std::string;
  std::string operator()(const atl::parse::Word &word) const { return std::string(word.expected); }
};

template <>
struct get_info<atl::parse::Symbol> {
  using result_type = std::string;
  std::string operator()(const atl::parse::Symbol &symbol) const {
    return "'" + std::string(symbol.text) + "'";
  }
};

template <class Left, class Right>
struct get_info<sequence<Left, Right>> {
  using result_type = std::string;
  std::string operator()(const sequence<Left, Right> &parser) const { return what(parser.left); }
};

// Looks ahead, and is never what is missing.
template <class Subject, class Right>
struct get_info<sequence<not_predicate<Subject>, Right>> {
  using result_type = std::string;
  template <class Parser>
  std::string operator()(const Parser &parser) const {
    return what(parser.right);
  }
};

template <class Left, class Right>
struct get_info<alternative<Left, Right>> {
  using result_type = std::string;
  std::string operator()(const alternative<Left, Right> &parser) const {
    return what(parser.left) + " or " + what(parser.right);
  }
};

struct InfoOfSubject {
  using result_type = std::string;
  template <class Parser>
  std::string operator()(const Parser &parser) const {
    return what(parser.subject);
  }
};
template <class Subject>
struct get_info<plus<Subject>> : InfoOfSubject {};
template <class Subject>
struct get_info<atl::parse::NodeDirective<Subject>> : InfoOfSubject {};
template <class Subject>
struct get_info<atl::parse::NestedDirective<Subject>> : InfoOfSubject {};

} // namespace boost::spirit::x3

namespace atl::parse {

namespace {

// A rule is named after what a message says when it is missing.
constexpr x3::rule<struct ExpressionTag> expression{"an expression"};
constexpr x3::rule<struct ConjunctionTag> conjunction{"an expression"};
constexpr x3::rule<struct NegationTag> negation{"an expression"};
constexpr x3::rule<struct ComparisonTag> comparison{"an expression"};
constexpr x3::rule<struct SumTag> sum{"an operand"};
constexpr x3::rule<struct ProductTag> product{"an operand"};
constexpr x3::rule<struct PrefixTag> prefix{"an operand"};
constexpr x3::rule<struct AtomTag> atom{"an operand"};
constexpr x3::rule<struct NumberTag> number{"a number"};
constexpr x3::rule<struct StringTag> string{"a file name in quotation marks"};
constexpr x3::rule<struct BlockTag> block{"'{'"};
constexpr x3::rule<struct TypeTag> type{"a type"};
constexpr x3::rule<struct StepsTag> steps{"'{'"};
constexpr x3::rule<struct StepTag> step{"a step"};
constexpr x3::rule<struct ConditionalStepTag> conditional_step{"'if'"};
constexpr x3::rule<struct InstrNameTag> instr_name{"a name"};
constexpr x3::rule<struct TableTag> table{"'for'"};
constexpr x3::rule<struct DefinitionTag> definition{
    "'import', 'const', 'fn', 'kernel', 'step', 'schedule' or 'hardware'"};

constexpr auto name = node(Kind::word)[Word(is_name, "a name")];
// max(a, b) is an operation; max i < N { ... } and max (a + b) / 2 <= i < N { ... } are reductions.
constexpr auto callee = name | (MinMaxCall() >> node(Kind::word)[Word(is_reduction, "a name")]);
constexpr auto number_def = node(Kind::number)[Token(number_length)];
constexpr auto string_def = node(Kind::string)[Token(string_length)];
constexpr auto literal_word = node(Kind::word)[Word(is_literal_word, "a literal")];

// Expressions, weakest operator first.
constexpr auto expression_def =
    several(Kind::disjunction)[nested[conjunction > *(symbol("or") > conjunction)]];
constexpr auto conjunction_def = several(Kind::conjunction)[negation > *(symbol("and") > negation)];
constexpr auto negation_def = node(Kind::negation)[symbol("not") > nested[negation]] | comparison;
constexpr auto order = op("<=") | op("<") | op(">=") | op(">") | op("==") | op("!=");
constexpr auto comparison_def = several(Kind::comparison)[sum > *(order > sum)];
constexpr auto sum_def = several(Kind::sum)[product > *((op("+") | op("-")) > product)];
constexpr auto guard = node(Kind::guard)[symbol("[") > expression > symbol("]") > nested[product]];
constexpr auto product_def =
    guard | several(Kind::product)[prefix > *((op("*") | op("/") | op("%")) > prefix)];
constexpr auto index_atom = number | name | node(Kind::parens)[symbol("(") > expression > symbol(")")];
constexpr auto reshape =
    node(Kind::reshape)[node(Kind::word)[Word(is_reshape<0>, "a reshape")] > nested[prefix]] |
    node(Kind::reshape)[node(Kind::word)[Word(is_reshape<1>, "a reshape")] > index_atom > nested[prefix]];
constexpr auto prefix_def = node(Kind::negative)[symbol("-") > nested[prefix]] | reshape | atom;

constexpr auto access = node(Kind::access)[(name >> symbol("[")) > list(expression) > symbol("]")];
constexpr auto call = node(Kind::call)[(callee >> symbol("(")) > -list(expression) > symbol(")")];
constexpr auto parens = node(Kind::parens)[symbol("(") > list(expression) > symbol(")")];
constexpr auto concat = node(
    Kind::concat)[symbol("concat") > symbol("(") > expression > symbol(",") > list(expression) > symbol(")")];
constexpr auto binders = node(Kind::binders)[list(comparison)];
// In front of < it is the loop variable.
constexpr auto mode_word = Word(is_loop_mode, "a loop mode") >> !(symbol("<") | symbol("<="));
constexpr auto mode = node(Kind::mode)[-node(Kind::word)[mode_word]];
constexpr auto gen = node(Kind::gen)[symbol("gen") > mode > binders > block];
constexpr auto reduction_word = node(Kind::word)[Word(is_reduction, "a reduction")];
constexpr auto reduce = node(Kind::reduce)[reduction_word > mode > binders > block];
constexpr auto atom_def =
    number | literal_word | access | call | name | parens | block | gen | reduce | concat;

constexpr auto names = node(Kind::names)[symbol("(") > list(name) > symbol(")")];
constexpr auto in_memory = node(Kind::memory_name)[symbol("@") > name];
constexpr auto let =
    node(Kind::let)[symbol("let") > (names | (name > -in_memory)) > symbol("=") > expression > symbol(";")];
constexpr auto block_def = node(Kind::block)[symbol("{") > *let > expression > symbol("}")];

// Steps. Between two expressions stands a word of steps or a comma, so that a missing ';' is seen.
constexpr auto marker = node(Kind::marker)[Word(is_step_marker, "a word of steps")];
constexpr auto comma = node(Kind::comma)[symbol(",")];
constexpr auto composed = node(Kind::composed)[(name >> symbol(".")) > symbol("(") > name > symbol(")")];
constexpr auto operand = !(symbol("{") | Word(is_step_marker, "")) >> (composed | expression);
constexpr auto items = -operand > *((marker | comma) > -operand);
constexpr auto argument = marker | node(Kind::list)[symbol("[") > -list(operand) > symbol("]")] | operand;
constexpr auto some_arguments = argument > *(comma > argument);
constexpr auto arguments_in_parens = symbol("(") > -some_arguments > symbol(")");
constexpr auto arguments = node(Kind::arguments)[arguments_in_parens];
constexpr auto steps_def = node(Kind::steps)[nested[symbol("{") > *step > symbol("}")]];
constexpr auto else_steps = symbol("else") > (node(Kind::steps)[nested[conditional_step]] | steps);
constexpr auto conditional_step_def =
    node(Kind::step)[node(Kind::word)[symbol("if")] > items > steps > -else_steps];
constexpr auto repeated_step = node(Kind::step)[node(Kind::word)[symbol("for")] > name >
                                                node(Kind::marker)[symbol("in")] > some_arguments > steps];
constexpr auto step_word = node(Kind::word)[Word(is_step_name, "a step")];
constexpr auto plain_step =
    node(Kind::step)[step_word > ((arguments > symbol(";")) | (items > (symbol(";") | steps)))];
constexpr auto step_def = conditional_step | repeated_step | plain_step;

// Definitions.
constexpr auto type_def = node(Kind::type)[name > -(symbol("[") > list(expression) > symbol("]"))];
constexpr auto param = node(Kind::param)[name > symbol(":") > type];
constexpr auto params = node(Kind::params)[symbol("(") > -list(param) > symbol(")")];
constexpr auto outputs = node(Kind::outputs)[(symbol("(") > list(param) > symbol(")")) | type];
constexpr auto where = symbol("where") > list(expression);
constexpr auto size_value = node(Kind::size_value)[name > symbol("=") > sum];
constexpr auto such_as = node(Kind::such_as)[symbol("such") > symbol("as") > list(size_value)];
constexpr auto conditions = node(Kind::conditions)[-(where > -such_as)];
constexpr auto exported = node(Kind::exported)[symbol("export")] > symbol("import");
constexpr auto import_file = node(Kind::import_file)[(exported | symbol("import")) > string >
                                                     -node(Kind::alias)[symbol("as") > name] > symbol(";")];
constexpr auto constant = node(
    Kind::constant)[symbol("const") > name > -(symbol(":") > name) > symbol("=") > expression > symbol(";")];
constexpr auto function = node(Kind::function)[symbol("fn") > name > params > symbol("->") > type >
                                               symbol("=") > expression > symbol(";")];
constexpr auto rounding = node(Kind::rounding)[-(symbol("rounding") > list(name))];
constexpr auto kernel = node(
    Kind::kernel)[symbol("kernel") > name > params > symbol("->") > outputs > conditions > rounding > block];
constexpr auto step_params = node(Kind::names)[-(symbol("(") > -list(name) > symbol(")"))];
constexpr auto step_definition = node(Kind::step_definition)[symbol("step") > name > step_params > steps];
constexpr auto another = symbol("=") >
                         node(Kind::step)[name > node(Kind::arguments)[-arguments_in_parens] > symbol(";")];
constexpr auto schedule = node(Kind::schedule)[symbol("schedule") > name > step_params > symbol("for") >
                                               node(Kind::names)[list(name)] > (steps | another)];

// Hardware.
constexpr auto property = node(Kind::property)[name > list(string) > symbol(";")];
constexpr auto bank = -(symbol("in") > symbol("banks") > symbol("of") > number);
constexpr auto rows = node(Kind::rows)[symbol("rows") > symbol("of") > number > symbol("at") > number > bank];
constexpr auto memory = node(Kind::memory)[symbol("memory") > name > number > -rows > symbol("{") >
                                           +node(Kind::property)[name > string > symbol(";")] > symbol("}")];
constexpr auto operand_type = node(Kind::type)[name > -(symbol("[") > list(expression) > symbol("]"))];
constexpr auto aligned = node(Kind::aligned)[symbol("aligned") > number];
constexpr auto instr_param = node(Kind::param)[name > symbol(":") > operand_type > -(in_memory | aligned)];
constexpr auto instr_params = node(Kind::params)[symbol("(") > -list(instr_param) > symbol(")")];
constexpr auto ways = -node(Kind::adds)[symbol("adds")] > -node(Kind::unordered)[symbol("unordered")];
constexpr auto instr_output = node(Kind::outputs)[operand_type > -((in_memory > ways) | aligned)];
constexpr auto need = node(Kind::need)[name > symbol("(") > -list(number | name) > symbol(")")];
constexpr auto needs = node(Kind::needs)[-(symbol("needs") > list(need))];
constexpr auto clobbers = node(Kind::names)[-(symbol("clobbers") > list(name))];
constexpr auto c_text = symbol("c") > node(Kind::names)[string > *string]; // one text, in parts
constexpr auto instr_name_def = node(Kind::word)[Token(holed_name_length)];
constexpr auto instr =
    node(Kind::instr)[symbol("instr") > instr_name > instr_params > symbol("->") > instr_output >
                      node(Kind::conditions)[-where] > needs > clobbers > c_text > block];
constexpr auto row =
    node(Kind::row)[symbol("(") > list(several(Kind::text)[+string] | expression) > symbol(")")];
constexpr auto rows_of_table = node(Kind::table_rows)[list(row)];
constexpr auto table_def = node(Kind::table)[symbol("for") > names > symbol("in") > rows_of_table >
                                             symbol("{") > nested[+(instr | table)] > symbol("}")];
constexpr auto cost = node(Kind::cost)[symbol("cost") > name > number > symbol(";")];
constexpr auto config = node(Kind::configuration)[symbol("config") > name > params > c_text > symbol(";")];
constexpr auto hardware =
    node(Kind::hardware)[symbol("hardware") > name > -node(Kind::names)[symbol("extends") > name] >
                         symbol("{") > *(memory | instr | table | config | cost | property) > symbol("}")];
constexpr auto any_but_import = constant | function | kernel | step_definition | schedule | hardware;
constexpr auto definition_def =
    import_file | any_but_import | node(Kind::private_one)[symbol("private") > any_but_import];

BOOST_SPIRIT_DEFINE(expression, conjunction, negation, comparison, sum, product, prefix, atom, number, string,
                    block, type, steps, step, conditional_step, instr_name, table, definition)

struct Failure {
  Iterator where;
  std::string expected;
};

// Parses one definition at `first`, which moves behind it.
std::optional<Failure> parse_definition(Iterator &first, Iterator last, Recorder &record) {
  record = {record.text_begin, record.file, record.outline, {}};
  try {
    if (x3::phrase_parse(first, last, x3::with<RecorderTag>(record)[definition], Blank()))
      return std::nullopt;
    return Failure{first, x3::what(definition)};
  } catch (const x3::expectation_failure<Iterator> &failure) {
    return Failure{failure.where(), failure.which()};
  }
}

} // namespace

std::vector<Node> parse_definitions(std::string_view text, std::uint32_t file, Reporter &reporter) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  const Outline ahead = outline(text);
  const std::vector<std::uint32_t> &starts = ahead.definitions;
  std::vector<Node> definitions;
  Recorder record{text.data(), file, &ahead, {}};
  Iterator last = text.data() + text.size();
  Iterator first = text.data() + (text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
  while ((first = skip_blank(first, last)) != last && !reporter.is_full()) {
    Iterator begin = first;
    if (std::optional<Failure> failure = parse_definition(first, last, record)) {
      auto offset = static_cast<std::uint32_t>(failure->where - text.data());
      reporter.add(record.too_deep ? nested_too_deeply(text, file, offset)
                                   : syntax_error(text, file, offset, failure->expected));
      record.nodes.clear();
      definitions.push_back(broken_definition(text, file, static_cast<std::uint32_t>(begin - text.data())));
      first = text.data() + next_definition(text, starts, begin - text.data(), offset);
    } else {
      definitions.push_back(std::move(record.nodes.back()));
    }
  }
  return definitions;
}

} // namespace atl::parse
