// The loop of convolutions in hardware, in the model of Gemmini: random sizes in several orders, against
// plain loops.
#include "loop_test.h"

enum { SIDE = 24, CHANNELS = 100, KERNEL = 3, RESULTS = 100 };
static int8_t image[2 * SIDE * SIDE * CHANNELS], weights[KERNEL * KERNEL * CHANNELS * RESULTS];
static int8_t output[2 * SIDE * SIDE * RESULTS];
static int32_t bias[RESULTS];

static int most(int x, int y) {
  return x > y ? x : y;
}

// As many rows and columns of results as of the image, which is surrounded by zeros, or by none.
struct convolution {
  int images, height, width, channels, results, kernel, border, rows, columns, tile_results, has_bias;
};

static struct convolution random_convolution(void) {
  struct convolution c = {1 + below(2),
                          1 + below(SIDE),
                          1 + below(SIDE),
                          1 + below(CHANNELS),
                          1 + below(RESULTS),
                          1 + below(KERNEL),
                          0,
                          1 + below(5),
                          1 + below(20),
                          16 * (1 + below(4)),
                          below(2)};
  c.border = below(c.kernel);
  c.height = most(c.height, c.kernel), c.width = most(c.width, c.kernel);
  return c;
}

static void fill(void) {
  for (size_t i = 0; i < sizeof image; ++i)
    image[i] = (int8_t)(below(256) - 128);
  for (size_t i = 0; i < sizeof weights; ++i)
    weights[i] = (int8_t)(below(256) - 128);
  for (int i = 0; i < RESULTS; ++i)
    bias[i] = below(2000000) - 1000000;
}

static int result_rows(const struct convolution *c) {
  return c->height + 2 * c->border - c->kernel + 1;
}
static int result_columns(const struct convolution *c) {
  return c->width + 2 * c->border - c->kernel + 1;
}

// A block of the results of all images: what is there of the image for it.
static void run_block(const struct convolution *c, int row, int column, int result) {
  const int rows = least(c->rows, result_rows(c) - row),
            columns = least(c->columns, result_columns(c) - column);
  const int results = least(c->tile_results, c->results - result);
  const int top = row - c->border, left = column - c->border, from_row = most(top, 0),
            from_column = most(left, 0);
  const int below_it = most(top + rows + c->kernel - 1 - c->height, 0);
  const int right = most(left + columns + c->kernel - 1 - c->width, 0);
  const void *start = c->has_bias ? (const void *)&bias[result] : (const void *)image;
  gemmini_loop_conv_ws(c->images, c->height, c->width, c->channels, c->results, result_rows(c),
                       result_columns(c), result_rows(c), result_columns(c), 1, c->border, c->kernel, 1, 1, 1,
                       0, c->images, rows, columns, results, c->kernel, c->kernel, c->channels,
                       from_column - left, right, from_row - top, below_it, 0, 0, 0, 0, rows, columns,
                       &weights[result], &output[(row * result_columns(c) + column) * c->results + result],
                       start, &image[(from_row * c->width + from_column) * c->channels], !c->has_bias, true,
                       false, false, false, RELU, false, false, false, false, 1, c->channels, c->results,
                       c->results, false, 0, 0);
}

static void run(const struct convolution *c) {
  gemmini_config_ex(WEIGHT_STATIONARY, 0, 0);
  gemmini_extended_config_st(c->results, RELU, 0.0001f);
  for (int result = 0; result < c->results; result += c->tile_results)
    for (int row = 0; row < result_rows(c); row += c->rows)
      for (int column = 0; column < result_columns(c); column += c->columns)
        run_block(c, row, column, result);
  gemmini_fence();
}

static int expected(const struct convolution *c, int number, int row, int column, int result) {
  int sum = c->has_bias ? bias[result] : 0;
  for (int r = 0; r < c->kernel; ++r)
    for (int s = 0; s < c->kernel; ++s) {
      const int y = row + r - c->border, x = column + s - c->border;
      if (y < 0 || y >= c->height || x < 0 || x >= c->width)
        continue;
      const int8_t *pixel = &image[((number * c->height + y) * c->width + x) * c->channels];
      for (int k = 0; k < c->channels; ++k)
        sum += pixel[k] * weights[((r * c->kernel + s) * c->channels + k) * c->results + result];
    }
  const float scaled = (float)(sum < 0 ? 0 : sum) * 0.0001f;
  int rounded = (int)scaled;
  rounded += scaled - (float)rounded > 0.5f || (scaled - (float)rounded == 0.5f && rounded % 2 != 0);
  return least(rounded, 127);
}

static int count_wrong(const struct convolution *c) {
  const int8_t *next = output;
  int wrong = 0;
  for (int number = 0; number < c->images; ++number)
    for (int row = 0; row < result_rows(c); ++row)
      for (int column = 0; column < result_columns(c); ++column)
        for (int result = 0; result < c->results; ++result)
          wrong += *next++ != expected(c, number, row, column, result);
  return wrong;
}

static int fits(const struct convolution *c) {
  const int image_rows =
      (c->channels + 15) / 16 * c->images * (c->rows + c->kernel - 1) * (c->columns + c->kernel - 1);
  return image_rows + c->tile_results / 16 * c->kernel * c->kernel * c->channels <= 8192 &&
         c->tile_results / 16 * c->images * c->rows * c->columns <= 512;
}

static void check(const struct convolution *c, uint64_t seed) {
  memset(output, 55, sizeof output);
  last_error[0] = 0;
  gemmini_model_seed(seed);
  run(c);
  const int wrong = count_wrong(c);
  if (!wrong && !last_error[0] && !gemmini_model_unwritten_reads())
    return;
  printf("%d x %d x %d x %d to %d, kernel %d, border %d, in blocks of %d x %d x %d, bias %d, order %llu: %d "
         "wrong (%s)\n",
         c->images, c->height, c->width, c->channels, c->results, c->kernel, c->border, c->rows, c->columns,
         c->tile_results, c->has_bias, (unsigned long long)seed, wrong, last_error);
  ++failures;
}

static void refusals(void) {
  const struct convolution any = {1, 8, 8, 16, 16, 3, 1, 4, 8, 16, 1};
  gemmini_model_reset();
  run_block(&any, 0, 0, 0);
  gemmini_fence();
  refused("before");
  gemmini_model_reset();
  run(&any);
  const struct convolution large = {1, 24, 24, 16, 16, 3, 1, 24, 24, 16, 1};
  run_block(&large, 0, 0, 0);
  refused("24 x 24 x 16 results of 3 x 3 x 16 do not fit");
  gemmini_loop_conv_ws(1, 8, 8, 16, 16, 8, 8, 4, 4, 1, 1, 3, 1, 2, 2, 0, 1, 4, 4, 16, 3, 3, 16, 1, 1, 1, 1, 0,
                       0, 0, 0, 8, 8, weights, output, bias, image, false, false, false, false, false, RELU,
                       false, false, false, false, 1, 16, 16, 16, false, 0, 0);
  refused("without transposes, pooling");
}

int main(void) {
  gemmini_model_on_error(remember);
  fill();
  for (int number = 0; number < 25;) {
    const struct convolution c = random_convolution();
    if (!fits(&c))
      continue;
    ++number;
    for (uint64_t seed = 1; seed <= 4; ++seed)
      check(&c, seed);
  }
  refusals();
  return failures != 0;
}
