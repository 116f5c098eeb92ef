// Commands between their issue and their end: what the hardware may do in any order, the model does in an
// order that a seed chooses. Loads store their rows one by one, mixed with those of other loads.
#include "gemmini_state.h"

#include <stdlib.h>
#include <string.h>

enum { LOADS = 8, EXECUTES = 8, STORES = 4 }; // an execution is two commands of a queue of 16

// Numbers count the commands of a unit, from 1 on.
struct waiting {
  struct command command;
  struct work work;
  int64_t for_execute, for_store; // they have to end first
  uint32_t for_loads;             // a bit for each place
};

static struct {
  uint64_t state;
  struct waiting loads[LOADS], executes[EXECUTES], stores[STORES];
  int is_used[LOADS], is_started[LOADS];
  uint64_t rows_left[LOADS];
  int64_t load_order[LOADS]; // they start in this order
  int64_t load_count, loads_started;
  int64_t execute_count, executes_done, store_count, stores_done;
} s;

void station_reset(uint64_t seed) {
  memset(&s, 0, sizeof s);
  s.state = seed * 2862933555777941757U + 3037000493U;
}

static int random_below(int n) {
  s.state ^= s.state << 13, s.state ^= s.state >> 7, s.state ^= s.state << 17;
  return (int)((s.state >> 33) % (uint64_t)n);
}

int have_common_rows(const struct rows *a, int a_count, const struct rows *b, int b_count) {
  for (int i = 0; i < a_count; ++i)
    for (int j = 0; j < b_count; ++j)
      if (a[i].first < b[j].first + b[j].count && b[j].first < a[i].first + a[i].count)
        return 1;
  return 0;
}

static int conflict_with(const struct work *work, const struct work *other) {
  return have_common_rows(work->reads, work->read_count, other->reads, other->read_count) ||
         have_common_rows(work->reads, work->read_count, other->writes, other->write_count) ||
         have_common_rows(work->writes, work->write_count, other->reads, other->read_count) ||
         have_common_rows(work->writes, work->write_count, other->writes, other->write_count);
}

// Commands that are there when it enters; reads of both do not conflict, but where one is a load.
static void find_conflicts(struct waiting *w) {
  const int unit = w->work.unit;
  for (int l = 0; l < LOADS && unit != GEMMINI_LOAD; ++l)
    if (s.is_used[l] && conflict_with(&w->work, &s.loads[l].work))
      w->for_loads |= 1U << l;
  for (int64_t e = s.executes_done + 1; e <= s.execute_count && unit != GEMMINI_EXECUTE; ++e) {
    const struct work *other = &s.executes[e % EXECUTES].work;
    if (unit == GEMMINI_LOAD
            ? conflict_with(&w->work, other)
            : have_common_rows(w->work.reads, w->work.read_count, other->writes, other->write_count))
      w->for_execute = e;
  }
  for (int64_t t = s.stores_done + 1; t <= s.store_count && unit != GEMMINI_STORE; ++t) {
    const struct work *other = &s.stores[t % STORES].work;
    if (have_common_rows(w->work.writes, w->work.write_count, other->reads, other->read_count))
      w->for_store = t;
  }
}

static int can_start(const struct waiting *w) {
  return w->for_execute <= s.executes_done && w->for_store <= s.stores_done && w->for_loads == 0;
}

static void end_load(int place) {
  s.is_used[place] = 0;
  for (int e = 0; e < EXECUTES; ++e)
    s.executes[e].for_loads &= ~(1U << place);
  for (int t = 0; t < STORES; ++t)
    s.stores[t].for_loads &= ~(1U << place);
}

static int try_load(void) {
  int place = random_below(LOADS);
  if (!s.is_used[place])
    return 0;
  if (!s.is_started[place]) {
    if (s.load_order[place] != s.loads_started + 1 || !can_start(&s.loads[place]))
      return 0;
    s.is_started[place] = 1;
    ++s.loads_started;
    return 1;
  }
  int row = random_below(64);
  while (!(s.rows_left[place] >> row & 1))
    row = (row + 1) % 64;
  do_load(&s.loads[place].command, row);
  s.rows_left[place] &= ~(1ULL << row);
  if (!s.rows_left[place])
    end_load(place);
  return 1;
}

static int try_execute(void) {
  const struct waiting *next = &s.executes[(s.executes_done + 1) % EXECUTES];
  if (s.executes_done == s.execute_count || !can_start(next))
    return 0;
  do_compute(&next->command);
  ++s.executes_done;
  return 1;
}

static int try_store(void) {
  const struct waiting *next = &s.stores[(s.stores_done + 1) % STORES];
  if (s.stores_done == s.store_count || !can_start(next))
    return 0;
  do_store(&next->command);
  ++s.stores_done;
  return 1;
}

static void try_any(void) {
  switch (random_below(8)) {
  case 0: try_execute(); break;
  case 1: try_store(); break;
  default: try_load();
  }
}

static int free_place(void) {
  for (int place = 0; place < LOADS; ++place)
    if (!s.is_used[place])
      return place;
  return -1;
}

static void take_place(const struct waiting *w) {
  while (free_place() < 0)
    try_any();
  int place = free_place();
  s.loads[place] = *w;
  s.is_used[place] = 1, s.is_started[place] = 0;
  s.load_order[place] = ++s.load_count;
  uint64_t rows = w->command.to.rows == 16 ? 0xffff : (1ULL << w->command.to.rows) - 1;
  s.rows_left[place] = 0; // sixteen bits for each block of columns
  for (int b = 0; b * DIM < w->command.to.cols; ++b)
    s.rows_left[place] |= rows << (16 * b);
}

void station_enter(const struct command *command, const struct work *work) {
  struct waiting w = {.command = *command, .work = *work};
  if (work->unit == GEMMINI_EXECUTE)
    while (s.execute_count - s.executes_done == EXECUTES)
      try_any();
  if (work->unit == GEMMINI_STORE)
    while (s.store_count - s.stores_done == STORES)
      try_any();
  find_conflicts(&w);
  if (work->unit == GEMMINI_LOAD)
    take_place(&w);
  else if (work->unit == GEMMINI_EXECUTE)
    s.executes[++s.execute_count % EXECUTES] = w;
  else
    s.stores[++s.store_count % STORES] = w;
  for (int steps = random_below(24); steps > 0; --steps) // some time passes
    try_any();
}

static int is_empty(void) {
  for (int place = 0; place < LOADS; ++place)
    if (s.is_used[place])
      return 0;
  return s.executes_done == s.execute_count && s.stores_done == s.store_count;
}

void station_fence(void) {
  while (!is_empty())
    try_any();
}
