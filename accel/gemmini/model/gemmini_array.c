// The array, cycle by cycle: a compute reads rows of its operand, while the weights of the preload behind it
// are read. A row of the result is written 37 cycles later.
#include "gemmini_time.h"

#include <string.h>

enum { QUEUE = 8, DEPTH = 37, RING = 64, AT_ONCE = 4, START = 25 };

struct step { // of a compute, a preload or both
  int is_on, place_of_compute, place_of_preload, rows, done, half;
  struct work compute, preload;
};
struct written { // a row of a result, or the end of a preload
  int is_on, bank, adds, ended;
};

static struct {
  struct work work[QUEUE];
  int place[QUEUE], first, count;
  struct step step;
  struct work weights; // the last preload, for the next compute
  int place_of_weights;
  struct written ring[RING];
  int writing;
  uint64_t started[AT_ONCE], steps; // the last ones
  uint64_t busy;
} x;

void array_reset(void) {
  memset(&x, 0, sizeof x);
}

int array_has_room(void) {
  return x.count < QUEUE;
}

void array_start(int place, const struct work *work) {
  int at = (x.first + x.count++) % QUEUE;
  x.work[at] = *work, x.place[at] = place;
}

int array_is_idle(void) {
  return x.count == 0 && !x.step.is_on && x.writing == 0;
}

uint64_t array_busy(void) {
  return x.busy;
}

void array_write(uint64_t now, struct ports *ports) {
  struct written *row = &x.ring[now % RING];
  if (!row->is_on)
    return;
  ports->is_written[row->bank] = 1;
  ports->is_read[row->bank] |= (uint8_t)row->adds;
  if (row->ended)
    station_end(GEMMINI_EXECUTE, row->ended - 1);
  row->is_on = 0, row->ended = 0;
  --x.writing;
}

static const struct work *queued(int n) {
  return n < x.count ? &x.work[(x.first + n) % QUEUE] : NULL;
}

static int take(struct work *work) {
  int place = x.place[x.first];
  *work = x.work[x.first];
  x.first = (x.first + 1) % QUEUE, --x.count;
  return place;
}

static int is_preload(const struct work *work) {
  return work && work->part == PART_PRELOAD;
}

static int is_compute(const struct work *work) {
  return work && work->part == PART_COMPUTE;
}

// A preload with weights takes as long as the array has rows; four steps at most are under way.
static void begin_step(uint64_t now) {
  struct step *s = &x.step;
  memset(s, 0, sizeof *s);
  const int overlaps = is_compute(queued(0)) && is_preload(queued(1)) && is_compute(queued(2));
  const int computes = is_compute(queued(0)), preloads = overlaps || is_preload(queued(0));
  const int rows_of_compute = computes ? queued(0)->reads[0].count : 0;
  if (x.steps >= AT_ONCE && now < x.started[x.steps % AT_ONCE] + (uint64_t)(START + rows_of_compute))
    return;
  if (computes)
    s->place_of_compute = take(&s->compute);
  if (preloads)
    s->place_of_preload = take(&s->preload);
  s->is_on = computes || preloads;
  s->rows = preloads && s->preload.read_count ? DIM : 1;
  s->rows = rows_of_compute > s->rows ? rows_of_compute : s->rows;
  x.started[x.steps++ % AT_ONCE] = now;
}

static void write_later(uint64_t when, int row) {
  const struct work *to = &x.weights;
  x.ring[when % RING] = (struct written){1, bank_of(to->writes[0].first + row), to->adds,
                                         row + 1 == to->writes[0].count ? x.place_of_weights + 1 : 0};
  ++x.writing;
}

static void end_step(void) {
  struct step *s = &x.step;
  s->is_on = 0;
  if (is_compute(&s->compute))
    station_end(GEMMINI_EXECUTE, s->place_of_compute);
  if (!is_preload(&s->preload))
    return;
  x.weights = s->preload, x.place_of_weights = s->place_of_preload;
  if (s->preload.write_count == 0)
    station_end(GEMMINI_EXECUTE, s->place_of_preload);
}

// A row of each operand, unless the bank is written to; one after the other from one bank.
static void read_rows(uint64_t now, const struct ports *ports) {
  struct step *s = &x.step;
  const int reads_a = is_compute(&s->compute) && s->done < s->compute.reads[0].count;
  const int reads_b = is_preload(&s->preload) && s->preload.read_count && s->done < s->preload.reads[0].count;
  const int a = reads_a ? bank_of(s->compute.reads[0].first + s->done) : -1;
  const int b = reads_b ? bank_of(s->preload.reads[0].first + s->done) : -1;
  ++x.busy;
  if ((reads_a && ports->is_written[a]) || (reads_b && ports->is_written[b]))
    return;
  if (reads_a && a == b && !s->half) {
    s->half = 1;
    return;
  }
  s->half = 0;
  if (reads_a && x.weights.write_count && s->done < x.weights.writes[0].count)
    write_later(now + DEPTH, s->done);
  if (++s->done >= s->rows)
    end_step();
}

static void end_configuration(void) {
  struct work work;
  if (!x.step.is_on && queued(0) && queued(0)->is_configuration && x.writing == 0)
    station_end(GEMMINI_EXECUTE, take(&work));
}

void array_step(uint64_t now, struct ports *ports) {
  end_configuration();
  if (!x.step.is_on && x.count && !queued(0)->is_configuration)
    begin_step(now);
  if (x.step.is_on)
    read_rows(now, ports);
}
