// Loops in hardware (gemmini_loop_ws, gemmini_loop_conv_ws): from sizes and addresses it makes the commands
// itself, one in each cycle, while the CPU goes on. Two loops are there at once, each with half of the
// scratchpad, and of the accumulator. Five generators make commands of one kind; each goes on to the next
// loop when it is through with one. Other commands, and loops of the other kind, wait until all loops have
// sent theirs.
#include "gemmini_loops.h"

#include <string.h>

static struct unroller unrollers[LOOP_KINDS];
static const struct rules *const rules[LOOP_KINDS] = {&rules_of_products, &rules_of_convolutions};
static enum loop_kind waiting; // of the loop that the CPU starts next

void loops_reset(void) {
  memset(unrollers, 0, sizeof unrollers);
  for (int kind = 0; kind < LOOP_KINDS; ++kind)
    rules[kind]->reset();
}

static int is_idle(const struct unroller *u) {
  return !u->slots[0].is_used && !u->slots[1].is_used;
}

int loops_are_idle(void) {
  return is_idle(&unrollers[PRODUCTS]) && is_idle(&unrollers[CONVOLUTIONS]);
}

void loops_wait_for(enum loop_kind kind) {
  waiting = kind;
}

int loops_have_room(void) {
  const struct unroller *u = &unrollers[waiting];
  return !u->slots[u->next].is_used && (is_idle(u) ? loops_are_idle() : 1);
}

void loops_start(const struct loop *loop, uint64_t arrives) {
  struct unroller *u = &unrollers[loop->kind];
  u->slots[u->next] = (struct slot){.loop = *loop, .is_used = 1, .arrives = arrives};
  u->next = 1 - u->next;
}

// Products wait for the generators of loads, stores for that of products, to come to the loop.
static int may_start(const struct slot *slot, enum generator g) {
  if (g == MULTIPLY)
    return slot->is_started[LOAD_A] && slot->is_started[LOAD_B] && slot->is_started[LOAD_D];
  return g != STORE_C || slot->is_started[MULTIPLY];
}

static void start_generators(enum loop_kind kind, uint64_t now) {
  struct unroller *u = &unrollers[kind];
  for (int g = 0; g < GENERATORS; ++g) {
    const int slot = u->slots[u->head].is_started[g] ? 1 - u->head : u->head;
    struct slot *s = &u->slots[slot];
    if (u->works[g] || !s->is_used || now < s->arrives || s->is_started[g] || !may_start(s, g))
      continue;
    s->is_started[g] = 1;
    u->of[g] = slot;
    rules[kind]->begin(g);
    u->works[g] = rules[kind]->has_commands(&s->loop, g);
    s->is_through[g] = !u->works[g];
    s->half[g] = u->half[g];
    if (rules[kind]->stores(&s->loop))
      u->half[g] = 1 - u->half[g];
  }
}

static int unit_of(enum generator g) {
  return g == STORE_C ? GEMMINI_STORE : g == MULTIPLY ? GEMMINI_EXECUTE : GEMMINI_LOAD;
}

static int can_send(enum loop_kind kind, enum generator g) {
  const struct unroller *u = &unrollers[kind];
  return u->works[g] && station_has_room(unit_of(g)) && rules[kind]->is_ready(u, g);
}

static void send_one(enum loop_kind kind) {
  struct unroller *u = &unrollers[kind];
  enum generator order[GENERATORS] = {STORE_C, MULTIPLY, LOAD_D, LOAD_B, LOAD_A};
  rules[kind]->prefer(u, order);
  for (int at = 0; at < GENERATORS; ++at) {
    const enum generator g = order[at];
    if (!can_send(kind, g))
      continue;
    if (rules[kind]->send(u, g)) {
      u->works[g] = 0;
      u->slots[u->of[g]].is_through[g] = 1;
    }
    return;
  }
}

static void end_loop(struct unroller *u) {
  struct slot *slot = &u->slots[u->head];
  for (int g = 0; g < GENERATORS; ++g)
    if (!slot->is_through[g])
      return;
  slot->is_used = 0;
  u->head = 1 - u->head;
}

void loops_step(uint64_t now) {
  for (int kind = 0; kind < LOOP_KINDS; ++kind) {
    struct unroller *u = &unrollers[kind];
    if (is_idle(u))
      continue;
    start_generators((enum loop_kind)kind, now);
    send_one((enum loop_kind)kind);
    if (u->slots[u->head].is_used)
      end_loop(u);
  }
}
