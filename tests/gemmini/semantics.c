// What the commands of the model of Gemmini do, against what the hardware does.
#include "gemmini.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
static char last_error[200];

static void remember(const char *message) {
  snprintf(last_error, sizeof last_error, "%s", message);
}

static void check(int holds, const char *what) {
  if (!holds) {
    printf("failed: %s (error: %s)\n", what, last_error);
    ++failures;
  }
}
static void refused(const char *words, const char *what) {
  check(strstr(last_error, words) != NULL, what);
  last_error[0] = 0;
}

static const uint32_t acc = 1U << 31, add = 1U << 30, full = 1U << 29;

static void start(void) {
  gemmini_model_reset();
  last_error[0] = 0;
  gemmini_flush(0);
  gemmini_config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 0);
  gemmini_config_st(16);
  gemmini_config_ld(16);
}

// One int32 in the accumulator, read out as int8.
static int read_out(int32_t value, int act, float scale) {
  int8_t out = 99;
  gemmini_fence();
  gemmini_config_ld(64);
  gemmini_extended_config_st(16, act, scale);
  gemmini_extended_mvin(&value, acc, 1, 1);
  gemmini_extended_mvout(&out, acc, 1, 1);
  gemmini_fence();
  return out;
}

static void reads_out(void) {
  start();
  check(read_out(5, NO_ACTIVATION, 0.5f) == 2, "2.5 rounds to 2");
  check(read_out(7, NO_ACTIVATION, 0.5f) == 4, "3.5 rounds to 4");
  check(read_out(-5, NO_ACTIVATION, 0.5f) == -2, "-2.5 rounds to -2");
  check(read_out(1000, NO_ACTIVATION, 1.0f) == 127, "saturates above");
  check(read_out(-1000, NO_ACTIVATION, 1.0f) == -128, "saturates below");
  check(read_out(16777217, NO_ACTIVATION, 1.0f / 262144) == 64, "the sum is rounded to a float first");
  check(read_out(-10, RELU, 1.0f) == 0, "ReLU");
  check(read_out(-10, RELU, -1.0f) == 0 && read_out(10, RELU, -1.0f) == -10, "ReLU comes before the scale");
}

static void wraps(void) {
  start();
  int32_t in = INT32_MAX, two = 2, out = 0;
  gemmini_config_ld(64);
  gemmini_config_st(64);
  gemmini_extended_mvin(&in, acc, 1, 1);
  gemmini_extended_mvin(&two, acc | add, 1, 1);
  gemmini_extended_mvout(&out, acc | full, 1, 1);
  gemmini_fence();
  check(out == INT32_MIN + 1, "sums wrap");
}

static void loads(void) {
  int8_t in[16 * 64], out[16 * 64];
  int32_t wide[16];
  for (int i = 0; i < 16 * 64; ++i)
    in[i] = (int8_t)i;
  start();
  gemmini_config_ld(64);
  gemmini_config_st(64);
  gemmini_extended_mvin(in, 100, 64, 16);
  gemmini_extended_mvout(out, 100, 64, 16);
  gemmini_fence();
  check(memcmp(in, out, sizeof in) == 0, "four blocks");
  gemmini_extended4_config_ld(64, 0.5f, false, 20, 1);
  gemmini_extended_mvin2(in, 200, 33, 2);
  gemmini_extended_mvout(out, 240, 1, 1);
  gemmini_fence();
  check(out[0] == 16, "blocks at a distance, scaled");
  gemmini_extended3_config_ld(0, 1.0f, true, 2);
  gemmini_extended_mvin3(in + 200, acc | 8, 16, 3);
  gemmini_config_st(64);
  gemmini_extended_mvout(wide, acc | full | 10, 16, 1);
  gemmini_fence();
  check(wide[3] == (int8_t)203, "one row for all, widened");
  gemmini_extended_mvin(NULL, 300, 64, 16);
  gemmini_extended_mvout(out, 300, 64, 16);
  gemmini_fence();
  check(out[0] == 0 && out[1023] == 0, "zeros");
  check(gemmini_model_statistics().unwritten_reads == 0, "no garbage so far");
  gemmini_extended_mvout(out, 500, 1, 1);
  check(gemmini_model_statistics().unwritten_reads == 1, "rows that nothing wrote are garbage");
}

// One int8, loaded with this scale.
static int loaded(int8_t value, float scale) {
  int8_t out = 99;
  gemmini_fence();
  gemmini_extended3_config_ld(1, scale, false, 0);
  gemmini_extended_mvin(&value, 0, 1, 1);
  gemmini_extended_mvout(&out, 0, 1, 1);
  gemmini_fence();
  return out;
}

static void scales_loads(void) {
  start();
  check(loaded(5, 0.5f) == 2 && loaded(7, 0.5f) == 4 && loaded(-5, 0.5f) == -2, "loads round ties to even");
  check(loaded(100, 3.0f) == 127 && loaded(-100, 3.0f) == -128, "loads saturate");
  check(loaded(-128, -1.0f) == 127 && loaded(3, -0.5f) == -2, "loads with a negative scale");
  check(loaded(1, INFINITY) == 127 && loaded(-1, INFINITY) == -128, "loads with an infinite scale");
  check(loaded(0, INFINITY) == 127 && loaded(-1, NAN) == 127, "what is not a number becomes 127");
  int32_t wide = 1000, out = 0;
  gemmini_extended3_config_ld(4, 0.5f, false, 0);
  gemmini_extended_mvin(&wide, acc, 1, 1);
  gemmini_config_st(4);
  gemmini_extended_mvout(&out, acc | full, 1, 1);
  gemmini_fence();
  check(out == 1000, "int32 are not scaled");
}

static void multiplies(void) {
  int8_t a[3 * 16], b[5 * 16];
  int32_t c[3 * 16];
  for (int i = 0; i < 48; ++i)
    a[i] = (int8_t)(i - 20);
  for (int i = 0; i < 80; ++i)
    b[i] = (int8_t)(3 * i);
  start();
  gemmini_extended_mvin(a, 0, 5, 3);
  gemmini_extended_mvin(b, 4096, 7, 5);
  gemmini_config_st(64);
  gemmini_extended_preload(4096, acc, 7, 5, 7, 3);
  gemmini_extended_compute_preloaded(0, GARBAGE_ADDR, 5, 3, DIM, DIM);
  gemmini_extended_preload(GARBAGE_ADDR, acc | add, 7, 5, 7, 3);
  gemmini_extended_compute_accumulated(0, GARBAGE_ADDR, 5, 3, DIM, DIM);
  gemmini_extended_mvout(c, acc | full, 7, 3);
  gemmini_fence();
  int same = 1;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 7; ++j) {
      int sum = 0;
      for (int k = 0; k < 5; ++k)
        sum += 2 * a[16 * i + k] * b[16 * k + j];
      same &= c[16 * i + j] == sum;
    }
  check(same, "a product with ragged sizes, twice");
  check(gemmini_model_statistics().unwritten_reads == 0, "ragged sizes read no garbage");
  check(gemmini_model_statistics().multiplications == 2 * 3 * 7 * 5, "multiplications are counted");
  check(gemmini_model_statistics().bytes_in == 15 + 35 && gemmini_model_statistics().bytes_out == 84,
        "so are bytes");
}

static void fences(void) {
  int8_t in[16] = {7}, out[16] = {55};
  start();
  gemmini_extended_mvin(in, 0, 16, 1);
  gemmini_extended_mvout(out, 0, 16, 1);
  check(out[0] == 55, "before the fence the CPU sees what was there");
  gemmini_extended_mvin(out, 32, 16, 1);
  refused("mvin reads what an mvout", "mvin after mvout of the same bytes");
  gemmini_extended_mvout(in, 0, 16, 1);
  refused("mvout stores to what an mvin", "mvout after mvin of the same bytes");
  in[3] = 9;
  gemmini_fence();
  refused("the CPU changed", "the CPU changes what is loaded");
  check(out[0] == 7, "after it the result");
  in[3] = 4;
  gemmini_extended_mvin(in, 0, 16, 1);
  refused("what the CPU stored", "mvin after the CPU changes what was loaded before the fence");
  gemmini_fence();
  gemmini_extended_mvin(in, 0, 16, 1);
  in[3] = 4; // the same as before
  gemmini_fence();
}

// Allowed commands in the wrong order: what comes out shows it.
static void wrong_programs(void) {
  int8_t a[256], b[256], out[256] = {0};
  memset(a, 1, sizeof a), memset(b, 1, sizeof b);
  start();
  gemmini_mvin(a, 0);
  gemmini_mvin(b, 4096);
  gemmini_mvout(out, acc);
  gemmini_preload(4096, acc);
  gemmini_compute_preloaded(0, GARBAGE_ADDR);
  gemmini_fence();
  check(gemmini_model_statistics().unwritten_reads == 256, "a store before the data is computed");
  for (int i = 0; i < 256; ++i)
    a[i] = (int8_t)i;
  start();
  for (int i = 0; i < 2; ++i) {
    gemmini_extended_mvin(a, (uint32_t)(2 * i), 16, 2);
    gemmini_config_ld(8); // for another tensor: the second iteration finds it, too
  }
  gemmini_mvout(out, 0);
  gemmini_fence();
  check(out[16] == 16 && out[48] == 8, "a configuration changed inside a loop: other rows are loaded");
}

static void refusals(void) {
  int8_t in[64 * 16];
  gemmini_model_reset();
  gemmini_mvin(in, 0);
  refused("before its config_ld", "mvin without configuration");
  gemmini_mvout(in, 0);
  refused("before config_st", "mvout without configuration");
  gemmini_preload(0, acc);
  refused("before config_ex", "preload without configuration");
  start();
  gemmini_compute_preloaded(0, GARBAGE_ADDR);
  refused("without a preload", "compute without preload");
  gemmini_extended_mvin(in, 0, 16, 17);
  refused("17 rows", "a block of 17 rows");
  gemmini_extended_mvin(in, 0, 65, 16);
  refused("65 columns", "65 columns");
  gemmini_extended_mvin(in, acc, 17, 16);
  refused("17 columns", "17 columns of int32");
  gemmini_mvin(in, BANK_NUM * BANK_ROWS - 15);
  refused("row 16384 of 16384", "the scratchpad's end");
  gemmini_extended_mvin(in, acc | (ACC_ROWS - 15), 16, 16);
  refused("row 1024 of 1024", "the accumulator's end");
  gemmini_extended4_config_ld(64, 1.0f, false, 15, 0);
  gemmini_extended_mvin(in, 0, 64, 16);
  refused("blocks 15 rows apart", "a block stride below the rows");
  gemmini_config_ex(OUTPUT_STATIONARY, 0, 0);
  refused("weight-stationary", "the other dataflow");
}

// Two loads to the same rows of the accumulator, and what stands between them.
enum between { NOTHING, FENCE, PRODUCT, STORE, OTHER_ROWS };

static int32_t loaded_twice(enum between between, uint32_t second, uint64_t seed) {
  static int32_t one[16][16], two[16][16], out[16][16];
  static int8_t zeros[16][16], scratch[16][16];
  for (int i = 0; i < 256; ++i)
    one[i / 16][i % 16] = 1, two[i / 16][i % 16] = 2;
  gemmini_model_seed(seed);
  last_error[0] = 0;
  gemmini_config_ex(WEIGHT_STATIONARY, NO_ACTIVATION, 0);
  gemmini_extended3_config_ld(16, 1.0f, false, 1);
  gemmini_config_ld(64);
  gemmini_config_st(16);
  gemmini_mvin2(zeros, 0);
  gemmini_mvin(one, acc);
  if (between == FENCE)
    gemmini_fence();
  if (between == PRODUCT || between == OTHER_ROWS) {
    gemmini_preload(0, (between == PRODUCT ? acc | add : acc + 16));
    gemmini_compute_preloaded(0, GARBAGE_ADDR);
  }
  if (between == STORE)
    gemmini_mvout(scratch, acc);
  gemmini_mvin(two, acc | second);
  gemmini_config_st(64);
  gemmini_mvout(out, acc | full);
  gemmini_fence();
  return out[15][15];
}

static void loads_in_any_order(void) {
  int lost = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    lost += loaded_twice(NOTHING, add, seed) != 3;
    refused("mvins 2 and 3 since the fence may store to row 0 of the accumulator in any order",
            "a sum in any order");
    loaded_twice(NOTHING, 0, seed);
    refused("in any order", "two loads, one after the other");
    loaded_twice(OTHER_ROWS, add, seed);
    refused("in any order", "a product in other rows");
    for (enum between between = FENCE; between <= STORE; ++between) {
      check(loaded_twice(between, add, seed) == 3 && !last_error[0], "a sum in order");
      check(loaded_twice(between, 0, seed) == 2 && !last_error[0], "the second load replaces the first");
    }
  }
  check(lost > 0 && lost < 20, "the order depends on the seed");
}

static void may_hang(void) {
  start();
  int8_t in[16][16] = {{0}};
  gemmini_mvin(in, 0);
  gemmini_preload(0, acc);
  gemmini_mvin(in, 16);
  refused("not followed by its compute", "a load between a preload and its compute");
  start();
  gemmini_mvin(in, 0);
  gemmini_preload(0, acc);
  gemmini_fence();
  refused("without its compute", "a fence behind a preload");
}

int main(void) {
  gemmini_model_on_error(remember);
  reads_out();
  wraps();
  loads();
  scales_loads();
  multiplies();
  fences();
  wrong_programs();
  refusals();
  loads_in_any_order();
  may_hang();
  gemmini_model_report(stdout);
  return failures != 0;
}
