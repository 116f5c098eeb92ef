// Main memory as the accelerator touches it: stores arrive at the next fence, and nothing else orders them
// with loads, or with what the CPU does.
#include "gemmini_state.h"

#include <stdlib.h>
#include <string.h>

struct access {
  struct dram_block block;
  uint8_t *data; // of all rows, as it was read or is to be written
};
struct list {
  struct access *items;
  size_t count, room;
};
static struct list loads, stores;
static struct list known; // what was loaded or stored before the last fence, as it was at that fence

static const uint8_t *row_of(const struct dram_block *b, int r) {
  return (const uint8_t *)(uintptr_t)(b->address + (uint64_t)r * b->stride);
}

static uint64_t end_of(const struct dram_block *b) {
  return b->address + (uint64_t)(b->rows - 1) * b->stride + (uint64_t)b->bytes;
}

static int overlap(const struct dram_block *a, const struct dram_block *b) {
  if (end_of(a) <= b->address || end_of(b) <= a->address)
    return 0;
  for (int i = 0; i < a->rows; ++i)
    for (int j = 0; j < b->rows; ++j)
      if (row_of(a, i) < row_of(b, j) + b->bytes && row_of(b, j) < row_of(a, i) + a->bytes)
        return 1;
  return 0;
}

static int touches(const struct list *list, const struct dram_block *block) {
  for (size_t i = 0; i < list->count; ++i)
    if (overlap(&list->items[i].block, block))
      return 1;
  return 0;
}

static struct access *append(struct list *list, const struct dram_block *block) {
  if (list->count == list->room) {
    list->room = list->room ? 2 * list->room : 64;
    list->items = realloc(list->items, list->room * sizeof *list->items);
  }
  uint8_t *data = malloc((size_t)block->rows * (size_t)block->bytes);
  if (!list->items || !data)
    abort();
  list->items[list->count] = (struct access){*block, data};
  return &list->items[list->count++];
}

static void take_copy(struct access *access) {
  const struct dram_block *b = &access->block;
  for (int r = 0; r < b->rows; ++r)
    memcpy(access->data + (size_t)r * (size_t)b->bytes, row_of(b, r), (size_t)b->bytes);
}

static void clear(struct list *list) {
  for (size_t i = 0; i < list->count; ++i)
    free(list->items[i].data);
  list->count = 0;
}

void dram_reset(void) {
  clear(&loads);
  clear(&stores);
  clear(&known);
}

static int is_changed(const struct access *then, const struct dram_block *now) {
  const struct dram_block *b = &then->block;
  if (end_of(b) <= now->address || end_of(now) <= b->address)
    return 0;
  for (int i = 0; i < b->rows; ++i)
    for (int j = 0; j < now->rows; ++j) {
      const uint8_t *from = row_of(b, i), *to = from + b->bytes, *start = row_of(now, j);
      const uint8_t *first = from < start ? start : from,
                    *last = start + now->bytes < to ? start + now->bytes : to;
      if (first < last && memcmp(first, then->data + (size_t)i * (size_t)b->bytes + (first - from),
                                 (size_t)(last - first)) != 0)
        return 1;
    }
  return 0;
}

static int is_any_changed(const struct dram_block *now) {
  for (size_t i = 0; i < known.count; ++i)
    if (is_changed(&known.items[i], now))
      return 1;
  return 0;
}

int dram_load(const struct dram_block *block, void (*fail)(const char *)) {
  if (touches(&stores, block)) {
    fail("mvin reads what an mvout before it stores, without a fence between them");
    return 0;
  }
  if (is_any_changed(block)) {
    fail("mvin reads what the CPU stored before it, without a fence between them");
    return 0;
  }
  take_copy(append(&loads, block));
  return 1;
}

uint8_t *dram_store(const struct dram_block *block, void (*fail)(const char *)) {
  if (touches(&loads, block)) {
    fail("mvout stores to what an mvin before it reads, without a fence between them");
    return NULL;
  }
  return append(&stores, block)->data;
}

static int is_unchanged(const struct access *load) {
  const struct dram_block *b = &load->block;
  for (int r = 0; r < b->rows; ++r)
    if (memcmp(load->data + (size_t)r * (size_t)b->bytes, row_of(b, r), (size_t)b->bytes) != 0)
      return 0;
  return 1;
}

static void arrive(const struct access *store) {
  const struct dram_block *b = &store->block;
  for (int r = 0; r < b->rows; ++r)
    memcpy((uint8_t *)(uintptr_t)row_of(b, r), store->data + (size_t)r * (size_t)b->bytes, (size_t)b->bytes);
}

void dram_fence(void (*fail)(const char *)) {
  for (size_t i = 0; i < loads.count; ++i)
    if (!is_unchanged(&loads.items[i])) {
      fail("the CPU changed what an mvin reads, without a fence between them");
      break;
    }
  for (size_t i = 0; i < stores.count; ++i)
    arrive(&stores.items[i]);
  clear(&known);
  for (size_t i = 0; i < loads.count; ++i)
    take_copy(append(&known, &loads.items[i].block));
  for (size_t i = 0; i < stores.count; ++i)
    take_copy(append(&known, &stores.items[i].block));
  clear(&loads);
  clear(&stores);
}
