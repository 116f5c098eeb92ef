// The definition around a mistake, as far as its text tells: what advice is made from.
#pragma once
#include "atl/base/diagnostic.h"
#include "atl/parse/declared.h"

namespace atl::parse {

struct Around {
  const Sources &sources;
  std::string_view text;
  std::uint32_t file;
  std::vector<Piece> pieces;
  std::size_t fail; // the piece at the mistake; as many as there are: it is behind all
  Declarations declared;
};

Around around(const Diagnostic &diagnostic, const Sources &sources);

// Of data where an index is needed, of data in a guard, and of an index where data is needed. Proposals,
// which are right only if the program then compiles.
void advise_data_as_index(Diagnostic &diagnostic, const Around &at);
void advise_guard(Diagnostic &diagnostic, const Around &at);
void advise_index_as_data(Diagnostic &diagnostic, const Around &at);

} // namespace atl::parse
