// Stores, cycle by cycle: rows are read where their bank is free, and leave more slowly.
#include "gemmini_time.h"

#include <string.h>

enum { QUEUE = 4 };
static const double row_time = 1.6, row_time_of_blocks = 1.75, row_time_of_spad = 1.1, row_time_wide = 4.1;
static const double time_of_piece = 1.25; // of rows that are several accesses
static const uint64_t arrival = 24, arrival_from_spad = 9;

static struct {
  struct work work[QUEUE];
  int place[QUEUE], first, count;
  int done; // rows of the first one
  double next;
  uint64_t arrives, busy;
} st;

void store_reset(void) {
  memset(&st, 0, sizeof st);
}

int store_has_room(void) {
  return st.count < QUEUE;
}

void store_start(int place, const struct work *work) {
  int at = (st.first + st.count++) % QUEUE;
  st.work[at] = *work, st.place[at] = place;
}

int store_is_idle(uint64_t now) {
  return st.count == 0 && now >= st.arrives;
}

uint64_t store_busy(void) {
  return st.busy;
}

static double time_of(const struct work *work, int row) {
  const int in_acc = work->reads[0].first >= SPAD_ROWS, blocks = work->read_count;
  const uint64_t address = work->dram.address + (uint64_t)(row % work->dram.rows) * work->dram.stride +
                           (uint64_t)(row / work->dram.rows * DIM);
  const int bytes = work->is_wide ? work->dram.bytes : work->dram.bytes / blocks;
  struct access accesses[MAX_ACCESSES];
  const int pieces = accesses_of(address, bytes, accesses);
  double time = work->is_wide ? row_time_wide
                : !in_acc     ? row_time_of_spad
                : blocks > 1  ? row_time_of_blocks
                              : row_time;
  if (pieces * time_of_piece > time)
    time = pieces * time_of_piece;
  for (int p = 0; p < pieces; ++p) {
    cache_misses(accesses[p].address); // the line is there from now on
    load_make_way();
  }
  return time;
}

void store_step(uint64_t now, struct ports *ports) {
  if (st.count == 0)
    return;
  ++st.busy;
  const struct work *work = &st.work[st.first];
  const int row = work->reads[st.done / work->dram.rows].first + st.done % work->dram.rows,
            bank = bank_of(row);
  if ((double)now < st.next || ports->is_read[bank] || (bank < BANKS_OF_SPAD && ports->is_written[bank]))
    return;
  const double from = st.next > (double)now - 1 ? st.next : (double)now;
  st.next = from + time_of(work, st.done);
  if (++st.done < work->dram.rows * work->read_count)
    return;
  st.arrives = (uint64_t)st.next + (bank < BANKS_OF_SPAD ? arrival_from_spad : arrival);
  station_end(GEMMINI_STORE, st.place[st.first]);
  st.first = (st.first + 1) % QUEUE, --st.count, st.done = 0;
}
