// How long commands take: one after the other they go to the stations of three units (loads, execution,
// stores), and wait, with all that follow, while the stations of their unit are full. A unit runs its
// commands in order; a command waits for those of other units that touch the same rows. The constants are
// measured on the hardware.
#include "gemmini_state.h"

#include <string.h>

static const double issue_interval = 6.3, configuration_interval = 3.3;
static const double first_load = 300;                       // the TLB is cold
static const double latency[GEMMINI_UNITS] = {110, 50, 60}; // until others see what a unit has done
static const int stations[GEMMINI_UNITS] = {8, 16, 4};
enum { MAX_STATIONS = 16 };

static struct {
  double now;                               // the last command was issued
  double idle[GEMMINI_UNITS];               // the unit has done all it got
  double done[GEMMINI_UNITS][MAX_STATIONS]; // the last commands, by station
  uint64_t count[GEMMINI_UNITS];
  int is_warm;
  double read_until[GEMMINI_UNITS][LOCAL_ROWS], written_until[GEMMINI_UNITS][LOCAL_ROWS];
} t;

// The second-level cache: 512 KiB, in sets of lines of which the oldest makes room.
enum { LINE = 64, WAYS = 8, SETS = 512 * 1024 / LINE / WAYS };
static const double missing_line = 4; // at 8 instead of 16 bytes a cycle
static struct {
  uint64_t line[SETS][WAYS]; // number + 1
  uint8_t oldest[SETS];
} cache;

void timeline_reset(void) {
  memset(&t, 0, sizeof t);
  memset(&cache, 0, sizeof cache);
}

static int is_missing(uint64_t line) {
  uint64_t set = line % SETS;
  for (int way = 0; way < WAYS; ++way)
    if (cache.line[set][way] == line + 1)
      return 0;
  cache.line[set][cache.oldest[set]] = line + 1;
  cache.oldest[set] = (uint8_t)((cache.oldest[set] + 1) % WAYS);
  return 1;
}

double load_cycles(const struct dram_block *block) {
  double cycles = 1;
  for (int r = 0; r < block->rows; ++r) {
    uint64_t first = block->address + (uint64_t)r * block->stride;
    cycles += block->address == 0 || block->bytes < 16 ? 1 : block->bytes / 16.0;
    for (uint64_t line = first / LINE;
         block->address != 0 && line <= (first + (uint64_t)block->bytes - 1) / LINE; ++line)
      cycles += is_missing(line) ? missing_line : 0;
  }
  return cycles;
}

static double later(double a, double b) {
  return a > b ? a : b;
}

// When the other units are done with the rows.
static double free_of_others(int unit, double (*until)[LOCAL_ROWS], struct rows rows) {
  double time = 0;
  for (int other = 0; other < GEMMINI_UNITS; ++other)
    for (int r = 0; other != unit && r < rows.count; ++r)
      time = later(time, until[other][rows.first + r]);
  return time;
}

static void mark(double *until, struct rows rows, double time) {
  for (int r = 0; r < rows.count; ++r)
    until[rows.first + r] = time;
}

void timeline_issue(const struct work *work) {
  int unit = work->unit;
  double *station = &t.done[unit][t.count[unit]++ % (uint64_t)stations[unit]];
  t.now = later(t.now + (work->is_configuration ? configuration_interval : issue_interval), *station);
  double start = later(t.now, t.idle[unit]);
  for (int i = 0; i < work->read_count; ++i)
    start = later(start, free_of_others(unit, t.written_until, work->reads[i]));
  for (int i = 0; i < work->write_count; ++i) {
    start = later(start, free_of_others(unit, t.written_until, work->writes[i]));
    start = later(start, free_of_others(unit, t.read_until, work->writes[i]));
  }
  if (unit == GEMMINI_LOAD && !work->is_configuration && !t.is_warm) {
    start += first_load;
    t.is_warm = 1;
  }
  t.idle[unit] = start + work->cycles;
  double end = t.idle[unit] + (work->is_configuration ? 0 : latency[unit]);
  *station = end;
  for (int i = 0; i < work->read_count; ++i)
    mark(t.read_until[unit], work->reads[i], end);
  for (int i = 0; i < work->write_count; ++i)
    mark(t.written_until[unit], work->writes[i], end);
}

double timeline_end(void) {
  double end = t.now;
  for (int unit = 0; unit < GEMMINI_UNITS; ++unit)
    end = later(end, t.idle[unit]);
  return end;
}

void timeline_fence(void) {
  t.now = timeline_end();
}
