// A C program that uses the library made from dot.atl; README.md has the commands.
#include "dot.h"

#include <stdio.h>

int main(void) {
  const float x[] = {1, 2, 3}, y[] = {4, 5, 6};
  float product;
  int error = dot(3, x, y, &product);
  if (error != 0) {
    fprintf(stderr, "dot: %s\n", dot_strerror(error));
    return 1;
  }
  printf("%g\n", product);
  printf("a negative size: %s\n", dot_strerror(dot(-1, x, y, &product)));
  return 0;
}
