#include "atl/schedule/steps/signature.h"

#include "atl/base/check.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace atl::schedule {

namespace {

// What a word in capitals stands for. One that is not here is a name.
struct Meaning {
  std::string_view word;
  Parameter::Kind kind;
};
constexpr std::array meanings{
    Meaning{"LOOP", Parameter::Kind::loop},      Meaning{"CONDITION", Parameter::Kind::condition},
    Meaning{"COUNT", Parameter::Kind::index},    Meaning{"DIMENSION", Parameter::Kind::index},
    Meaning{"DISTANCE", Parameter::Kind::index}, Meaning{"FACTOR", Parameter::Kind::index},
    Meaning{"PLACE", Parameter::Kind::index},    Meaning{"SIZE", Parameter::Kind::index},
    Meaning{"SUM", Parameter::Kind::index},
};

Parameter::Kind kind_of(std::string_view word) {
  auto meaning =
      std::find_if(meanings.begin(), meanings.end(), [&](const Meaning &m) { return m.word == word; });
  return meaning == meanings.end() ? Parameter::Kind::name : meaning->kind;
}

bool is_parameter(std::string_view word) {
  return std::isupper(static_cast<unsigned char>(word[0])) != 0;
}

// Words, and [ ] , | alone.
std::vector<std::string_view> tokens_of(std::string_view usage) {
  std::vector<std::string_view> tokens;
  while (!usage.empty()) {
    std::size_t length = std::min(usage.find_first_of(" [],|"), usage.size());
    std::string_view token = usage.substr(0, std::max<std::size_t>(length, 1));
    if (token != " ")
      tokens.push_back(token);
    usage.remove_prefix(token.size());
  }
  return tokens;
}

class Parser {
public:
  explicit Parser(std::string_view usage) : tokens_(tokens_of(usage)) {}

  Signature signature() {
    result_.name = take();
    result_.parts = parts(false);
    ATL_CHECK(next_ == tokens_.size(), "a usage is not understood: " + std::string(result_.name));
    return std::move(result_);
  }

private:
  bool is(std::string_view token) const { return next_ < tokens_.size() && tokens_[next_] == token; }
  std::string_view take() { return tokens_.at(next_++); }

  std::vector<Part> parts(bool optional) {
    std::vector<Part> all;
    while (next_ < tokens_.size() && !is("]")) {
      std::string_view token = take();
      if (token == "[")
        add_optional(all);
      else if (token == "...")
        repeat_last(all);
      else if (token == "{")
        take_block();
      else if (token == ",")
        all.push_back({Part::Kind::comma});
      else if (is("|"))
        all.push_back(argument(choice(token), optional));
      else if (is_parameter(token))
        all.push_back(argument({kind_of(token)}, optional));
      else
        all.push_back({Part::Kind::word, token});
    }
    return all;
  }

  Part argument(Parameter parameter, bool optional) {
    parameter.optional = optional;
    if (every_) {
      ATL_CHECK(parameter.kind == Parameter::Kind::loop, "`[every]` is not before a loop");
      parameter.kind = Parameter::Kind::loops;
      every_ = false;
    }
    result_.parameters.push_back(std::move(parameter));
    return {Part::Kind::argument, {}, result_.parameters.size() - 1};
  }

  Parameter choice(std::string_view first) {
    Parameter parameter{Parameter::Kind::choice};
    parameter.choices.push_back(first);
    while (is("|")) {
      take();
      parameter.choices.push_back(take());
    }
    return parameter;
  }

  void add_optional(std::vector<Part> &all) {
    std::vector<Part> inside = parts(true);
    ATL_CHECK(is("]") && !inside.empty() && inside[0].kind == Part::Kind::word,
              "an optional part of a usage does not begin with a word");
    take();
    if (inside.size() == 1 && inside[0].word == "every")
      every_ = true;
    else
      all.push_back({Part::Kind::optional, {}, 0, std::move(inside)});
  }

  // Of `LOOP by FACTOR, LOOP by FACTOR ...`: what follows the comma stands for the same parameters again.
  void repeat_last(std::vector<Part> &all) {
    auto found =
        std::find_if(all.rbegin(), all.rend(), [](const Part &p) { return p.kind == Part::Kind::comma; });
    ATL_CHECK(found != all.rend(), "`...` has no comma before it");
    const auto comma = found.base() - 1;
    std::vector<Part> again(comma, all.end());
    all.erase(comma, all.end());
    const std::size_t length = again.size() - 1;
    ATL_CHECK(length <= all.size(), "`...` repeats nothing");
    for (std::size_t i = 0; i < length; ++i) {
      Part &now = again[i + 1];
      const Part &before = all[all.size() - length + i];
      ATL_CHECK(now.kind == before.kind && now.word == before.word, "`...` repeats something else");
      if (now.kind != Part::Kind::argument)
        continue;
      result_.parameters.pop_back();
      now.parameter = before.parameter;
      result_.parameters[now.parameter].list = true;
    }
    all.push_back({Part::Kind::repeated, {}, 0, std::move(again)});
  }

  void take_block() {
    while (take() != "}")
      ;
    result_.has_block = true;
  }

  std::vector<std::string_view> tokens_;
  std::size_t next_ = 0;
  bool every_ = false; // `[every]` was just read
  Signature result_;
};

} // namespace

Signature signature_of(std::string_view usage) {
  return Parser(usage).signature();
}

} // namespace atl::schedule
