// The loop of convolutions (gemmini_loop_conv_ws). Images lie with the channels of a pixel side by side; of
// the weights, those of the results. Rows and columns of the image that are not there are loaded as zeros.
// Each position in the kernel is a product of up to 16 pixels of a row, with the weights of 16 channels and
// 16 results, which stay in the array for all pixels. Products begin when all is loaded, stores when all
// products are sent; the loads of the next loop go on meanwhile. Loads set their configurations first.
#include "gemmini_loops.h"

#include <stdio.h>
#include <string.h>

// Where a generator is: images, rows and columns of the results, or of what is loaded of the image, zeros
// included.
struct position {
  int is_configured, has_preload;
  int image, row, column, result, kernel_row, kernel_column, channel;
};

static struct {
  struct position at[GENERATORS];
  struct loop next_loop; // that the CPU sets up
} v;

static void reset(void) {
  memset(&v, 0, sizeof v);
}

static void begin(enum generator g) {
  memset(&v.at[g], 0, sizeof v.at[g]);
}

static int has_commands(const struct loop *loop, enum generator g) {
  const struct convolution *c = &loop->convolution;
  switch (g) {
  case STORE_C: return c->output != 0;
  case LOAD_D: return c->bias != 0;
  case LOAD_B: return c->weights != 0;
  case LOAD_A: return c->image != 0;
  default: return 1;
  }
}

static int stores(const struct loop *loop) {
  return loop->convolution.output != 0;
}

static void prefer(const struct unroller *u, enum generator order[GENERATORS]) {
  (void)u, (void)order;
}

static int is_loaded(const struct slot *slot) {
  return slot->is_through[LOAD_A] && slot->is_through[LOAD_B] && slot->is_through[LOAD_D];
}

// Loads of the next loop wait until those are through that products wait for.
static int is_ready(const struct unroller *u, enum generator g) {
  const struct slot *multiplies = &u->slots[u->of[MULTIPLY]];
  if (g == STORE_C)
    return u->slots[u->of[g]].is_through[MULTIPLY];
  if (g == MULTIPLY)
    return is_loaded(multiplies);
  return u->of[g] == u->of[MULTIPLY] || !u->works[MULTIPLY] || is_loaded(multiplies);
}

static int least(int a, int b) {
  return a < b ? a : b;
}

static int blocks_of(int elements) {
  return (elements + DIM - 1) / DIM;
}

// Of what is loaded of an image, zeros included.
static int height(const struct convolution *c) {
  return c->rows * c->stride + (c->kernel_rows - 1) * c->dilation;
}
static int width(const struct convolution *c) {
  return c->columns * c->stride + (c->kernel_columns - 1) * c->dilation;
}

// Rows of the memory for 16 channels, 16 results of the weights, and 16 results.
static int rows_of_channels(const struct convolution *c) {
  return c->images * height(c) * width(c);
}
static int rows_of_weights(const struct convolution *c) {
  return c->kernel_rows * c->kernel_columns * c->channels;
}
static int rows_of_results(const struct convolution *c) {
  return c->images * c->rows * c->columns;
}

static uint32_t place_of_pixel(const struct convolution *c, int slot, const struct position *at, int row,
                               int column) {
  const int pixel = (at->image * height(c) + row) * width(c) + column;
  return (uint32_t)(slot * HALF_OF_SPAD + at->channel / DIM * rows_of_channels(c) + pixel);
}

static uint32_t place_of_weight(const struct convolution *c, int slot, const struct position *at) {
  const int first = (slot + 1) * HALF_OF_SPAD - blocks_of(c->results) * rows_of_weights(c);
  const int position = at->kernel_row * c->kernel_columns + at->kernel_column;
  return (uint32_t)(first + at->result / DIM * rows_of_weights(c) + position * c->channels + at->channel);
}

static uint32_t place_of_sum(const struct convolution *c, int half, const struct position *at) {
  const int pixel = (at->image * c->rows + at->row) * c->columns + at->column;
  return accumulator | (uint32_t)(half * HALF_OF_ACC + at->result / DIM * rows_of_results(c) + pixel);
}

static void configure_load(int id, int bytes, int apart) {
  loop_command(k_CONFIG,
               GEMMINI_MODEL_BITS(1.0f) | (uint64_t)apart << 16 | 1U << 8 | (uint64_t)id << 3 | CONFIG_LD,
               (uint64_t)bytes);
}

// To the next of `count`, in steps; true where it starts again.
static int wraps(int *at, int step, int count) {
  *at += step;
  if (*at < count)
    return 0;
  *at = 0;
  return 1;
}

// Of a row, those left of the image, those inside, and those right of it are apart.
static int loaded_columns(const struct convolution *c, int column) {
  const int inside = width(c) - c->right;
  const int end = column < c->left ? c->left : column < inside ? inside : width(c);
  return least(DIM, end - column);
}

static int load_image(const struct convolution *c, int slot, struct position *at) {
  const int columns = loaded_columns(c, at->column), channels = least(MAX_BYTES, c->channels - at->channel);
  const int row = at->row - c->above, column = at->column - c->left;
  const int is_inside =
      row >= 0 && at->row < height(c) - c->below && column >= 0 && at->column < width(c) - c->right;
  const uint64_t pixel =
      ((uint64_t)at->image * (uint64_t)c->image_height + (uint64_t)row) * (uint64_t)c->image_width +
      (uint64_t)column;
  const uint64_t from = c->image + (uint32_t)(pixel * (uint64_t)c->pixel + (uint64_t)at->channel);
  loop_command(k_MVIN, is_inside ? from : 0,
               block(place_of_pixel(c, slot, at, at->row, at->column), channels, columns));
  return wraps(&at->channel, channels, c->channels) && wraps(&at->column, columns, width(c)) &&
         wraps(&at->row, 1, height(c)) && wraps(&at->image, 1, c->images);
}

static int load_weights(const struct convolution *c, int slot, struct position *at) {
  const int channels = least(DIM, c->channels - at->channel), most = least(MAX_BYTES, c->results);
  const int position = at->kernel_row * c->kernel_width + at->kernel_column;
  const uint64_t row = (uint64_t)position * (uint64_t)c->all_channels + (uint64_t)at->channel;
  loop_command(k_MVIN2, c->weights + (uint32_t)(row * (uint64_t)c->weight + (uint64_t)at->result),
               block(place_of_weight(c, slot, at), least(most, c->results - at->result), channels));
  return wraps(&at->channel, DIM, c->channels) && wraps(&at->kernel_column, 1, c->kernel_columns) &&
         wraps(&at->kernel_row, 1, c->kernel_rows) && wraps(&at->result, most, c->results);
}

// Sums and results go alike: 16 results of 16 pixels of a row, then those of the next results.
static int next_results(const struct convolution *c, struct position *at) {
  return wraps(&at->result, DIM, c->results) && wraps(&at->column, DIM, c->columns) &&
         wraps(&at->row, 1, c->rows) && wraps(&at->image, 1, c->images);
}

static int load_bias(const struct convolution *c, int half, struct position *at) {
  const uint64_t from = c->from_zero ? 0 : c->bias + (uint64_t)at->result * sizeof(acc_t);
  loop_command(k_MVIN3, from,
               block(place_of_sum(c, half, at), least(DIM, c->results - at->result),
                     least(DIM, c->columns - at->column)));
  return next_results(c, at);
}

static int store_results(const struct convolution *c, int half, struct position *at) {
  const uint64_t pixel = (uint64_t)((at->image * c->result_height + at->row) * c->result_width + at->column);
  loop_command(k_MVOUT, c->output + (uint32_t)(pixel * (uint64_t)c->result + (uint64_t)at->result),
               block(place_of_sum(c, half, at), least(DIM, c->results - at->result),
                     least(DIM, c->columns - at->column)));
  return next_results(c, at);
}

// A preload, then its product: always added, to the bias or to zeros.
static int multiply(const struct convolution *c, int slot, int half, struct position *at) {
  const int pixels = least(DIM, c->columns - at->column), channels = least(DIM, c->channels - at->channel);
  const int results = least(DIM, c->results - at->result);
  const int has_new_weights = at->image == 0 && at->row == 0 && at->column == 0;
  at->has_preload = !at->has_preload;
  if (at->has_preload) {
    loop_command(k_PRELOAD,
                 block(has_new_weights ? place_of_weight(c, slot, at) : GARBAGE_ADDR, results, channels),
                 block(place_of_sum(c, half, at) | accumulate, results, pixels));
    return 0;
  }
  const int row = at->row * c->stride + at->kernel_row * c->dilation;
  const int column = at->column * c->stride + at->kernel_column * c->dilation;
  loop_command(has_new_weights ? k_COMPUTE_PRELOADED : k_COMPUTE_ACCUMULATE,
               block(place_of_pixel(c, slot, at, row, column), channels, pixels),
               block(GARBAGE_ADDR, results, pixels));
  return wraps(&at->column, DIM, c->columns) && wraps(&at->row, 1, c->rows) &&
         wraps(&at->image, 1, c->images) && wraps(&at->channel, DIM, c->channels) &&
         wraps(&at->kernel_column, 1, c->kernel_columns) && wraps(&at->kernel_row, 1, c->kernel_rows) &&
         wraps(&at->result, DIM, c->results);
}

static int configure(const struct convolution *c, enum generator g) {
  if (g == LOAD_A)
    configure_load(0, c->pixel, rows_of_channels(c));
  else if (g == LOAD_B)
    configure_load(1, c->weight, rows_of_weights(c));
  else
    configure_load(2, 0, rows_of_results(c));
  v.at[g].is_configured = 1;
  return 0;
}

static int send(const struct unroller *u, enum generator g) {
  const int slot = u->of[g], half = u->slots[slot].half[g];
  const struct convolution *c = &u->slots[slot].loop.convolution;
  struct position *at = &v.at[g];
  if (g != STORE_C && g != MULTIPLY && !at->is_configured)
    return configure(c, g);
  switch (g) {
  case STORE_C: return store_results(c, half, at);
  case MULTIPLY: return multiply(c, slot, half, at);
  case LOAD_D: return load_bias(c, half, at);
  case LOAD_B: return load_weights(c, slot, at);
  default: return load_image(c, slot, at);
  }
}

const struct rules rules_of_convolutions = {reset, has_commands, stores, begin, prefer, is_ready, send};

static int fits(const struct convolution *c) {
  const int is_some = c->images > 0 && c->rows > 0 && c->columns > 0 && c->results > 0 &&
                      c->kernel_rows > 0 && c->kernel_columns > 0 && c->channels > 0 && c->stride > 0 &&
                      c->dilation > 0;
  const int64_t image = (int64_t)blocks_of(c->channels) * c->images * height(c) * width(c);
  const int64_t weights = (int64_t)blocks_of(c->results) * c->kernel_rows * c->kernel_columns * c->channels;
  return is_some && image + weights <= HALF_OF_SPAD && c->above + c->below <= height(c) &&
         c->left + c->right <= width(c) &&
         (int64_t)blocks_of(c->results) * c->images * c->rows * c->columns <= HALF_OF_ACC;
}

static void start_loop(uint64_t rs1, uint64_t rs2, void (*fail)(const char *message)) {
  struct convolution *c = &v.next_loop.convolution;
  char message[160];
  snprintf(message, sizeof message, "loop_conv_ws: %d x %d x %d results of %d x %d x %d do not fit", c->rows,
           c->columns, c->results, c->kernel_rows, c->kernel_columns, c->channels);
  const int kinds = (int)(rs1 & 0x7e), pixels_per_row = (int)(rs1 >> 8 & 0xff);
  if (kinds != 0 || pixels_per_row != 1 || (rs2 & 7) != 1)
    fail("loop_conv_ws: only convolutions without transposes, pooling and gaps in the image are modelled");
  else if (!fits(c))
    fail(message);
  else {
    c->from_zero = (int)(rs1 & 1);
    v.next_loop.kind = CONVOLUTIONS;
    timeline_start_loop(&v.next_loop);
  }
}

static void set_sizes(struct convolution *c, int funct, uint64_t rs1, uint64_t rs2) {
  switch (funct) {
  case k_LOOP_CONV_WS_CONFIG_1:
    c->all_channels = loop_part(rs1, 32), c->image_height = loop_part(rs1, 16);
    c->stride = (int)(rs2 >> 48 & 0xff), c->result_width = loop_part(rs2, 32);
    c->result_height = loop_part(rs2, 0);
    break;
  case k_LOOP_CONV_WS_CONFIG_2:
    c->kernel_width = loop_part(rs1, 48);
    c->images = loop_part(rs2, 48), c->results = loop_part(rs2, 0);
    break;
  case k_LOOP_CONV_WS_CONFIG_3:
    c->kernel_rows = loop_part(rs1, 48), c->kernel_columns = loop_part(rs1, 32);
    c->channels = loop_part(rs1, 16), c->left = loop_part(rs1, 0);
    c->right = loop_part(rs2, 48), c->above = loop_part(rs2, 32), c->below = (int)(rs2 >> 24 & 0xff);
    c->image_width = loop_part(rs2, 0);
    break;
  default:
    c->rows = loop_part(rs1, 48), c->dilation = (int)(rs1 & 0x3ff);
    c->pixel = loop_part(rs2, 48), c->weight = loop_part(rs2, 32), c->result = loop_part(rs2, 16);
    c->columns = loop_part(rs2, 0);
  }
}

void convolution_set_up(int funct, uint64_t rs1, uint64_t rs2, void (*fail)(const char *message)) {
  struct convolution *c = &v.next_loop.convolution;
  switch (funct) {
  case k_LOOP_CONV_WS: start_loop(rs1, rs2, fail); return;
  case k_LOOP_CONV_WS_CONFIG_5: c->weights = rs1, c->output = rs2; break;
  case k_LOOP_CONV_WS_CONFIG_6: c->bias = rs1, c->image = rs2; break;
  default: set_sizes(c, funct, rs1, rs2);
  }
  timeline_set_up_loop();
}
