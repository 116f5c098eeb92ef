// The loop of products in hardware, in the model of Gemmini: random sizes in several orders, against plain
// loops.
#include "loop_test.h"

enum { MOST = 200 };
static int8_t a[MOST * MOST], b[MOST * MOST], low_bias[MOST * MOST];
static int32_t bias[MOST * MOST], wide[MOST * MOST];
static int8_t narrow[MOST * MOST];

struct product {
  int rows, cols, depth; // depth is a multiple of 16
  int tile_rows, tile_cols;
  int has_bias, is_low, is_wide;
};

static struct product random_product(void) {
  return (struct product){1 + below(MOST),
                          1 + below(MOST),
                          16 * (1 + below(MOST / 16)),
                          16 * (1 + below(4)),
                          16 * (1 + below(8)),
                          below(2),
                          below(2),
                          below(2)};
}

static void fill(void) {
  for (int i = 0; i < MOST * MOST; ++i) {
    a[i] = (int8_t)(below(256) - 128), b[i] = (int8_t)(below(256) - 128);
    low_bias[i] = (int8_t)(below(256) - 128), bias[i] = below(2000000) - 1000000;
  }
}

static void run(const struct product *p) {
  const int k = p->depth, n = p->cols;
  gemmini_config_ex(WEIGHT_STATIONARY, 0, 0);
  gemmini_extended3_config_ld(k, 1.0f, false, 0);
  gemmini_extended3_config_ld(n, 1.0f, false, 1);
  gemmini_extended3_config_ld(n * (p->is_low ? 1 : 4), 1.0f, p->is_low, 2);
  gemmini_extended_config_st(n * (p->is_wide ? 4 : 1), RELU, 0.001f);
  for (int i = 0; i < p->rows; i += p->tile_rows)
    for (int j = 0; j < n; j += p->tile_cols) {
      const int rows = least(p->tile_rows, p->rows - i), cols = least(p->tile_cols, n - j), at = i * n + j;
      const void *d = p->is_low ? (const void *)&low_bias[at] : (const void *)&bias[at];
      void *c = p->is_wide ? (void *)&wide[at] : (void *)&narrow[at];
      gemmini_loop_ws((rows + 15) / 16, (cols + 15) / 16, k / 16, (16 - rows % 16) % 16,
                      (16 - cols % 16) % 16, 0, &a[i * k], &b[j], p->has_bias ? d : 0, c, k, n, n, n, false,
                      false, p->is_wide, p->is_low, p->has_bias, RELU, 0, 0, false);
    }
  gemmini_fence();
}

static int expected(const struct product *p, int i, int j) {
  int sum = !p->has_bias ? 0 : p->is_low ? low_bias[i * p->cols + j] : bias[i * p->cols + j];
  for (int k = 0; k < p->depth; ++k)
    sum += a[i * p->depth + k] * b[k * p->cols + j];
  if (p->is_wide)
    return sum;
  const float scaled = (float)(sum < 0 ? 0 : sum) * 0.001f;
  int rounded = (int)scaled;
  rounded += scaled - (float)rounded > 0.5f || (scaled - (float)rounded == 0.5f && rounded % 2 != 0);
  return least(rounded, 127);
}

static void check(const struct product *p, uint64_t seed) {
  memset(wide, 55, sizeof wide), memset(narrow, 55, sizeof narrow);
  last_error[0] = 0;
  gemmini_model_seed(seed);
  run(p);
  int wrong = 0;
  for (int i = 0; i < p->rows; ++i)
    for (int j = 0; j < p->cols; ++j) {
      const int at = i * p->cols + j;
      wrong += (p->is_wide ? wide[at] : narrow[at]) != expected(p, i, j);
    }
  if (!wrong && !last_error[0] && !gemmini_model_unwritten_reads())
    return;
  printf("%d x %d x %d in tiles of %d x %d, bias %d, low %d, wide %d, order %llu: %d wrong (%s)\n", p->rows,
         p->cols, p->depth, p->tile_rows, p->tile_cols, p->has_bias, p->is_low, p->is_wide,
         (unsigned long long)seed, wrong, last_error);
  ++failures;
}

static void refusals(void) {
  gemmini_model_reset();
  gemmini_loop_ws(1, 1, 1, 0, 0, 0, a, b, 0, narrow, 16, 16, 0, 16, false, false, false, false, false, 0, 0,
                  0, false);
  gemmini_fence();
  refused("before");
  const struct product any = {16, 16, 16, 16, 16, 0, 0, 0};
  gemmini_model_reset();
  run(&any);
  gemmini_loop_ws(5, 7, 1, 0, 0, 0, a, b, 0, narrow, 16, 112, 0, 112, false, false, false, false, false, 0, 0,
                  0, false);
  refused("5 x 7 x 1 blocks do not fit");
  gemmini_loop_ws(4, 8, 43, 0, 0, 0, a, b, 0, narrow, 688, 128, 0, 128, false, false, false, false, false, 0,
                  0, 0, false);
  refused("4 x 8 x 43 blocks do not fit");
  gemmini_loop_ws(1, 1, 1, 16, 0, 0, a, b, 0, narrow, 16, 16, 0, 16, false, false, false, false, false, 0, 0,
                  0, false);
  refused("do not fit");
  gemmini_loop_ws(1, 1, 1, 0, 0, 0, a, b, 0, narrow, 16, 16, 0, 16, true, false, false, false, false, 0, 0, 0,
                  false);
  refused("without transposes");
  gemmini_extended_mvin(a, 0, 16, 16); // and the CPU may have waited for nothing
  gemmini_preload(0, 1U << 31);
  gemmini_loop_ws(1, 1, 1, 0, 0, 0, a, b, 0, narrow, 16, 16, 0, 16, false, false, false, false, false, 0, 0,
                  0, false);
  refused("not followed by its compute");
}

int main(void) {
  gemmini_model_on_error(remember);
  fill();
  for (int number = 0; number < 60; ++number) {
    const struct product p = random_product();
    for (uint64_t seed = 1; seed <= 5; ++seed)
      check(&p, seed);
  }
  refusals();
  return failures != 0;
}
