// What the hardware guarantees of the order of commands since the last fence, whatever time they take. Each
// of the three units starts its commands in order. Execution and stores end in order, too; loads end in any
// order. A command starts when those of other units that touch the same rows have ended, and a load never
// waits for another one. So a load may still be under way when a later one stores to the same row, unless a
// command of another unit stands between the two.
#include "gemmini_state.h"

#include <stdlib.h>
#include <string.h>

// All commands of execution and of stores up to these have ended. Commands have numbers from 1 on.
struct clock {
  int64_t executes, stores;
};

struct load {
  int64_t number; // among all commands, for messages
  int adds;
  struct clock starts;                            // what has ended when it starts
  int64_t ends_before_execute, ends_before_store; // the first ones that wait for it; 0: none
};

struct load_list {
  int *items; // of `loads`
  int count, room;
};

static struct {
  struct load *loads;
  int load_count, load_room;
  struct clock *executes, *stores; // by number: what has ended when they start
  int64_t execute_count, store_count, execute_room, store_room;
  struct clock load_started;                                               // the last one
  int64_t number;                                                          // of commands
  struct load_list loaded[LOCAL_ROWS];                                     // that may be under way
  struct conflict conflicts[LOCAL_ROWS];                                   // of such loads
  int64_t executed[LOCAL_ROWS], result_of[LOCAL_ROWS], stored[LOCAL_ROWS]; // the last ones
} o;

static int64_t greater(int64_t a, int64_t b) {
  return a > b ? a : b;
}

static void join(struct clock *into, struct clock other) {
  into->executes = greater(into->executes, other.executes);
  into->stores = greater(into->stores, other.stores);
}

static void *with_room(void *items, int64_t count, int64_t *room, size_t size) {
  if (count < *room)
    return items;
  *room = *room ? 2 * *room : 64;
  items = realloc(items, (size_t)*room * size);
  if (!items)
    abort();
  return items;
}

void order_reset(void) {
  for (int r = 0; r < LOCAL_ROWS; ++r)
    o.loaded[r].count = 0;
  memset(o.conflicts, 0, sizeof o.conflicts);
  memset(o.executed, 0, sizeof o.executed);
  memset(o.result_of, 0, sizeof o.result_of);
  memset(o.stored, 0, sizeof o.stored);
  o.load_count = 0;
  o.execute_count = o.store_count = o.number = 0;
  o.load_started = (struct clock){0, 0};
}

static void wait_for_execute(struct clock *starts, int64_t execute) {
  if (execute > 0)
    join(starts, o.executes[execute - 1]);
  starts->executes = greater(starts->executes, execute);
}

static void wait_for_store(struct clock *starts, int64_t store) {
  if (store > 0)
    join(starts, o.stores[store - 1]);
  starts->stores = greater(starts->stores, store);
}

static int ends_before(const struct load *load, struct clock starts) {
  return (load->ends_before_execute && starts.executes >= load->ends_before_execute) ||
         (load->ends_before_store && starts.stores >= load->ends_before_store);
}

// Those that end before `next` starts are of no interest any more. Returns the number of a command that is in
// its way, or 0.
static int64_t replace_loads(struct load_list *row, int next) {
  int kept = 0;
  int64_t conflict = 0;
  for (int i = 0; i < row->count; ++i) {
    const struct load *load = &o.loads[row->items[i]];
    if (row->items[i] == next || ends_before(load, o.loads[next].starts))
      continue;
    if (!load->adds || !o.loads[next].adds)
      conflict = load->number;
    row->items[kept++] = row->items[i];
  }
  row->count = kept;
  int64_t room = row->room;
  row->items = with_room(row->items, row->count, &room, sizeof *row->items);
  row->room = (int)room;
  row->items[row->count++] = next;
  return conflict;
}

static void enter_load(const struct work *work) {
  struct clock starts = o.load_started;
  for (int i = 0; i < work->write_count; ++i)
    for (int r = 0; r < work->writes[i].count; ++r) {
      wait_for_execute(&starts, o.executed[work->writes[i].first + r]);
      wait_for_store(&starts, o.stored[work->writes[i].first + r]);
    }
  int64_t room = o.load_room;
  o.loads = with_room(o.loads, o.load_count, &room, sizeof *o.loads);
  o.load_room = (int)room;
  o.loads[o.load_count] = (struct load){o.number, work->adds, starts, 0, 0};
  o.load_started = starts;
  for (int i = 0; i < work->write_count; ++i)
    for (int r = 0; r < work->writes[i].count; ++r) {
      int row = work->writes[i].first + r;
      int64_t other = replace_loads(&o.loaded[row], o.load_count);
      if (other)
        o.conflicts[row] = (struct conflict){other, o.number, row};
    }
  ++o.load_count;
}

// The first command of the unit that waits for a load is noted there.
static void wait_for_loads(struct clock *starts, struct rows rows, int is_store, int64_t command) {
  for (int r = 0; r < rows.count; ++r)
    for (int i = 0; i < o.loaded[rows.first + r].count; ++i) {
      struct load *load = &o.loads[o.loaded[rows.first + r].items[i]];
      int64_t *first = is_store ? &load->ends_before_store : &load->ends_before_execute;
      *first = *first ? *first : command;
      join(starts, load->starts);
    }
}

static void enter_execute(const struct work *work) {
  int64_t command = ++o.execute_count;
  struct clock starts = {0, 0};
  if (command > 1)
    starts = o.executes[command - 2];
  for (int i = 0; i < work->read_count; ++i)
    wait_for_loads(&starts, work->reads[i], 0, command);
  for (int i = 0; i < work->write_count; ++i) {
    wait_for_loads(&starts, work->writes[i], 0, command);
    for (int r = 0; r < work->writes[i].count; ++r)
      wait_for_store(&starts, o.stored[work->writes[i].first + r]);
  }
  o.executes = with_room(o.executes, command - 1, &o.execute_room, sizeof *o.executes);
  o.executes[command - 1] = starts;
  for (int i = 0; i < work->read_count; ++i)
    for (int r = 0; r < work->reads[i].count; ++r)
      o.executed[work->reads[i].first + r] = command;
  for (int i = 0; i < work->write_count; ++i)
    for (int r = 0; r < work->writes[i].count; ++r)
      o.executed[work->writes[i].first + r] = o.result_of[work->writes[i].first + r] = command;
}

static void enter_store(const struct work *work) {
  int64_t command = ++o.store_count;
  struct clock starts = {0, 0};
  if (command > 1)
    starts = o.stores[command - 2];
  for (int i = 0; i < work->read_count; ++i) {
    wait_for_loads(&starts, work->reads[i], 1, command);
    for (int r = 0; r < work->reads[i].count; ++r)
      wait_for_execute(&starts, o.result_of[work->reads[i].first + r]);
  }
  o.stores = with_room(o.stores, command - 1, &o.store_room, sizeof *o.stores);
  o.stores[command - 1] = starts;
  for (int i = 0; i < work->read_count; ++i)
    for (int r = 0; r < work->reads[i].count; ++r)
      o.stored[work->reads[i].first + r] = command;
}

static struct conflict conflict_in(const struct rows *ranges, int count) {
  for (int i = 0; i < count; ++i)
    for (int r = 0; r < ranges[i].count; ++r)
      if (o.conflicts[ranges[i].first + r].first)
        return o.conflicts[ranges[i].first + r];
  return (struct conflict){0, 0, 0};
}

struct conflict order_enter(const struct work *work) {
  ++o.number;
  if (work->unit == GEMMINI_LOAD) {
    enter_load(work);
    return (struct conflict){0, 0, 0};
  }
  if (work->unit == GEMMINI_EXECUTE)
    enter_execute(work);
  else
    enter_store(work);
  struct conflict found = conflict_in(work->reads, work->read_count);
  return found.first ? found : conflict_in(work->writes, work->write_count);
}
