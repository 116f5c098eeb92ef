// Shared by the files that count cycles: what each part of the hardware does in one cycle. The times of
// single actions are measured on the hardware.
#pragma once
#include "gemmini_state.h"

enum { BANKS_OF_SPAD = SPAD_ROWS / BANK_ROWS, BANKS = BANKS_OF_SPAD + 2, BANK_OF_ACC = ACC_ROWS / 2 };

// Banks of the scratchpad, then those of the accumulator.
static inline int bank_of(int row) {
  return row < SPAD_ROWS ? row / BANK_ROWS : BANKS_OF_SPAD + (row - SPAD_ROWS) / BANK_OF_ACC;
}

// What banks do in this cycle. A bank of the scratchpad reads or writes one row; one of the accumulator does
// both, but to add to a row takes both.
struct ports {
  uint8_t is_written[BANKS], is_read[BANKS];
};

// Of the units; each has room for commands that the station has issued.
void load_start(int place, const struct work *work);
void array_start(int place, const struct work *work);
void store_start(int place, const struct work *work);
int load_has_room(void);
int array_has_room(void);
int store_has_room(void);

// One cycle. First the results of the array are written, which nothing holds up.
void array_write(uint64_t now, struct ports *ports);
void load_step(uint64_t now, struct ports *ports);
void array_step(uint64_t now, struct ports *ports);
void store_step(uint64_t now, struct ports *ports);

int load_is_idle(void);
int array_is_idle(void);
int store_is_idle(uint64_t now); // what is stored has arrived

void load_reset(void);
void array_reset(void);
void store_reset(void);
uint64_t load_busy(void), array_busy(void), store_busy(void); // cycles

// A command of a unit has ended.
void station_end(int unit, int place);
// It takes one more command of the unit.
int station_has_room(int unit);

// gemmini_loops.c
void loops_reset(void);
void loops_wait_for(enum loop_kind kind);
int loops_have_room(void); // for one of that kind
void loops_start(const struct loop *loop, uint64_t arrives);
void loops_step(uint64_t now);
int loops_are_idle(void);

// The answer of memory to a store, which takes a cycle of the way on which loads arrive.
void load_make_way(void);

// Aligned accesses of 16, 32 or 64 bytes that bring so many bytes, each time the most useful. Returns the
// number of beats of 16 bytes.
struct access {
  uint64_t address;
  int beats;
};
enum { MAX_ACCESSES = 8 };
int accesses_of(uint64_t address, int bytes, struct access *accesses);

// The second-level cache: whether a line is new there, which it is no longer.
void cache_reset(void);
int cache_misses(uint64_t address);
