// Cycles of square matrix products, as the model of Gemmini counts them: plain loops, and loops whose loads
// stand between the computes. What the hardware needs for plain loops lies between what the model counts for
// cold caches and for warm ones.
#include "gemmini.h"

#include <stdio.h>
#include <stdlib.h>

static int8_t *a, *b, *c;
static int failures;

static int min(int x, int y) {
  return x < y ? x : y;
}

static void start(int n) {
  gemmini_model_reset();
  a = malloc((size_t)n * (size_t)n), b = malloc((size_t)n * (size_t)n), c = calloc((size_t)n, (size_t)n);
  for (int i = 0; i < n * n; ++i)
    a[i] = (int8_t)(rand() % 7 - 3), b[i] = (int8_t)(rand() % 7 - 3);
  gemmini_config_ex(WEIGHT_STATIONARY, 0, 0);
  gemmini_extended3_config_ld(n, 1.0f, false, 0);
  gemmini_extended3_config_ld(n, 1.0f, false, 1);
  gemmini_extended_config_st(n, NO_ACTIVATION, 0.125f);
}

static int expected(int n, int i, int j) {
  int sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[i * n + k] * b[k * n + j];
  double y = (float)sum * 0.125f, down = (double)(int)(y + 1000) - 1000, rest = y - down;
  int rounded = (int)down + (rest > 0.5 || (rest == 0.5 && (int)down % 2 != 0));
  return rounded > 127 ? 127 : rounded < -128 ? -128 : rounded;
}

static void check_results(const char *what, int n) {
  for (int i = 0; i < n * n; ++i)
    if (c[i] != expected(n, i / n, i % n)) {
      printf("%s %d: element %d is %d, not %d\n", what, n, i, c[i], expected(n, i / n, i % n));
      ++failures;
      break;
    }
  if (gemmini_model_statistics().unwritten_reads) {
    printf("%s %d: reads garbage\n", what, n);
    ++failures;
  }
}

// Tiles of 128 x 64 x 64: all loads, then all computes; the stores at the end.
static void plain(int n) {
  const uint32_t weights = 3 * BANK_ROWS, sums = 1U << 31;
  for (int i0 = 0; i0 < n; i0 += 128)
    for (int j0 = 0; j0 < n; j0 += 64) {
      int rows = min(128, n - i0) / 16;
      for (int k0 = 0; k0 < n; k0 += 64) {
        for (int i = 0; i < rows; ++i)
          gemmini_extended_mvin(a + (i0 + 16 * i) * n + k0, (uint32_t)i * 64, 64, 16);
        for (int k = 0; k < 4; ++k)
          gemmini_extended_mvin2(b + (k0 + 16 * k) * n + j0, weights + (uint32_t)k * 64, 64, 16);
        for (int i = 0; i < rows; ++i)
          for (int j = 0; j < 4; ++j)
            for (int k = 0; k < 4; ++k) {
              uint32_t add = k0 + k > 0 ? 1U << 30 : 0;
              gemmini_preload(weights + (uint32_t)(64 * k + 16 * j),
                              sums | add | (uint32_t)(64 * i + 16 * j));
              gemmini_compute_preloaded((uint32_t)(64 * i + 16 * k), GARBAGE_ADDR);
            }
      }
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < 4; ++j)
          gemmini_mvout(c + (i0 + 16 * i) * n + j0 + 16 * j, sums | (uint32_t)(64 * i + 16 * j));
    }
}

// B stays; each block of rows of A is loaded while the one before is multiplied, and a tile is stored while
// the next one is computed.
static void overlapped(int n) {
  const uint32_t weights = BANK_ROWS, sums = 1U << 31;
  int tiles = n / 16, tile = 0;
  for (int i = 0; i < tiles; ++i)
    for (int j = 0; j < tiles; ++j, ++tile) {
      uint32_t sum = sums | (uint32_t)(tile % 4 * 16);
      for (int k = 0; k < tiles; ++k) {
        uint32_t row = (uint32_t)(i % 2 * n + 16 * k), weight = weights + (uint32_t)(16 * (k * tiles + j));
        if (i == 0 && j % 4 == 0)
          gemmini_extended_mvin2(b + 16 * k * n + 16 * j, weight, 64, 16);
        if (j == 0 && k % 4 == 0)
          gemmini_extended_mvin(a + 16 * i * n + 16 * k, row, 64, 16);
        gemmini_preload(weight, sum | (k > 0 ? 1U << 30 : 0));
        gemmini_compute_preloaded(row, GARBAGE_ADDR);
      }
      gemmini_mvout(c + 16 * i * n + 16 * j, sum);
    }
}

// At the first time, and at the second, when code and data are in the caches.
static void run_twice(const char *what, void (*product)(int), int n, double cycles[2]) {
  start(n);
  for (int time = 0; time < 2; ++time) {
    product(n);
    gemmini_fence();
    cycles[time] = gemmini_model_statistics().cycles - (time ? cycles[0] : 0);
  }
  check_results(what, n);
  printf("%s %d: %.0f cycles, then %.0f\n", what, n, cycles[0], cycles[1]);
  free(a), free(b), free(c);
}

static void check(int n, double measured) {
  double loops[2], mixed[2];
  run_twice("plain", plain, n, loops);
  run_twice("overlapped", overlapped, n, mixed);
  if (measured < loops[1] || measured > loops[0] || mixed[1] >= loops[1]) {
    printf("  the hardware needs %.0f for plain loops, and fewer for others\n", measured);
    ++failures;
  }
}

int main(void) {
  check(64, 2803);
  check(128, 15577);
  check(256, 107345);
  return failures != 0;
}
