// Text that breaks into lines where it has to: Wadler's "A prettier printer", made strict.
#pragma once
#include <memory>
#include <string>
#include <vector>

namespace atl::layout {

struct Node;
using Doc = std::shared_ptr<const Node>;

Doc text(std::string content); // without newlines
Doc line();                    // a space, or a new line where its group is broken
Doc gap();                     // nothing, or a new line where its group is broken
Doc hard_line();               // always a new line; breaks all groups around it
Doc cat(std::vector<Doc> parts);
Doc nest(int indent, Doc content); // new lines inside are indented further
Doc group(Doc content);            // on one line if it fits, otherwise broken at all its own lines
Doc list(const std::vector<Doc> &items, const std::string &separator, const Doc &between);

std::string render(const Doc &doc, int width, int indent);

} // namespace atl::layout
