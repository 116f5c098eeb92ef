#include "proofs/reader/coq/example.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace atl::proofs::reader::coq {

namespace {

// Where the sentence goes on behind these words.
std::size_t behind(const Sentence &sentence, const std::vector<std::string> &words) {
  for (std::size_t i = 0; i < words.size(); ++i)
    if (i >= sentence.size() || sentence[i].text != words[i])
      throw Difference(sentence.empty() ? 0 : sentence[std::min(i, sentence.size() - 1)].at,
                       fmt::format("`{}` should stand here", fmt::join(words, " ")));
  return words.size();
}

// (first) /\ ((second) /\ ...)
void same_conjunction(const Term &term, const std::vector<Pred> &all, std::size_t first, const Sizes &sizes) {
  if (first + 1 == all.size())
    return same_proposition(term, all[first], sizes);
  if (term.kind != Term::Kind::infix || term.text != "/\\")
    throw Difference(term.at, "a hypothesis is missing");
  same_proposition(term.args[0], all[first], sizes);
  same_conjunction(term.args[1], all, first + 1, sizes);
}

} // namespace

void same_example(const Sentence &lemma, const Sentence &proof, const Example &example) {
  std::vector<std::string> statement = {"Lemma", "satisfied", ":"}, values;
  if (!example.names.empty()) { // exists N M : Z, ...; exists (3), (4)
    statement.push_back("exists");
    for (const std::string &name : example.names) {
      statement.push_back(name);
      const std::string value = std::to_string(example.values.at(example.sizes.at(name)));
      values.insert(values.end(), {values.empty() ? "exists" : ",", "(", value, ")"});
    }
    statement.insert(statement.end(), {":", "Z", ","});
    if (behind(proof, values) != proof.size())
      throw Difference(proof[0].at, "more values than sizes");
  }
  const Term says = term_of(lemma, behind(lemma, statement));
  if (!example.hypotheses.empty())
    return same_conjunction(says, example.hypotheses, 0, example.sizes);
  if (!is_word(says, "True"))
    throw Difference(says.at, "there are no hypotheses");
}

} // namespace atl::proofs::reader::coq
