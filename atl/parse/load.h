// The files of a program: the one given, and all that it imports.
#pragma once
#include "atl/parse/parse.h"
#include "atl/parse/reporter.h"
#include "atl/parse/surface.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace atl::parse {

struct Definition {
  Node node;
  bool is_private; // only its own file may name it
};

// What a file can name of another one.
struct Import {
  Span span;
  std::uint32_t file;    // the other one
  std::string qualifier; // what it is called: blur, of blur.tile; empty: its name is no word of the language
  bool is_open;          // tile stands for blur.tile
  bool is_exported;      // who imports the importing file can name it, too
};

struct Loaded {
  std::uint32_t main = 0;
  std::vector<Definition> definitions; // imported ones first
  std::map<std::uint32_t, std::vector<Import>> imports;
  bool complete = true;                      // nothing is missing
  std::set<std::string, std::less<>> unread; // words that may be defined by what is no definition
};

// The name of the file without folder and ending, if it can be a qualifier; else empty.
std::string qualifier_of(const std::string &path);

// Adds the imported files to `sources`, each once.
Loaded load(Sources &sources, std::uint32_t file, const Importer *importer, Reporter &reporter);

} // namespace atl::parse
