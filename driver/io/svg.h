// Drawings as SVG. Coordinates are in pixels, from the upper left corner.
#pragma once
#include <string>

namespace atl::driver::svg {

std::string escaped(const std::string &text); // as the content of an element
std::string text(double x, double y, const std::string &anchor,
                 const std::string &content);                                  // start, middle, end
std::string document(double width, double height, const std::string &content); // on white

} // namespace atl::driver::svg
