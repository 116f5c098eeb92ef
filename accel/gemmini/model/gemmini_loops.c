// The loop of products in hardware (gemmini_loop_ws): from the sizes and addresses of three matrices it makes
// the commands itself, one in each cycle, while the CPU goes on. Two loops are there at once, each with half
// of the scratchpad, and of the accumulator. Five generators make commands of one kind; each goes on to the
// next loop when it is through with one. Other commands wait until all loops have sent theirs.
#include "gemmini_time.h"

#include <stdio.h>
#include <string.h>

enum { SLOTS = 2, HALF_OF_SPAD = SPAD_ROWS / SLOTS, HALF_OF_ACC = ACC_ROWS / SLOTS };
static const uint32_t accumulator = 1U << 31, accumulate = 1U << 30, full_width = 1U << 29;

// In the order in which the hardware prefers them, but that A comes before B where it is behind.
enum generator { STORE_C, MULTIPLY, LOAD_D, LOAD_B, LOAD_A, GENERATORS };

struct slot {
  struct loop loop;
  int is_used;
  uint64_t arrives;
  int is_started[GENERATORS], is_through[GENERATORS];
};

static struct {
  struct slot slots[SLOTS];
  int head, next;        // the older one, and the one that gets the next loop
  int of[GENERATORS];    // the slot that a generator works on, or the last one that it worked on
  int works[GENERATORS]; // it has commands left there
  int i[GENERATORS], j[GENERATORS], k[GENERATORS];
  int half[GENERATORS]; // of the accumulator: the next one
  int has_preload;
  struct loop next_loop; // that the CPU sets up
} l;

void loops_reset(void) {
  memset(&l, 0, sizeof l);
}

int loops_are_idle(void) {
  return !l.slots[0].is_used && !l.slots[1].is_used;
}

int loops_have_room(void) {
  return !l.slots[l.next].is_used;
}

void loops_start(const struct loop *loop, uint64_t arrives) {
  l.slots[l.next] = (struct slot){.loop = *loop, .is_used = 1, .arrives = arrives};
  l.next = 1 - l.next;
}

static int has_started(int slot, enum generator g) {
  return l.slots[slot].is_started[g];
}

// Products wait for the generators of loads, stores for that of products, to come to the loop.
static int may_start(int slot, enum generator g) {
  if (g == MULTIPLY)
    return has_started(slot, LOAD_A) && has_started(slot, LOAD_B) && has_started(slot, LOAD_D);
  return g != STORE_C || has_started(slot, MULTIPLY);
}

static int has_commands(const struct loop *loop, enum generator g) {
  return g == LOAD_D ? loop->d != 0 : g != STORE_C || loop->c != 0;
}

static void start_generators(uint64_t now) {
  for (int g = 0; g < GENERATORS; ++g) {
    const int slot = has_started(l.head, g) ? 1 - l.head : l.head;
    struct slot *s = &l.slots[slot];
    if (l.works[g] || !s->is_used || now < s->arrives || s->is_started[g] || !may_start(slot, g))
      continue;
    s->is_started[g] = 1;
    l.of[g] = slot, l.i[g] = l.j[g] = l.k[g] = 0;
    l.works[g] = has_commands(&s->loop, g);
    s->is_through[g] = !l.works[g];
    s->loop.half[g] = l.half[g];
    if (s->loop.c != 0)
      l.half[g] = 1 - l.half[g];
  }
}

// Whether the generator g is past what `by`, which works on the same loop, needs next.
static int is_past(enum generator g, enum generator by) {
  if (l.of[g] != l.of[by] || !l.works[g])
    return 1;
  const int k = l.k[by];
  if (g == LOAD_A)
    return l.k[g] > k || (l.k[g] == k && l.i[g] > l.i[by]);
  if (g == LOAD_B)
    return l.k[g] > k || (l.k[LOAD_A] == k && l.j[g] > l.j[by]);
  return 0;
}

static int least(int a, int b) {
  return a < b ? a : b;
}

// Blocks of columns that a command of the generator has.
static int blocks(const struct loop *loop, enum generator g) {
  if (g == LOAD_A)
    return least(MAX_BLOCK_LEN, loop->k_count - l.k[g]);
  const int most =
      g == LOAD_B || (g == STORE_C ? !loop->full_c : loop->low_d) ? MAX_BLOCK_LEN : MAX_BLOCK_LEN_ACC;
  return least(most, loop->j_count - l.j[g]);
}

static int results_are_sent(const struct loop *loop) {
  if (l.of[MULTIPLY] != l.of[STORE_C] || !l.works[MULTIPLY])
    return 1;
  const int last = l.j[STORE_C] + blocks(loop, STORE_C) - 1;
  return l.k[MULTIPLY] == loop->k_count - 1 &&
         (l.j[MULTIPLY] > last || (l.j[MULTIPLY] == last && l.i[MULTIPLY] > l.i[STORE_C]));
}

static int is_ready(enum generator g) {
  if (!l.works[g])
    return 0;
  if (g == STORE_C)
    return station_has_room(GEMMINI_STORE) && results_are_sent(&l.slots[l.of[g]].loop);
  if (g == MULTIPLY)
    return station_has_room(GEMMINI_EXECUTE) && is_past(LOAD_A, g) && is_past(LOAD_B, g) &&
           is_past(LOAD_D, g);
  return station_has_room(GEMMINI_LOAD);
}

// Of both operands the one that is behind, of the older loop.
static enum generator next_operand(void) {
  if (!is_ready(LOAD_A) || !is_ready(LOAD_B))
    return is_ready(LOAD_A) ? LOAD_A : LOAD_B;
  if (l.of[LOAD_A] != l.of[LOAD_B])
    return l.of[LOAD_A] == l.head ? LOAD_A : LOAD_B;
  return l.k[LOAD_A] < l.k[LOAD_B] ? LOAD_A : LOAD_B;
}

static int size(int count, int number, int pad) {
  return DIM - (number == count - 1 ? pad : 0);
}

static uint64_t block(uint32_t address, int cols, int rows) {
  return GEMMINI_MODEL_BLOCK(address, cols, rows);
}

static uint64_t in_memory(uint64_t base, int row, uint64_t stride, int column, int bytes) {
  return base + ((uint64_t)row * stride + (uint64_t)column) * DIM * (uint64_t)bytes;
}

static uint32_t place_of_a(const struct loop *loop, int slot, int i, int k) {
  return (uint32_t)(slot * HALF_OF_SPAD + (i * loop->k_count + k) * DIM);
}

static uint32_t place_of_b(const struct loop *loop, int slot, int k, int j) {
  const int first = (slot + 1) * HALF_OF_SPAD - loop->k_count * loop->j_count * DIM;
  return (uint32_t)(first + (k * loop->j_count + j) * DIM);
}

static uint32_t place_of_sum(const struct loop *loop, enum generator g, int i, int j) {
  return accumulator | (uint32_t)(loop->half[g] * HALF_OF_ACC + (i * loop->j_count + j) * DIM);
}

// Columns of a command that goes to the last block of its row, or not.
static int columns(int first, int count, int all, int pad) {
  return count * DIM - (first + count >= all ? pad : 0);
}

static void send_load(const struct loop *loop, enum generator g) {
  const int i = l.i[g], j = l.j[g], k = l.k[g], count = blocks(loop, g);
  const int rows = g == LOAD_B ? DIM : size(loop->i_count, i, loop->pad_i); // all rows of B, whatever k is
  const int cols = g == LOAD_A ? columns(k, count, loop->k_count, loop->pad_k)
                               : columns(j, count, loop->j_count, loop->pad_j);
  if (g == LOAD_A)
    loop_command(k_MVIN, in_memory(loop->a, i, loop->a_stride, k, 1),
                 block(place_of_a(loop, l.of[g], i, k), cols, rows));
  else if (g == LOAD_B)
    loop_command(k_MVIN2, in_memory(loop->b, k, loop->b_stride, j, 1),
                 block(place_of_b(loop, l.of[g], k, j), cols, rows));
  else
    loop_command(k_MVIN3, in_memory(loop->d, i, loop->d_stride, j, loop->low_d ? 1 : 4),
                 block(place_of_sum(loop, g, i, j), cols, rows));
}

static void send_store(const struct loop *loop) {
  const int i = l.i[STORE_C], j = l.j[STORE_C];
  const uint32_t from = place_of_sum(loop, STORE_C, i, j) | (loop->full_c ? full_width : 0);
  loop_command(k_MVOUT, in_memory(loop->c, i, loop->c_stride, j, loop->full_c ? 4 : 1),
               block(from, columns(j, blocks(loop, STORE_C), loop->j_count, loop->pad_j),
                     size(loop->i_count, i, loop->pad_i)));
}

// A preload, then its product. The weights stay for all rows of A.
static void send_product(const struct loop *loop) {
  const int slot = l.of[MULTIPLY], i = l.i[MULTIPLY], j = l.j[MULTIPLY], k = l.k[MULTIPLY];
  const int rows = size(loop->i_count, i, loop->pad_i), depth = size(loop->k_count, k, loop->pad_k);
  const int cols = size(loop->j_count, j, loop->pad_j);
  if (!l.has_preload) {
    const uint32_t to = place_of_sum(loop, MULTIPLY, i, j) | (loop->accumulates || k > 0 ? accumulate : 0);
    loop_command(k_PRELOAD, block(i == 0 ? place_of_b(loop, slot, k, j) : GARBAGE_ADDR, cols, depth),
                 block(to, cols, rows));
  } else
    loop_command(i == 0 ? k_COMPUTE_PRELOADED : k_COMPUTE_ACCUMULATE,
                 block(place_of_a(loop, slot, i, k), depth, rows), block(GARBAGE_ADDR, DIM, DIM));
  l.has_preload = !l.has_preload;
}

// To the next of `count`, in steps; true where it starts again.
static int wraps(int *at, int step, int count) {
  *at += step;
  if (*at < count)
    return 0;
  *at = 0;
  return 1;
}

// The first loop is the innermost one.
static int is_through(const struct loop *loop, enum generator g) {
  const int count = blocks(loop, g);
  switch (g) {
  case LOAD_A: return wraps(&l.i[g], 1, loop->i_count) && wraps(&l.k[g], count, loop->k_count);
  case LOAD_B: return wraps(&l.j[g], count, loop->j_count) && wraps(&l.k[g], 1, loop->k_count);
  case MULTIPLY:
    return wraps(&l.i[g], 1, loop->i_count) && wraps(&l.j[g], 1, loop->j_count) &&
           wraps(&l.k[g], 1, loop->k_count);
  default: return wraps(&l.i[g], 1, loop->i_count) && wraps(&l.j[g], count, loop->j_count);
  }
}

static void send(enum generator g) {
  struct slot *slot = &l.slots[l.of[g]];
  if (g == STORE_C)
    send_store(&slot->loop);
  else if (g == MULTIPLY)
    send_product(&slot->loop);
  else
    send_load(&slot->loop, g);
  if ((g == MULTIPLY && l.has_preload) || !is_through(&slot->loop, g))
    return;
  l.works[g] = 0;
  slot->is_through[g] = 1;
}

static void end_loop(void) {
  struct slot *slot = &l.slots[l.head];
  for (int g = 0; g < GENERATORS; ++g)
    if (!slot->is_through[g])
      return;
  slot->is_used = 0;
  l.head = 1 - l.head;
}

void loops_step(uint64_t now) {
  if (loops_are_idle())
    return;
  start_generators(now);
  const enum generator preferred[] = {STORE_C, MULTIPLY, LOAD_D, next_operand()};
  for (int p = 0; p < 4; ++p)
    if (is_ready(preferred[p])) {
      send(preferred[p]);
      break;
    }
  if (l.slots[l.head].is_used)
    end_loop();
}

static void start_loop(uint64_t rs1, uint64_t rs2, void (*fail)(const char *message)) {
  struct loop *loop = &l.next_loop;
  char message[100];
  const int fits = loop->i_count > 0 && loop->j_count > 0 && loop->k_count > 0 &&
                   loop->i_count * loop->j_count * DIM <= HALF_OF_ACC &&
                   (loop->i_count + loop->j_count) * loop->k_count * DIM <= HALF_OF_SPAD;
  snprintf(message, sizeof message, "loop_ws: %d x %d x %d blocks do not fit", loop->i_count, loop->j_count,
           loop->k_count);
  if (rs2 & 7)
    fail("loop_ws: only products without transposes are modelled");
  else if (!fits || loop->pad_i >= DIM || loop->pad_j >= DIM || loop->pad_k >= DIM)
    fail(message);
  else {
    loop->accumulates = (int)(rs1 & 1), loop->full_c = (int)(rs1 >> 1 & 1), loop->low_d = (int)(rs1 >> 2 & 1);
    timeline_start_loop(loop);
  }
}

static int part(uint64_t word, int first) {
  return (int)(word >> first & 0xffff);
}

void loop_set_up(int funct, uint64_t rs1, uint64_t rs2, void (*fail)(const char *message)) {
  struct loop *loop = &l.next_loop;
  switch (funct) {
  case k_LOOP_WS: start_loop(rs1, rs2, fail); return;
  case k_LOOP_WS_CONFIG_BOUNDS:
    loop->pad_i = part(rs1, 0), loop->pad_j = part(rs1, 16), loop->pad_k = part(rs1, 32);
    loop->i_count = part(rs2, 0), loop->j_count = part(rs2, 16), loop->k_count = part(rs2, 32);
    break;
  case k_LOOP_WS_CONFIG_ADDRS_AB: loop->a = rs1, loop->b = rs2; break;
  case k_LOOP_WS_CONFIG_ADDRS_DC: loop->d = rs1, loop->c = rs2; break;
  case k_LOOP_WS_CONFIG_STRIDES_AB: loop->a_stride = rs1, loop->b_stride = rs2; break;
  default: loop->d_stride = rs1, loop->c_stride = rs2;
  }
  timeline_set_up_loop();
}
