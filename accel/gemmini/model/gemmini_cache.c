// The second-level cache: 512 KiB, in sets of lines of which the oldest makes room; and how rows are cut into
// accesses to it.
#include "gemmini_time.h"

#include <string.h>

enum { LINE = 64, WAYS = 8, SETS = 512 * 1024 / LINE / WAYS };
static struct {
  uint64_t line[SETS][WAYS]; // number + 1
  uint8_t oldest[SETS];
} cache;

void cache_reset(void) {
  memset(&cache, 0, sizeof cache);
}

int cache_misses(uint64_t address) {
  uint64_t line = address / LINE, set = line % SETS;
  for (int way = 0; way < WAYS; ++way)
    if (cache.line[set][way] == line + 1)
      return 0;
  cache.line[set][cache.oldest[set]] = line + 1;
  cache.oldest[set] = (uint8_t)((cache.oldest[set] + 1) % WAYS);
  return 1;
}

int accesses_of(uint64_t address, int bytes, struct access *accesses) {
  int count = 0;
  while (bytes > 0 && count < MAX_ACCESSES) {
    int best = 16, most = 0;
    for (int size = 16; size <= LINE; size *= 2) {
      int useful = size - (int)(address % (uint64_t)size);
      useful = useful < bytes ? useful : bytes;
      if (useful > most)
        most = useful, best = size;
    }
    accesses[count++] = (struct access){address - address % (uint64_t)best, best / 16};
    address += (uint64_t)most, bytes -= most;
  }
  return count;
}
