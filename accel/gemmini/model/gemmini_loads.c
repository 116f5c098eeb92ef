// Loads, cycle by cycle: two are under way, ask for their rows one after the other, and get 16 bytes in each
// cycle. Rows of 32-bit elements, scaled ones and zeros go ways of their own.
#include "gemmini_time.h"

#include <string.h>

enum {
  QUEUE = 8,
  AT_ONCE = 2,
  ASKED = 16,
  ANSWER = 17,
  COLD_ANSWER = 26,
  SCALED = 4,
  WIDE_ROWS = 2,
  START = 2
};
static const double line_time = 8.5, gap = 0.75;

struct load {
  struct work work;
  int place, is_on;
  uint64_t starts;
  int asked, piece, to_arrive; // rows asked for, accesses of the next one, beats asked for
  int written, beats, writes;  // so far; all writes
  int rows_ready;              // wide ones that wait, zeros
};

static struct {
  struct work work[QUEUE];
  int place[QUEUE], first, count;
  struct load loads[AT_ONCE];
  int older;
  struct {
    int load;
    uint64_t ready;
    int beats, ends_row;
  } asked[ASKED];
  int asked_first, asked_count;
  double cold_until, gaps;
  uint64_t scaled_until, busy;
  int acknowledged;
} l;

void load_reset(void) {
  memset(&l, 0, sizeof l);
}

int load_has_room(void) {
  return l.count < QUEUE;
}

void load_start(int place, const struct work *work) {
  int at = (l.first + l.count++) % QUEUE;
  l.work[at] = *work, l.place[at] = place;
}

int load_is_idle(void) {
  return l.count == 0 && !l.loads[0].is_on && !l.loads[1].is_on;
}

uint64_t load_busy(void) {
  return l.busy;
}

void load_make_way(void) {
  ++l.acknowledged;
}

// One row for all is read once.
static int is_broadcast(const struct load *load) {
  return load->work.dram.address && load->work.dram.stride == 0;
}

static int is_zeros(const struct load *load) {
  return load->work.dram.address == 0;
}

static void begin_loads(uint64_t now) {
  for (int n = 0; n < AT_ONCE; ++n) {
    struct load *load = &l.loads[(l.older + n) % AT_ONCE];
    if (load->is_on || l.count == 0)
      continue;
    memset(load, 0, sizeof *load);
    load->work = l.work[l.first], load->place = l.place[l.first];
    l.first = (l.first + 1) % QUEUE, --l.count;
    load->is_on = 1, load->starts = now + START;
    load->writes = load->work.dram.rows * load->work.write_count;
    if (!l.loads[(l.older + n + 1) % AT_ONCE].is_on)
      l.older = (l.older + n) % AT_ONCE;
  }
}

// One access in each cycle.
static int ask_for_row(struct load *load, uint64_t now) {
  const struct dram_block *from = &load->work.dram;
  const int rows = is_broadcast(load) ? 1 : from->rows;
  if (!load->is_on || is_zeros(load) || now < load->starts || load->asked >= rows)
    return 0;
  struct access accesses[MAX_ACCESSES];
  const int count = accesses_of(from->address + (uint64_t)load->asked * from->stride, from->bytes, accesses);
  const struct access *one = &accesses[load->piece];
  uint64_t ready = now + ANSWER;
  if (cache_misses(one->address)) {
    const double earliest = (double)now + COLD_ANSWER;
    l.cold_until = (l.cold_until > earliest ? l.cold_until : earliest) + line_time;
    ready = (uint64_t)l.cold_until;
  }
  const int at = (l.asked_first + l.asked_count++) % ASKED;
  l.asked[at].load = (int)(load - l.loads), l.asked[at].ready = ready, l.asked[at].beats = one->beats;
  l.asked[at].ends_row = load->piece == count - 1;
  load->to_arrive += one->beats;
  if (++load->piece == count)
    load->piece = 0, ++load->asked;
  return 1;
}

static void ask(uint64_t now) {
  if (l.asked_count == ASKED)
    return;
  if (!ask_for_row(&l.loads[l.older], now))
    ask_for_row(&l.loads[1 - l.older], now);
}

static int bank_of_write(const struct load *load) {
  const int row = load->written < load->writes ? load->written : load->writes - 1;
  return bank_of(load->work.writes[row / load->work.dram.rows].first + row % load->work.dram.rows);
}

// False: the array, or a load of another kind, has the bank in this cycle.
static int write_row(struct load *load, struct ports *ports) {
  const int bank = bank_of_write(load);
  if (ports->is_written[bank])
    return 0;
  ports->is_written[bank] = 1;
  ports->is_read[bank] |= (uint8_t)load->work.adds;
  load->written += load->written < load->writes;
  return 1;
}

static int all_asked(const struct load *load) {
  return load->asked == (is_broadcast(load) ? 1 : load->work.dram.rows);
}

static int waits_for_wide_rows(void) {
  return l.loads[0].rows_ready + l.loads[1].rows_ready >= WIDE_ROWS;
}

// The next 16 bytes, unless the way is taken or what is behind it is full.
static void receive(uint64_t now, struct ports *ports) {
  if (l.acknowledged > 0) {
    --l.acknowledged;
    return;
  }
  if (l.gaps >= 1) {
    l.gaps -= 1;
    return;
  }
  if (l.asked_count == 0 || l.asked[l.asked_first].ready > now || now < l.scaled_until)
    return;
  struct load *load = &l.loads[l.asked[l.asked_first].load];
  if (load->work.is_wide ? waits_for_wide_rows() : !is_broadcast(load) && !write_row(load, ports))
    return;
  ++l.busy;
  ++load->beats;
  if (load->work.is_scaled)
    l.scaled_until = now + SCALED;
  if (--l.asked[l.asked_first].beats == 0) {
    load->rows_ready += l.asked[l.asked_first].ends_row && (load->work.is_wide || is_broadcast(load));
    l.asked_first = (l.asked_first + 1) % ASKED, --l.asked_count;
    if (all_asked(load) && load->beats == load->to_arrive)
      l.gaps += gap;
  }
}

// Rows of 32 bits, then rows that need no memory any more.
static void write_others(uint64_t now, struct ports *ports) {
  for (int n = 0; n < AT_ONCE; ++n) {
    struct load *load = &l.loads[(l.older + n) % AT_ONCE];
    const int repeats = is_zeros(load) || (is_broadcast(load) && load->rows_ready > 0);
    if (!load->is_on || (!repeats && load->rows_ready == 0) || now < load->starts || !write_row(load, ports))
      continue;
    load->rows_ready -= !repeats;
    if (is_broadcast(load) && load->written == load->writes)
      load->rows_ready = 0;
    l.busy += (uint64_t)repeats;
    return;
  }
}

static int has_ended(const struct load *load) {
  if (is_zeros(load) || is_broadcast(load) || load->work.is_wide)
    return load->written == load->writes;
  return all_asked(load) && load->beats == load->to_arrive;
}

void load_step(uint64_t now, struct ports *ports) {
  receive(now, ports);
  write_others(now, ports);
  for (int n = 0; n < AT_ONCE; ++n) {
    struct load *load = &l.loads[n];
    if (load->is_on && has_ended(load)) {
      load->is_on = 0;
      l.older = l.older == n ? 1 - n : l.older;
      station_end(GEMMINI_LOAD, load->place);
    }
  }
  begin_loads(now);
  ask(now);
}
