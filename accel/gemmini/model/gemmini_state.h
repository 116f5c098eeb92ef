// Shared by the files of the model.
#pragma once
#include "gemmini.h"

enum { SPAD_ROWS = BANK_NUM * BANK_ROWS, LOCAL_ROWS = SPAD_ROWS + ACC_ROWS };

// Rows of the scratchpad, then those of the accumulator, under one number.
struct rows {
  int first, count;
};
enum { MAX_RANGES = 4 };

struct dram_block {
  uint64_t address, stride; // bytes; address 0: zeros
  int rows, bytes;          // of a row
};

// What the time of a command depends on: which rows it reads and writes, and which memory.
enum part { PART_WHOLE, PART_PRELOAD, PART_COMPUTE };
struct work {
  int unit, is_configuration;
  enum part part;
  struct dram_block dram;
  int is_wide, is_scaled; // elements of 32 bits; a scale other than 1
  struct rows reads[MAX_RANGES], writes[MAX_RANGES];
  int read_count, write_count;
  int adds; // it stores nothing else than what is added to what is there
};

struct block { // rows, columns and local address of an operand
  uint32_t address;
  int rows, cols;
};

// A command with all that it needs when its time comes.
struct command {
  struct block to; // of a load, in blocks `apart` rows apart
  int apart;
  int32_t values[DIM][MAX_BYTES];

  struct block weights, a, d, result; // of an execution
  int new_weights, a_stride, c_stride;

  struct block from; // of a store: to these bytes, one row behind the other
  uint8_t *bytes;
  int relu;
  float scale;
};

// A product of matrices that the hardware makes commands for: C = A * B + D, in blocks of 16 rows and
// columns, of which the last ones lack `pad`.
struct product {
  int i_count, j_count, k_count, pad_i, pad_j, pad_k;
  uint64_t a, b, c, d;                             // addresses; 0: there is no C, or no D
  uint64_t a_stride, b_stride, c_stride, d_stride; // elements
  int full_c, low_d, accumulates;                  // C of 32 bits, D of 8; the first products are added, too
};
// A convolution that it makes commands for: so many images with rows and columns of results, of channels.
// Above, below, left and right of what is there of an image, zeros are loaded.
struct convolution {
  int images, rows, columns, results, kernel_rows, kernel_columns, channels;
  int above, below, left, right, stride, dilation;
  int image_height, image_width, result_height, result_width, kernel_width, all_channels; // in main memory
  int pixel, weight, result;                                                              // bytes to the next
  uint64_t image, weights, bias, output; // addresses; 0: no results are stored, or no sums start
  int from_zero;                         // sums start from zeros, not from a bias
};
enum loop_kind { PRODUCTS, CONVOLUTIONS, LOOP_KINDS };
struct loop {
  enum loop_kind kind;
  union {
    struct product product;
    struct convolution convolution;
  };
};
// gemmini_products.c, gemmini_convolutions.c: a command of the CPU that says something about a loop, or
// starts it. Wrong use calls `fail`.
void product_set_up(int funct, uint64_t rs1, uint64_t rs2, void (*fail)(const char *message));
void convolution_set_up(int funct, uint64_t rs1, uint64_t rs2, void (*fail)(const char *message));
// gemmini_model.c: a command that a loop makes.
void loop_command(int funct, uint64_t rs1, uint64_t rs2);

// gemmini_model.c: the commands' effects. A row of a load is sixteen times its block of columns, and the row.
void do_load(const struct command *command, int row);
void do_compute(const struct command *command);
void do_store(const struct command *command);

// gemmini_station.c: when they are done.
int have_common_rows(const struct rows *a, int a_count, const struct rows *b, int b_count);
void station_reset(uint64_t seed);
void station_enter(const struct command *command, const struct work *work);
void station_fence(void);

// gemmini_order.c: two loads that may store to a row in any order, where the command that is entered now uses
// it.
struct conflict {
  int64_t first, second; // numbers since the fence; 0: there is none
  int row;
};
void order_reset(void);
struct conflict order_enter(const struct work *work);

// gemmini_cycles.c: commands are issued one after the other to three units.
void timeline_reset(void);
void timeline_issue(const struct work *work);
void timeline_issue_of_loop(const struct work *work); // at once, and without the CPU
void timeline_set_up_loop(void);                      // a command that says something about one
void timeline_start_loop(const struct loop *loop);
void timeline_fence(void);
double timeline_end(void); // all has ended
double timeline_busy(int unit);

// gemmini_dram.c: who touches main memory between two fences. Wrong use calls `fail`.
void dram_reset(void);
int dram_load(const struct dram_block *block, void (*fail)(const char *message)); // 0: refused
uint8_t *dram_store(const struct dram_block *block,
                    void (*fail)(const char *message)); // what arrives; or NULL
void dram_fence(void (*fail)(const char *message));
