#include "fuzz/hostile_corpus.h"

#include "atl/parse/scan.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace atl::fuzz {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t longest_group = 60; // tokens

std::vector<fs::path> programs_below(const fs::path &root) {
  std::vector<fs::path> all;
  for (const char *folder : {"accel", "docs", "examples", "lib", "tests"})
    for (const fs::directory_entry &entry : fs::recursive_directory_iterator(root / folder))
      if (entry.path().extension() == ".atl")
        all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  return all;
}

std::string contents(const fs::path &path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

} // namespace

Corpus::Corpus(const fs::path &root) {
  for (const fs::path &path : programs_below(root)) {
    File file = read(contents(path));
    if (file.empty())
      continue;
    by_name_.emplace(path.filename().string(), files_.size());
    files_.push_back(std::move(file));
  }
  for (const File &file : files_)
    for (const Definition &definition : file) {
      const std::vector<Token> tokens = tokens_of(definition.text);
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        tokens_[tokens[i].kind].push_back(tokens[i]);
        if (definition.is_schedule && tokens[i].text == ";") {
          const Range step = statement_at(tokens, i);
          steps_.emplace_back(tokens.begin() + static_cast<std::ptrdiff_t>(step.begin),
                              tokens.begin() + static_cast<std::ptrdiff_t>(step.end));
        }
        if (tokens[i].kind != Token::Kind::open)
          continue;
        const std::size_t end = behind_group(tokens, i);
        if (end - i <= longest_group)
          groups_[tokens[i].text[0]].emplace_back(tokens.begin() + static_cast<std::ptrdiff_t>(i),
                                                  tokens.begin() + static_cast<std::ptrdiff_t>(end));
      }
    }
}

Corpus::File Corpus::read(const std::string &text) {
  File file;
  if (parse::check_text(text, 0))
    return file;
  std::vector<std::uint32_t> begins = parse::outline(text).definitions;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const std::size_t end = i + 1 < begins.size() ? begins[i + 1] : text.size();
    Definition definition{"", text.substr(begins[i], end - begins[i]), {}, false, false};
    const std::vector<Token> tokens = tokens_of(definition.text);
    definition.is_import = tokens[0].text == "import";
    definition.is_schedule = tokens[0].text == "schedule";
    if (tokens.size() > 1)
      definition.name = tokens[1].text;
    for (const Token &token : tokens)
      if (token.kind == Token::Kind::name)
        definition.mentions.insert(token.text);
    file.push_back(std::move(definition));
  }
  return file;
}

const Corpus::File *Corpus::imported(const Definition &import) const {
  const std::string path = import.name.substr(0, import.name.rfind('"'));
  auto found = by_name_.find(path.substr(path.find_last_of("/\"") + 1));
  return found == by_name_.end() ? nullptr : &files_[found->second];
}

// The definitions of these names, in the order of the file, with those that they mention. Schedules are not
// mentioned by their kernels, and stay out where they are not wanted.
std::string Corpus::with_all_mentioned(const File &file, std::set<std::string> wanted, Random &random) const {
  std::vector<bool> taken(file.size());
  bool more = true;
  while (std::exchange(more, false))
    for (std::size_t i = 0; i < file.size(); ++i)
      if (!taken[i] && !file[i].is_import && wanted.contains(file[i].name)) {
        taken[i] = more = true;
        wanted.insert(file[i].mentions.begin(), file[i].mentions.end());
      }
  std::string text;
  for (std::size_t i = 0; i < file.size(); ++i) {
    const File *other = file[i].is_import ? imported(file[i]) : nullptr;
    if (other && random.chance(80))
      text += with_all_mentioned(*other, wanted, random);
    else if (taken[i] || file[i].is_import)
      text += file[i].text;
  }
  return text;
}

std::string Corpus::program(Random &random) const {
  const File &file = random.pick(files_);
  const Definition &first = random.pick(file);
  std::set<std::string> wanted{first.name};
  std::vector<std::string> schedules;
  for (const Definition &definition : file)
    if (definition.is_schedule && definition.mentions.contains(first.name))
      schedules.push_back(definition.name);
  if (!schedules.empty() && random.chance(80))
    wanted.insert(random.pick(schedules));
  return with_all_mentioned(file, std::move(wanted), random);
}

const Token &Corpus::token(Random &random, Token::Kind kind) const {
  return random.pick(tokens_.at(kind));
}

std::vector<Token> Corpus::group(Random &random, char bracket) const {
  return random.pick(groups_.at(bracket));
}

std::vector<Token> Corpus::step(Random &random) const {
  return random.pick(steps_);
}

std::vector<Token> Corpus::definition(Random &random) const {
  return tokens_of(random.pick(random.pick(files_)).text);
}

} // namespace atl::fuzz
