// Multiplies two matrices on the model of Gemmini, and says what it took: main M N K
#include "gemmini.h"
#include "gemmini_matmul.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  int64_t m = atol(argv[1]), n = atol(argv[2]), k = atol(argv[3]);
  int8_t *a = malloc((size_t)(m * k)), *b = malloc((size_t)(k * n)), *c = malloc((size_t)(m * n));
  if (!a || !b || !c)
    return 1;
  for (int64_t i = 0; i < m * k; ++i)
    a[i] = (int8_t)(i % 7 - 3);
  for (int64_t i = 0; i < k * n; ++i)
    b[i] = (int8_t)(i % 5 - 2);
  int error = matmul(m, n, k, a, b, 0.25f, c);
  if (error)
    printf("%s\n", gemmini_matmul_strerror(error));
  else
    gemmini_model_report(stdout);
  free(a), free(b), free(c);
  return error != 0;
}
