// How long commands take, cycle by cycle: the CPU sends one after the other; they wait in a queue, then in
// the station of their unit, until those that they depend on have ended. While the station of a unit is full,
// all wait behind a command that needs it.
#include "gemmini_time.h"

#include <string.h>

static double instructions = 6.3;   // of the CPU, from one command to the next
static int code_lines = 16;         // that are not in the caches yet
static const double code_line = 50; // to load one of them
enum { FRONT = 10, FRONT_TIME = 10, STATION = 16 };
enum { LONGEST = 200000 }; // more than a full station needs
static const int places[GEMMINI_UNITS] = {8, 16, 4};

struct entry {
  struct work work;
  int is_used;
  uint32_t waits[GEMMINI_UNITS]; // a bit for each place
};

static struct {
  uint64_t now;
  double cpu; // has sent its last command
  struct {
    struct work work;
    uint64_t arrives;
  } front[FRONT];
  int front_first, front_count;
  struct entry entries[GEMMINI_UNITS][STATION];
  int order[GEMMINI_UNITS][STATION], order_first[GEMMINI_UNITS], order_count[GEMMINI_UNITS]; // not issued
  int used;
} t;

void timeline_reset(void) {
  memset(&t, 0, sizeof t);
  t.cpu = code_line * code_lines;
  load_reset(), array_reset(), store_reset(), cache_reset(), loops_reset();
}

static int reads_written(const struct work *reader, const struct work *writer) {
  return have_common_rows(reader->reads, reader->read_count, writer->writes, writer->write_count);
}

static int write_the_same(const struct work *a, const struct work *b) {
  return have_common_rows(a->writes, a->write_count, b->writes, b->write_count);
}

// Commands of one unit keep their order without that. Executions and stores meet in what the former write.
static int waits_for(const struct work *next, const struct work *earlier) {
  if (next->unit == earlier->unit || next->is_configuration || earlier->is_configuration)
    return 0;
  return reads_written(next, earlier) || reads_written(earlier, next) || write_the_same(next, earlier);
}

static int free_place(int unit) {
  for (int place = 0; place < places[unit]; ++place)
    if (!t.entries[unit][place].is_used)
      return place;
  return -1;
}

int station_has_room(int unit) {
  return free_place(unit) >= 0;
}

static void take_place(const struct work *work) {
  const int unit = work->unit, place = free_place(unit);
  struct entry *entry = &t.entries[unit][place];
  memset(entry, 0, sizeof *entry);
  entry->work = *work, entry->is_used = 1;
  for (int other = 0; other < GEMMINI_UNITS; ++other)
    for (int p = 0; other != unit && p < places[other]; ++p)
      if (t.entries[other][p].is_used && waits_for(work, &t.entries[other][p].work))
        entry->waits[other] |= 1U << p;
  t.order[unit][(t.order_first[unit] + t.order_count[unit]++) % STATION] = place;
  ++t.used;
}

static void enter(uint64_t now) {
  if (t.front_count == 0 || t.front[t.front_first].arrives > now ||
      !station_has_room(t.front[t.front_first].work.unit))
    return;
  take_place(&t.front[t.front_first].work);
  t.front_first = (t.front_first + 1) % FRONT, --t.front_count;
}

void station_end(int unit, int place) {
  t.entries[unit][place].is_used = 0;
  --t.used;
  for (int other = 0; other < GEMMINI_UNITS; ++other)
    for (int p = 0; p < places[other]; ++p)
      t.entries[other][p].waits[unit] &= ~(1U << place);
}

// In the order of the program.
static void issue(int unit, int has_room, void (*start)(int, const struct work *)) {
  if (t.order_count[unit] == 0)
    return;
  const int place = t.order[unit][t.order_first[unit]];
  const struct entry *entry = &t.entries[unit][place];
  if (entry->waits[0] || entry->waits[1] || entry->waits[2] || !has_room)
    return;
  t.order_first[unit] = (t.order_first[unit] + 1) % STATION, --t.order_count[unit];
  if (entry->work.is_configuration && unit != GEMMINI_EXECUTE)
    station_end(unit, place);
  else
    start(place, &entry->work);
}

static void step(void) {
  struct ports ports = {{0}, {0}};
  ++t.now;
  array_write(t.now, &ports);
  load_step(t.now, &ports);
  array_step(t.now, &ports);
  store_step(t.now, &ports);
  issue(GEMMINI_LOAD, load_has_room(), load_start);
  issue(GEMMINI_EXECUTE, array_has_room(), array_start);
  issue(GEMMINI_STORE, store_has_room(), store_start);
  enter(t.now);
  if (t.front_count == 0)
    loops_step(t.now);
}

// Commands that were refused are not there: others that need them, such as a preload without its compute,
// would wait for ever. They are dropped.
static void give_up(void) {
  const uint64_t now = t.now;
  memset(&t, 0, sizeof t);
  load_reset(), array_reset(), store_reset(), loops_reset();
  t.now = now, t.cpu = (double)now;
}

static int is_idle(void) {
  return (double)t.now >= t.cpu && loops_are_idle() && !t.front_count && !t.used && load_is_idle() &&
         array_is_idle() && store_is_idle(t.now);
}

static int front_has_room(void) {
  return t.front_count < FRONT;
}

// The CPU has its next command, for which there is room.
static void wait_for_command(int (*has_room)(void)) {
  t.cpu += instructions;
  const uint64_t latest = t.now + LONGEST;
  while (!has_room() || (double)t.now < t.cpu)
    if (t.now < latest)
      step();
    else
      give_up();
  t.cpu = (double)t.now > t.cpu + 1 ? (double)t.now : t.cpu;
}

void timeline_issue_of_loop(const struct work *work) {
  take_place(work);
}

void timeline_set_up_loop(void) {
  wait_for_command(front_has_room);
}

void timeline_start_loop(const struct loop *loop) {
  loops_wait_for(loop->kind);
  wait_for_command(loops_have_room);
  loops_start(loop, t.now + FRONT_TIME);
}

void timeline_issue(const struct work *work) {
  wait_for_command(loops_are_idle() ? front_has_room : loops_are_idle);
  const int at = (t.front_first + t.front_count++) % FRONT;
  t.front[at].work = *work, t.front[at].arrives = t.now + FRONT_TIME;
}

void timeline_fence(void) {
  const uint64_t latest = t.now + LONGEST;
  while (!is_idle())
    if (t.now < latest)
      step();
    else
      give_up();
  t.cpu = (double)t.now;
}

double timeline_end(void) {
  timeline_fence();
  return (double)t.now;
}

void gemmini_model_instructions(double per_command) {
  instructions = per_command;
}

void gemmini_model_code(int lines) {
  code_lines = lines;
}

double timeline_busy(int unit) {
  return (double)(unit == GEMMINI_LOAD ? load_busy() : unit == GEMMINI_EXECUTE ? array_busy() : store_busy());
}
