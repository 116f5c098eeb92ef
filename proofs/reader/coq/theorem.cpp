#include "proofs/reader/coq/theorem.h"

#include "atl/syntax/ops/reshape_op.h"
#include "proofs/reader/coq/algorithm.h"
#include "proofs/reader/coq/example.h"
#include "proofs/reader/coq/values.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>
#include <span>

namespace atl::proofs::reader {

namespace coq {

namespace {

using namespace lowering;

using Words = std::vector<std::string_view>;

// What the reader takes to mean what the library says. No definition may change it ...
const Words words_of_data = {
    "block", "SFor", "SIf",     "SAlloc",  "SStore", "Sequential", "Parallel",   "Unrolled",  "Vectorized",
    "None",  "Get",  "Op",      "OfZ",     "OfB",    "If",         "Lit",        "Var",       "Add",
    "Sub",   "Mul",  "Div",     "Cdiv",    "Mod",    "Min",        "Max",        "Truth",     "Lt",
    "Le",    "Gt",   "Ge",      "Eq",      "Ne",     "And",        "Or",         "Not",       "true",
    "false", "stmt", "Gen",     "Sum",     "Guard",  "Let",        "Concat",     "Reshape",   "Scalar",
    "Cell",  "PLet", "Outputs", "program", "expr",   "nat",        "Addressing", "addressing"};
// ... and no variable those that stand behind the variables.
const Words words_of_theorem = {
    "compiled", "Some",       "Z",        "env",     "dims",        "cdiv",
    "True",     "False",      "Scalars",  "S",       "int64_min",   "int64_max",
    "commutes", "associates", "has_unit", "absorbs", "distributes", "has_left_unit"};

bool has(const Words &words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// A law of scalars, and of how many operations and constants it is.
std::size_t parameters_of_law(std::string_view law) {
  if (has({"commutes", "associates"}, law))
    return 1;
  return has({"has_unit", "has_left_unit", "distributes", "absorbs"}, law) ? 2 : 0;
}

bool begins(const Sentence &sentence, std::initializer_list<std::string_view> words) {
  return sentence.size() >= words.size() &&
         std::equal(words.begin(), words.end(), sentence.begin(),
                    [](std::string_view wanted, const Word &word) { return word.text == wanted; });
}

class Theorem {
public:
  Theorem(std::string_view text, const TheoremSubject &subject)
      : subject_(subject), kernel_(subject.loops), sentences_(sentences_of(text)) {}

  void compare() {
    read_sentences();
    sizes();
    hypotheses();
    example();
    Buffers buffers;
    same_buffers("inputs", kernel_.inputs, buffers);
    same_buffers("outputs", kernel_.outputs, buffers);
    same_block(definition("nest", "stmt"), kernel_.body, buffers);
    addresses();
    same_algorithm(definition("alg", "program"), subject_.algorithm,
                   [this](const std::string &name, std::string_view type) { return definition(name, type); });
  }

  std::vector<std::string> laws;

private:
  // Nothing but definitions, lemmas and one section; the theorem in it, and its assumptions printed last.
  void read_sentences() {
    if (sentences_.empty() || !begins(sentences_[0], {"From", "ATL", "Require", "Import", "Exported"}) ||
        sentences_[0].size() != 5)
      throw Difference(0, "the file begins with something other than the library");
    for (std::size_t i = 1; i < sentences_.size(); ++i)
      if (!skipped_as_proof(sentences_[i])) {
        read(sentences_[i], i + 1 == sentences_.size());
        if (begins(sentences_[i], {"Lemma", "satisfied"}) && sections_.empty())
          satisfied_ = i;
      }
    if (!stated_ || !printed_)
      throw Difference(0, "there is no theorem `correct` whose assumptions are printed");
  }

  // Proofs are tactics, which begin with a small letter: a command could end the proof in another way.
  bool skipped_as_proof(const Sentence &sentence) {
    const bool was = in_proof_, ends = begins(sentence, {"Qed"});
    auto first = std::find_if(sentence.begin(), sentence.end(),
                              [](const Word &word) { return word.kind == Word::Kind::word; });
    if (was && !ends && (first == sentence.end() || first->text[0] < 'a' || first->text[0] > 'z'))
      throw Difference(sentence.empty() ? 0 : sentence[0].at, "a proof contains what is no tactic");
    in_proof_ = was ? !ends : sentence.size() == 1 && begins(sentence, {"Proof"});
    return was || in_proof_;
  }

  void read(const Sentence &sentence, bool is_last) {
    const std::uint32_t at = sentence.empty() ? 0 : sentence[0].at;
    if (sentence.size() > 1 && begins(sentence, {"Section"}))
      sections_.push_back(sentence[1].text);
    else if (begins(sentence, {"End"}) && !sections_.empty())
      sections_.pop_back();
    else if (begins(sentence, {"Definition"}) || begins(sentence, {"Lemma"}))
      define(sentence);
    else if (begins(sentence, {"Variables"}))
      variables(sentence);
    else if (begins(sentence, {"Hypothesis"}))
      hypothesis(sentence);
    else if (begins(sentence, {"Theorem"}))
      theorem(sentence);
    else if (is_last && begins(sentence, {"Print", "Assumptions", "correct"}))
      printed_ = sections_.empty();
    else
      throw Difference(at, "such a sentence does not stand in the file of a theorem");
  }

  bool in_section_of_sizes() const { return sections_ == std::vector<std::string>{"Sizes"}; }

  const Word &named(const Sentence &sentence, std::size_t n) {
    if (sentence.size() <= n)
      throw Difference(sentence[0].at, "a name is missing");
    const Word &word = sentence[n];
    const bool is_data = sections_.empty() || begins(sentence, {"Definition"}) || begins(sentence, {"Lemma"});
    const bool is_of_data = has(words_of_data, word.text) || find_reshape_op(word.text);
    if (has(words_of_theorem, word.text) || (is_data && is_of_data))
      throw Difference(word.at, fmt::format("{} is a word of the library", word.text));
    if (!names_.insert(word.text).second)
      throw Difference(word.at, fmt::format("{} is defined twice", word.text));
    return word;
  }

  void define(const Sentence &sentence) {
    const std::string &name = named(sentence, 1).text;
    if (!begins(sentence, {"Definition"}))
      return;
    for (std::string_view type : {"program", "expr", "stmt", "addressing"})
      if (!sections_.empty() && begins(sentence, {"Definition", name, ":", type}))
        throw Difference(sentence[0].at, "the algorithm or the loop nest is defined behind the variables");
    definitions_.emplace(name, &sentence);
  }

  void variables(const Sentence &sentence) { // Variables N M : Z
    for (std::size_t i = 1; i + 2 < sentence.size(); ++i)
      variables_.insert(named(sentence, i).text);
    if (!in_section_of_sizes() || sentence.size() < 3 || sentence.back().text != "Z" ||
        sentence[sentence.size() - 2].text != ":")
      throw Difference(sentence[0].at, "variables that are not the sizes");
  }

  void hypothesis(const Sentence &sentence) { // those of a version are gone at its end
    if (in_section_of_sizes() && !named(sentence, 1).text.empty())
      given_.push_back(&sentence);
    else if (sections_.size() < 2)
      throw Difference(sentence[0].at, "a hypothesis outside of the section");
  }

  // Theorem correct {S : Scalars} (law_1 : ...) : compiled addresses sizes inputs outputs alg nest
  void theorem(const Sentence &sentence) {
    if (named(sentence, 1).text != "correct")
      return; // of a version
    static constexpr std::array<std::string_view, 7> head = {"Theorem", "correct", "{", "S",
                                                             ":",       "Scalars", "}"};
    static constexpr std::array<std::string_view, 8> says = {":",      "compiled", "addresses", "sizes",
                                                             "inputs", "outputs",  "alg",       "nest"};
    std::size_t next = expect(sentence, 0, head);
    while (next < sentence.size() && sentence[next].text == "(")
      next = law(sentence, next);
    if (expect(sentence, next, says) != sentence.size() || !in_section_of_sizes())
      not_the_theorem(sentence);
    stated_ = true;
  }

  // (law_1 : has_unit "+.f32" "f32:0.0"); where it ends.
  std::size_t law(const Sentence &sentence, std::size_t begin) {
    if (begin + 4 >= sentence.size() || sentence[begin + 2].text != ":")
      not_the_theorem(sentence);
    std::string text = sentence[begin + 3].text;
    const std::size_t parameters = parameters_of_law(text), end = begin + 4 + parameters;
    if (parameters == 0 || end >= sentence.size() || sentence[end].text != ")")
      not_the_theorem(sentence);
    for (std::size_t i = begin + 4; i < end; ++i) {
      if (sentence[i].kind != Word::Kind::text)
        not_the_theorem(sentence);
      text += fmt::format(" \"{}\"", sentence[i].text);
    }
    laws.push_back(std::move(text));
    return end + 1;
  }

  static std::size_t expect(const Sentence &sentence, std::size_t from,
                            std::span<const std::string_view> words) {
    for (std::string_view word : words)
      if (from >= sentence.size() || sentence[from++].text != word)
        not_the_theorem(sentence);
    return from;
  }

  [[noreturn]] static void not_the_theorem(const Sentence &sentence) {
    throw Difference(sentence[0].at, "the theorem does not say that the loop nest computes the algorithm");
  }

  // Definition NAME : TYPE := term
  Term definition(const std::string &name, std::string_view type) const {
    auto found = definitions_.find(name);
    if (found == definitions_.end())
      throw Difference(0, fmt::format("{} is not defined", name));
    const Sentence &sentence = *found->second;
    if (!begins(sentence, {"Definition", name, ":", type, ":="}))
      throw Difference(sentence[0].at, fmt::format("{} is not a {}", name, type));
    return term_of(sentence, 5);
  }

  // Each size is a variable of its own.
  void sizes() {
    const Term term = definition("sizes", "env");
    std::vector<std::string> wanted;
    for (const Param &param : kernel_.params)
      if (param.kind == Param::Kind::size)
        wanted.push_back(param.name);
    if (term.kind != Term::Kind::list || term.args.size() != wanted.size() ||
        variables_.size() != wanted.size())
      throw Difference(term.at, "the sizes are others");
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const Term &pair = term.args[i];
      if (pair.kind != Term::Kind::pair)
        throw Difference(pair.at, "a size and its value are expected");
      same_name(pair.args[0], wanted[i]);
      if (!variables_.contains(pair.args[1].text) || !sizes_.emplace(pair.args[1].text, wanted[i]).second)
        throw Difference(pair.at, "a size is not a variable of its own");
      size_variables_.push_back(pair.args[1].text);
    }
  }

  void hypotheses() const {
    if (given_.size() != kernel_.assumptions.size())
      throw Difference(given_.empty() ? 0 : given_.back()->front().at,
                       fmt::format("{} hypotheses, and the C checks {} at entry", given_.size(),
                                   kernel_.assumptions.size()));
    for (std::size_t i = 0; i < given_.size(); ++i) // Hypothesis given1 : ...
      same_proposition(term_of(*given_[i], 3), kernel_.assumptions[i], sizes_);
  }

  void example() const { // Lemma satisfied : ... Proof. exists ...
    if (satisfied_ == 0 || satisfied_ + 2 >= sentences_.size() ||
        !begins(sentences_[satisfied_ + 1], {"Proof"}))
      throw Difference(0, "nothing says that some sizes satisfy the hypotheses");
    same_example(sentences_[satisfied_], sentences_[satisfied_ + 2],
                 {size_variables_, sizes_, kernel_.assumptions, subject_.example});
  }

  // [("x", Some [N; M]); ...]
  void same_buffers(const std::string &name, const std::vector<Buffer> &wanted, Buffers &into) {
    const Term term = definition(name, "dims");
    if (term.kind != Term::Kind::list || term.args.size() != wanted.size())
      throw Difference(term.at, fmt::format("the loop nest has other {}", name));
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const Term &pair = term.args[i];
      if (pair.kind != Term::Kind::pair || !applies(pair.args[1], "Some", 1))
        throw Difference(pair.at, "a buffer and its extents are expected");
      same_name(pair.args[0], wanted[i].name);
      const Term &extents = pair.args[1].args[1];
      if (extents.kind != Term::Kind::list || extents.args.size() != wanted[i].dims.size())
        throw Difference(extents.at, fmt::format("{} has other extents", wanted[i].name));
      for (std::size_t k = 0; k < extents.args.size(); ++k)
        same_integer(extents.args[k], wanted[i].dims[k], sizes_);
      into[wanted[i].name] = wanted[i].name;
      note_bytes(wanted[i].name, wanted[i].elem, pair.at);
    }
  }

  // Buffers of one name have cells of one size, as `addresses` goes by names.
  void note_bytes(const std::string &name, Elem elem, std::uint32_t at) {
    const std::string bytes = std::to_string(byte_size(elem));
    if (bytes_.emplace(name, bytes).first->second != bytes)
      throw Difference(at, fmt::format("buffers named {} have cells of different sizes", name));
  }

  // Addressing [("x", 4); ...] [index; ...]
  void addresses() const {
    const Term term = definition("addresses", "addressing");
    need(term, "Addressing", 2);
    std::map<std::string, std::string> bytes;
    for (const Term &pair : list(term.args[1])) {
      if (pair.kind != Term::Kind::pair || pair.args[0].kind != Term::Kind::text ||
          pair.args[1].kind != Term::Kind::number ||
          !bytes.emplace(pair.args[0].text, pair.args[1].text).second)
        throw Difference(pair.at, "a buffer and the bytes of its cells are expected");
    }
    if (bytes != bytes_)
      throw Difference(term.at, "the cells of the buffers have other sizes");
    same(term.args[2], kernel_.apart);
  }

  static const Terms &list(const Term &term) {
    if (term.kind != Term::Kind::list)
      throw Difference(term.at, "a list is expected");
    return term.args;
  }

  // A version is a definition of its own.
  void same_block(const Term &term, const Block &block, const Buffers &buffers) {
    if (term.kind == Term::Kind::word)
      return same_block(definition(term.text, "stmt"), block, buffers);
    if (!applies(term, "block", 1) || term.args[1].kind != Term::Kind::list)
      throw Difference(term.at, "a block is expected");
    const Terms &all = term.args[1].args;
    if (all.size() != block.size())
      throw Difference(term.at, fmt::format("the loop nest has {} statements here", block.size()));
    for (std::size_t i = 0; i < all.size(); ++i)
      same_statement(all[i], block[i], buffers);
  }

  void same_statement(const Term &term, const Stmt &stmt, const Buffers &buffers) {
    match(
        stmt,
        [&](const For &loop) {
          need(term, "SFor", 5);
          same_mode(term.args[1], loop.mode);
          same_name(term.args[2], loop.var);
          same(term.args[3], loop.lo);
          same(term.args[4], loop.hi);
          same_block(term.args[5], loop.body, buffers);
        },
        [&](const If &branch) {
          need(term, "SIf", 2);
          same(term.args[1], branch.pred);
          same_block(term.args[2], branch.body, buffers);
        },
        [&](const Alloc &alloc) {
          need(term, "SAlloc", 3);
          same(term.args[2], alloc.buffer.dims);
          same_block(term.args[3], alloc.body, allocated(term.args[1], alloc.buffer, buffers));
        },
        [&](const Store &store) {
          need(term, "SStore", 4);
          same_buffer(term.args[1], store.buffer, buffers);
          same(term.args[2], store.indices);
          same_combination(term.args[3], store);
          same_scalar(term.args[4], store.value, buffers);
        });
  }

  // The theorem may call a temporary otherwise, but not as another one that is alive.
  Buffers allocated(const Term &name, const Buffer &buffer, Buffers buffers) {
    const bool taken = std::any_of(buffers.begin(), buffers.end(),
                                   [&](const auto &alive) { return alive.second == name.text; });
    if (name.kind != Term::Kind::text || taken)
      throw Difference(name.at, fmt::format("{} has no name of its own", buffer.name));
    note_bytes(name.text, buffer.elem, name.at);
    buffers[buffer.name] = name.text;
    return buffers;
  }

  static void same_combination(const Term &term, const Store &store) {
    if (!store.combine) {
      if (!is_word(term, "None"))
        throw Difference(term.at, "the loop nest overwrites the cell here");
      return;
    }
    need(term, "Some", 1);
    same_name(term.args[1],
              fmt::format("{}.{}", combiner(*store.combine).name, name(store.value->type->elem)));
  }

  const TheoremSubject &subject_;
  const LoopKernel &kernel_;
  std::vector<Sentence> sentences_;
  std::vector<std::string> sections_;
  std::set<std::string> names_, variables_;
  std::map<std::string, const Sentence *> definitions_;
  std::vector<const Sentence *> given_;
  Sizes sizes_;
  std::map<std::string, std::string> bytes_; // of a cell of each buffer, by its name in the theorem
  std::vector<std::string> size_variables_;  // in the order of the sizes
  std::size_t satisfied_ = 0;                // the sentence of this lemma
  bool in_proof_ = false, stated_ = false, printed_ = false;
};

} // namespace

} // namespace coq

Result<std::vector<std::string>> read_theorem(std::string_view text, const TheoremSubject &subject,
                                              std::uint32_t file) {
  try {
    coq::Theorem theorem(text, subject);
    theorem.compare();
    return std::move(theorem.laws);
  } catch (const Difference &d) {
    return Diagnostic{Code::theorem_differs, Span{file, d.at, d.at + 1}, d.what(), {}};
  }
}

} // namespace atl::proofs::reader
