#include "offsets.h"
#include <stdio.h>

enum { rows = 4, columns = 100, more = columns + 10 };
static uint8_t x[rows * more], out[rows * columns];

static int differs(int error, int width, int shift, const char *kernel) {
  for (int i = 0; error == 0 && i < rows; i++)
    for (int j = 0; j < columns; j++)
      if (out[i * columns + j] != x[i * width + j + shift])
        error = 1000;
  if (error != 0)
    printf("%s: %d\n", kernel, error);
  return error != 0;
}

int main(void) {
  for (int i = 0; i < rows * more; i++)
    x[i] = (uint8_t)(i * 7);
  const int64_t great = 9223372036854775700;
  const int64_t N = rows, M = columns, P = 2147483646, Q = 2147483647, U = 2147483647, V = 2147483400;
  int wrong = 0;
  wrong += differs(one_dimension_more(N, M, great, great - 10, x, out), more, 10, "one_dimension_more");
  wrong += differs(one_dimension_more(N, M, 10, 0, x, out), more, 10, "one_dimension_more");
  wrong += differs(small_sizes(N, M, P, Q, U, V, P, Q, U, V - 3, x, out), more, 3, "small_sizes");
  return wrong;
}
