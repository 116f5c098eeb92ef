// Shared by the loops that the hardware makes commands for (gemmini_products.c, gemmini_convolutions.c) and
// by what runs them (gemmini_loops.c).
#pragma once
#include "gemmini_time.h"

enum { SLOTS = 2, HALF_OF_SPAD = SPAD_ROWS / SLOTS, HALF_OF_ACC = ACC_ROWS / SLOTS };
static const uint32_t accumulator = 1U << 31, accumulate = 1U << 30;

// Of commands, in the order in which the hardware prefers them. A product has the operands A and B, and D is
// added; a convolution has the image, the weights and the bias.
enum generator { STORE_C, MULTIPLY, LOAD_D, LOAD_B, LOAD_A, GENERATORS };

struct slot {
  struct loop loop;
  int is_used;
  uint64_t arrives;
  int is_started[GENERATORS], is_through[GENERATORS];
  int half[GENERATORS]; // of the accumulator
};

// Of loops of one kind.
struct unroller {
  struct slot slots[SLOTS];
  int head, next;        // the older one, and the one that gets the next loop
  int of[GENERATORS];    // the slot that a generator works on, or the last one that it worked on
  int works[GENERATORS]; // it has commands left there
  int half[GENERATORS];  // of the accumulator: the next one
};

// What is different between the kinds.
struct rules {
  void (*reset)(void);
  int (*has_commands)(const struct loop *loop, enum generator g);
  int (*stores)(const struct loop *loop); // the next loop has the other half of the accumulator then
  void (*begin)(enum generator g);        // with another loop
  void (*prefer)(const struct unroller *u, enum generator order[GENERATORS]); // it changes the order
  int (*is_ready)(const struct unroller *u, enum generator g);                // the others are far enough
  int (*send)(const struct unroller *u, enum generator g); // the next command; 1: it was the last one
};
extern const struct rules rules_of_products, rules_of_convolutions;

static inline uint64_t block(uint32_t address, int cols, int rows) {
  return GEMMINI_MODEL_BLOCK(address, cols, rows);
}

static inline int loop_part(uint64_t word, int first) {
  return (int)(word >> first & 0xffff);
}
