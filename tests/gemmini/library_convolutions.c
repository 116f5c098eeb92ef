// Cycles of convolutions in the tiles of the library that belongs to the hardware, which uses the hardware's
// loop: as the model counts them, against those of the hardware. The model's loop is too fast.
#include "gemmini.h"

#include <stdio.h>

enum { KERNEL = 3, MOST_TOO_FAST = 16 }; // per cent

// Of a tile: rows, columns and channels of results, and channels of the image.
struct tile {
  int rows, columns, results, channels;
};

static char memory[1 << 20] __attribute__((aligned(65536)));
static int8_t *image, *weights, *output;
static int32_t *bias;
static int failures;

static int least(int x, int y) {
  return x < y ? x : y;
}

static int most(int x, int y) {
  return x > y ? x : y;
}

// A tile of an image of n x n pixels, of which some channels have been added up before.
static void run_tile(int n, int channels, const struct tile *tile, int row, int column, int result,
                     int from) {
  const int rows = least(tile->rows, n - row), columns = least(tile->columns, n - column);
  const int results = least(tile->results, channels - result), deep = least(tile->channels, channels - from);
  const int up = most(1 - row, 0), left = most(1 - column, 0);
  const int down = most(row + rows + 1 - n, 0), right = most(column + columns + 1 - n, 0);
  const int is_last = from + deep == channels;
  gemmini_loop_conv_ws(
      1, n, n, channels, channels, n, n, n, n, 1, 1, KERNEL, 1, 1, 1, 0, 1, rows, columns, results, KERNEL,
      KERNEL, deep, left, right, up, down, 0, 0, 0, 0, rows, columns, weights + from * channels + result,
      is_last ? output + (row * n + column) * channels + result : NULL, from == 0 ? bias + result : NULL,
      image + ((row - 1 + up) * n + column - 1 + left) * channels + from, false, true, false, false, false,
      RELU, false, false, false, false, 1, channels, channels, channels, false, 0, 0);
}

// Tensors lie one behind the other: the model knows the lines of the cache.
static void place(int n, int channels) {
  const int pixels = n * n * channels;
  image = (int8_t *)memory, weights = image + pixels;
  output = weights + KERNEL * KERNEL * channels * channels, bias = (int32_t *)(void *)(output + pixels);
}

static void check(int n, int channels, const struct tile *tile, double measured) {
  place(n, channels);
  gemmini_model_reset();
  gemmini_config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 0);
  gemmini_extended_config_st(channels, RELU, 0.001f);
  for (int row = 0; row < n; row += tile->rows)
    for (int column = 0; column < n; column += tile->columns)
      for (int result = 0; result < channels; result += tile->results)
        for (int from = 0; from < channels; from += tile->channels)
          run_tile(n, channels, tile, row, column, result, from);
  gemmini_fence();
  const double cycles = gemmini_model_cycles(), off = 100 * (cycles / measured - 1);
  printf("%d x %d x %d: %.0f cycles, measured %.0f (%+.1f %%)\n", n, n, channels, cycles, measured, off);
  failures += off > 5 || off < -MOST_TOO_FAST;
}

int main(void) {
  gemmini_model_instructions(20);
  check(28, 128, &(struct tile){22, 23, 16, 128}, 626651);
  check(14, 256, &(struct tile){14, 14, 32, 240}, 707430);
  return failures != 0;
}
