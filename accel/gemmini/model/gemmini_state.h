// Shared by the files of the model.
#pragma once
#include "gemmini.h"

enum { SPAD_ROWS = BANK_NUM * BANK_ROWS, LOCAL_ROWS = SPAD_ROWS + ACC_ROWS };

// Rows of the scratchpad, then those of the accumulator, under one number.
struct rows {
  int first, count;
};
enum { MAX_RANGES = 4 };

// What a command costs: the time of its unit, and which rows it reads and writes.
struct work {
  int unit, is_configuration;
  double cycles;
  struct rows reads[MAX_RANGES], writes[MAX_RANGES];
  int read_count, write_count;
};

struct dram_block {
  uint64_t address, stride; // bytes
  int rows, bytes;          // of a row
};

// gemmini_cycles.c: commands are issued one after the other to three units.
void timeline_reset(void);
void timeline_issue(const struct work *work);
void timeline_fence(void);
double timeline_end(void);
// How long a load takes: what is not in the second-level cache comes at half the speed.
double load_cycles(const struct dram_block *block);

// gemmini_dram.c: who touches main memory between two fences. Wrong use calls `fail`.
void dram_reset(void);
int dram_load(const struct dram_block *block, void (*fail)(const char *message)); // 0: refused
void dram_store(const struct dram_block *block, const void *data, void (*fail)(const char *message));
void dram_fence(void (*fail)(const char *message));
