/* Fused multiply-adds that wait for nothing but each other: as many chains of vectors as the registers hold besides two. */
#include <stdint.h>

#pragma GCC optimize("fp-contract=fast")

#if defined(__AVX512F__)
#define LANES 16
#define CHAINS 24
#elif defined(__AVX__)
#define LANES 8
#define CHAINS 12
#else
#define LANES 4
#define CHAINS 12
#endif

typedef float vector __attribute__((vector_size(LANES * sizeof(float))));

int64_t peak_operations_per_step(void) {
  return 2 * LANES * CHAINS;
}

float peak_multiply_and_add(int64_t steps) {
  vector x, y, sum[CHAINS];
  for (int lane = 0; lane < LANES; ++lane)
    x[lane] = 0.999f, y[lane] = 1e-3f;
#pragma GCC unroll 24
  for (int c = 0; c < CHAINS; ++c)
    sum[c] = x * (float)c;
  for (int64_t step = 0; step < steps; ++step) {
#pragma GCC unroll 24
    for (int c = 0; c < CHAINS; ++c)
      sum[c] = sum[c] * x + y;
  }
  float total = 0;
  for (int c = 0; c < CHAINS; ++c)
    for (int lane = 0; lane < LANES; ++lane)
      total += sum[c][lane];
  return total;
}
