// The programs of the source tree, by definitions: what hostile inputs are made from.
#pragma once
#include "fuzz/hostile_text.h"
#include "fuzz/random.h"

#include <filesystem>
#include <map>
#include <set>

namespace atl::fuzz {

class Corpus {
public:
  // Reads every program below the root that has examples, tests, libraries or descriptions.
  explicit Corpus(const std::filesystem::path &root);

  std::size_t files() const { return files_.size(); }

  // A small program: a definition, what it mentions, and perhaps a schedule for it; imports may be replaced
  // by what is mentioned of them.
  std::string program(Random &random) const;
  const Token &token(Random &random, Token::Kind kind) const;   // of any program
  std::vector<Token> group(Random &random, char bracket) const; // with its brackets
  std::vector<Token> definition(Random &random) const;
  std::vector<Token> step(Random &random) const; // of a schedule, with its ';'

private:
  struct Definition {
    std::string name, text;
    std::set<std::string> mentions;
    bool is_import, is_schedule;
  };
  using File = std::vector<Definition>;

  static File read(const std::string &text);
  const File *imported(const Definition &import) const;
  std::string with_all_mentioned(const File &file, std::set<std::string> wanted, Random &random) const;

  std::vector<File> files_;
  std::map<std::string, std::size_t> by_name_; // of files
  std::map<Token::Kind, std::vector<Token>> tokens_;
  std::map<char, std::vector<std::vector<Token>>> groups_;
  std::vector<std::vector<Token>> steps_;
};

} // namespace atl::fuzz
