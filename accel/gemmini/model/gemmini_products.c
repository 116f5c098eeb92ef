// The loop of products (gemmini_loop_ws): C = A * B + D. All of B's blocks along a row of A's blocks stay in
// the array for all rows of A. A goes by columns, so that products may begin before all is loaded.
#include "gemmini_loops.h"

#include <stdio.h>
#include <string.h>

static const uint32_t full_width = 1U << 29;

static struct {
  int i[GENERATORS], j[GENERATORS], k[GENERATORS];
  int has_preload;
  struct loop next_loop; // that the CPU sets up
} p;

static void reset(void) {
  memset(&p, 0, sizeof p);
}

static int has_commands(const struct loop *loop, enum generator g) {
  return g == LOAD_D ? loop->product.d != 0 : g != STORE_C || loop->product.c != 0;
}

static void begin(enum generator g) {
  p.i[g] = p.j[g] = p.k[g] = 0;
}

// Whether the generator g is past what `by`, which works on the same loop, needs next.
static int is_past(const struct unroller *u, enum generator g, enum generator by) {
  if (u->of[g] != u->of[by] || !u->works[g])
    return 1;
  const int k = p.k[by];
  if (g == LOAD_A)
    return p.k[g] > k || (p.k[g] == k && p.i[g] > p.i[by]);
  if (g == LOAD_B)
    return p.k[g] > k || (p.k[LOAD_A] == k && p.j[g] > p.j[by]);
  return 0;
}

static int least(int a, int b) {
  return a < b ? a : b;
}

// Blocks of columns that a command of the generator has.
static int blocks(const struct product *loop, enum generator g) {
  if (g == LOAD_A)
    return least(MAX_BLOCK_LEN, loop->k_count - p.k[g]);
  const int most =
      g == LOAD_B || (g == STORE_C ? !loop->full_c : loop->low_d) ? MAX_BLOCK_LEN : MAX_BLOCK_LEN_ACC;
  return least(most, loop->j_count - p.j[g]);
}

static int results_are_sent(const struct unroller *u, const struct product *loop) {
  if (u->of[MULTIPLY] != u->of[STORE_C] || !u->works[MULTIPLY])
    return 1;
  const int last = p.j[STORE_C] + blocks(loop, STORE_C) - 1;
  return p.k[MULTIPLY] == loop->k_count - 1 &&
         (p.j[MULTIPLY] > last || (p.j[MULTIPLY] == last && p.i[MULTIPLY] > p.i[STORE_C]));
}

static int is_ready(const struct unroller *u, enum generator g) {
  if (g == STORE_C)
    return results_are_sent(u, &u->slots[u->of[g]].loop.product);
  return g != MULTIPLY || (is_past(u, LOAD_A, g) && is_past(u, LOAD_B, g) && is_past(u, LOAD_D, g));
}

// Of both operands the one that is behind, of the older loop, goes next.
static enum generator next_operand(const struct unroller *u) {
  if (u->of[LOAD_A] != u->of[LOAD_B])
    return u->of[LOAD_A] == u->head ? LOAD_A : LOAD_B;
  return p.k[LOAD_A] < p.k[LOAD_B] ? LOAD_A : LOAD_B;
}

static void prefer(const struct unroller *u, enum generator order[GENERATORS]) {
  order[3] = next_operand(u);
  order[4] = order[3] == LOAD_A ? LOAD_B : LOAD_A;
}

static int size(int count, int number, int pad) {
  return DIM - (number == count - 1 ? pad : 0);
}

static uint64_t in_memory(uint64_t base, int row, uint64_t stride, int column, int bytes) {
  return base + ((uint64_t)row * stride + (uint64_t)column) * DIM * (uint64_t)bytes;
}

static uint32_t place_of_a(const struct product *loop, int slot, int i, int k) {
  return (uint32_t)(slot * HALF_OF_SPAD + (i * loop->k_count + k) * DIM);
}

static uint32_t place_of_b(const struct product *loop, int slot, int k, int j) {
  const int first = (slot + 1) * HALF_OF_SPAD - loop->k_count * loop->j_count * DIM;
  return (uint32_t)(first + (k * loop->j_count + j) * DIM);
}

static uint32_t place_of_sum(const struct product *loop, int half, int i, int j) {
  return accumulator | (uint32_t)(half * HALF_OF_ACC + (i * loop->j_count + j) * DIM);
}

// Columns of a command that goes to the last block of its row, or not.
static int columns(int first, int count, int all, int pad) {
  return count * DIM - (first + count >= all ? pad : 0);
}

static void send_load(const struct product *loop, int slot, int half, enum generator g) {
  const int i = p.i[g], j = p.j[g], k = p.k[g], count = blocks(loop, g);
  const int rows = g == LOAD_B ? DIM : size(loop->i_count, i, loop->pad_i); // all rows of B, whatever k is
  const int cols = g == LOAD_A ? columns(k, count, loop->k_count, loop->pad_k)
                               : columns(j, count, loop->j_count, loop->pad_j);
  if (g == LOAD_A)
    loop_command(k_MVIN, in_memory(loop->a, i, loop->a_stride, k, 1),
                 block(place_of_a(loop, slot, i, k), cols, rows));
  else if (g == LOAD_B)
    loop_command(k_MVIN2, in_memory(loop->b, k, loop->b_stride, j, 1),
                 block(place_of_b(loop, slot, k, j), cols, rows));
  else
    loop_command(k_MVIN3, in_memory(loop->d, i, loop->d_stride, j, loop->low_d ? 1 : 4),
                 block(place_of_sum(loop, half, i, j), cols, rows));
}

static void send_store(const struct product *loop, int half) {
  const int i = p.i[STORE_C], j = p.j[STORE_C];
  const uint32_t from = place_of_sum(loop, half, i, j) | (loop->full_c ? full_width : 0);
  loop_command(k_MVOUT, in_memory(loop->c, i, loop->c_stride, j, loop->full_c ? 4 : 1),
               block(from, columns(j, blocks(loop, STORE_C), loop->j_count, loop->pad_j),
                     size(loop->i_count, i, loop->pad_i)));
}

// A preload, then its product. The weights stay for all rows of A.
static void send_product(const struct product *loop, int slot, int half) {
  const int i = p.i[MULTIPLY], j = p.j[MULTIPLY], k = p.k[MULTIPLY];
  const int rows = size(loop->i_count, i, loop->pad_i), depth = size(loop->k_count, k, loop->pad_k);
  const int cols = size(loop->j_count, j, loop->pad_j);
  if (!p.has_preload) {
    const uint32_t to = place_of_sum(loop, half, i, j) | (loop->accumulates || k > 0 ? accumulate : 0);
    loop_command(k_PRELOAD, block(i == 0 ? place_of_b(loop, slot, k, j) : GARBAGE_ADDR, cols, depth),
                 block(to, cols, rows));
  } else
    loop_command(i == 0 ? k_COMPUTE_PRELOADED : k_COMPUTE_ACCUMULATE,
                 block(place_of_a(loop, slot, i, k), depth, rows), block(GARBAGE_ADDR, DIM, DIM));
  p.has_preload = !p.has_preload;
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
static int is_through(const struct product *loop, enum generator g) {
  const int count = blocks(loop, g);
  switch (g) {
  case LOAD_A: return wraps(&p.i[g], 1, loop->i_count) && wraps(&p.k[g], count, loop->k_count);
  case LOAD_B: return wraps(&p.j[g], count, loop->j_count) && wraps(&p.k[g], 1, loop->k_count);
  case MULTIPLY:
    return wraps(&p.i[g], 1, loop->i_count) && wraps(&p.j[g], 1, loop->j_count) &&
           wraps(&p.k[g], 1, loop->k_count);
  default: return wraps(&p.i[g], 1, loop->i_count) && wraps(&p.j[g], count, loop->j_count);
  }
}

static int send(const struct unroller *u, enum generator g) {
  const int slot = u->of[g], half = u->slots[slot].half[g];
  const struct product *loop = &u->slots[slot].loop.product;
  if (g == STORE_C)
    send_store(loop, half);
  else if (g == MULTIPLY)
    send_product(loop, slot, half);
  else
    send_load(loop, slot, half, g);
  return (g != MULTIPLY || !p.has_preload) && is_through(loop, g);
}

static int stores(const struct loop *loop) {
  return loop->product.c != 0;
}

const struct rules rules_of_products = {reset, has_commands, stores, begin, prefer, is_ready, send};

static void start_loop(uint64_t rs1, uint64_t rs2, void (*fail)(const char *message)) {
  struct product *loop = &p.next_loop.product;
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
    p.next_loop.kind = PRODUCTS;
    timeline_start_loop(&p.next_loop);
  }
}

void product_set_up(int funct, uint64_t rs1, uint64_t rs2, void (*fail)(const char *message)) {
  struct product *loop = &p.next_loop.product;
  switch (funct) {
  case k_LOOP_WS: start_loop(rs1, rs2, fail); return;
  case k_LOOP_WS_CONFIG_BOUNDS:
    loop->pad_i = loop_part(rs1, 0), loop->pad_j = loop_part(rs1, 16), loop->pad_k = loop_part(rs1, 32);
    loop->i_count = loop_part(rs2, 0), loop->j_count = loop_part(rs2, 16), loop->k_count = loop_part(rs2, 32);
    break;
  case k_LOOP_WS_CONFIG_ADDRS_AB: loop->a = rs1, loop->b = rs2; break;
  case k_LOOP_WS_CONFIG_ADDRS_DC: loop->d = rs1, loop->c = rs2; break;
  case k_LOOP_WS_CONFIG_STRIDES_AB: loop->a_stride = rs1, loop->b_stride = rs2; break;
  default: loop->d_stride = rs1, loop->c_stride = rs2;
  }
  timeline_set_up_loop();
}
