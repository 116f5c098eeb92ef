// What a program can ask of the model of Gemmini (gemmini.h): what ran, how long it would take, what went
// wrong.
//
// The model follows the hardware: rows that nothing wrote hold garbage; sums wrap; ReLU comes before the
// scale; what mvout stores is seen after the next fence only. What the hardware may do in any order, the
// model does in an order that a seed chooses. What the hardware does not define is an error: rows out of
// range, blocks of more than 16 rows, configuration that was never set, DRAM that both an mvout and an mvin
// or the CPU touch without a fence between them, two mvins that may store to a row in any order, of which one
// replaces what is there; so is what may hang. Not modelled, and an error too: output-stationary dataflow,
// transposes, pooling, normalisation, results to the scratchpad.
#pragma once
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GEMMINI_LOAD, GEMMINI_EXECUTE, GEMMINI_STORE, GEMMINI_UNITS };

struct gemmini_model_statistics {
  uint64_t commands[GEMMINI_UNITS]; // with those that configure
  uint64_t configurations, fences;
  uint64_t bytes_in, bytes_out;
  uint64_t multiplications;   // of elements inside the blocks
  uint64_t unwritten_reads;   // elements read that nothing wrote before
  double busy[GEMMINI_UNITS]; // estimated cycles
  double cycles;              // from the first command to the end of the last
};

typedef void (*gemmini_model_handler)(const char *message);

// As after power-on: garbage in the memories, no configuration. The first command does this as well.
void gemmini_model_reset(void);
// The same, and chooses the order from now on; 1 before.
void gemmini_model_seed(uint64_t seed);
// How many instructions the CPU needs for a command, for the estimate of cycles: 6.3 unless it is said. Code
// for whole tiles has 5 to 9, code with sizes that it computes about 15.
void gemmini_model_instructions(double per_command);
// How many lines of 64 bytes of code a call runs, of which none is in the caches the first time: 16 unless it
// is said, at the next reset.
void gemmini_model_code(int lines);
// Instead of printing the message and aborting. The command that is wrong has no effect if it returns.
void gemmini_model_on_error(gemmini_model_handler handler);
struct gemmini_model_statistics gemmini_model_statistics(void);
uint64_t gemmini_model_unwritten_reads(void);
uint64_t gemmini_model_multiplications(void);
double gemmini_model_cycles(void);
// multiplications / (256 * cycles)
double gemmini_model_utilisation(void);
void gemmini_model_report(FILE *to);

// What the macros of gemmini.h call.
void gemmini_model_issue(int funct, uint64_t rs1, uint64_t rs2);
void gemmini_model_fence(void);
uint32_t gemmini_model_float_bits(float value);

#ifdef __cplusplus
}
#endif
