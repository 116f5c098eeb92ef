// How text is marked on a terminal. Comes in: a text, and what it is. Goes out: the text in a colour, or as
// it is where there are no colours. May use: nothing.
#pragma once
#include <string>

namespace atl {

enum class Mark { strong, good, bad, doubtful, aside };

class Style {
public:
  explicit Style(bool colours = false) : colours_(colours) {}
  std::string operator()(Mark mark, const std::string &text) const;

private:
  bool colours_;
};

} // namespace atl
