// Runs one instruction on many operands, on the machine that the test asks for: natively, or under an
// emulator.
//   runner INDEX CASES RESULTS         exit code 77: this CPU lacks the instructions
// A case is a row of int64_t: the number of operands; for each how far before the end of its page it begins,
// how long it is and how far apart its rows are, in bytes; the number of sizes, and these; the same place and
// length of the result. Then come the bytes of the operands. Results are the bytes in front of the result,
// which nothing may touch, and its own.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "instructions.c"

enum { most = 6, before = 64 };

static void stop(const char *why) {
  fprintf(stderr, "runner: %s\n", why);
  exit(1);
}

// The end of a page behind which nothing can be read or written.
static unsigned char *new_page(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  unsigned char *both = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (both == MAP_FAILED || mprotect(both + page, page, PROT_NONE) != 0)
    stop("no memory");
  return both + page;
}

static int64_t number(FILE *cases) {
  int64_t value = 0;
  if (fread(&value, sizeof value, 1, cases) != 1)
    stop("a case ends too early");
  return value;
}

static void run_case(FILE *cases, int64_t count, unsigned char *const *ends, Run *run, FILE *results) {
  const void *operands[most];
  int64_t lengths[most], strides[most], sizes[most];
  if (count < 0 || count >= most)
    stop("too many operands");
  for (int64_t i = 0; i < count; ++i) {
    operands[i] = ends[i] - number(cases);
    lengths[i] = number(cases);
    strides[i] = number(cases);
  }
  const int64_t size_count = number(cases);
  if (size_count < 0 || size_count > most)
    stop("too many sizes");
  for (int64_t i = 0; i < size_count; ++i)
    sizes[i] = number(cases);
  unsigned char *out = ends[most - 1] - number(cases);
  const size_t length = (size_t)number(cases);
  for (int64_t i = 0; i < count; ++i)
    if (fread((void *)operands[i], 1, (size_t)lengths[i], cases) != (size_t)lengths[i])
      stop("an operand ends too early");
  memset(out - before, 0x5A, before + length);
  run(operands, sizes, strides, out);
  if (fwrite(out - before, 1, before + length, results) != before + length)
    stop("a result cannot be written");
}

int main(int argc, char **argv) {
  if (!is_supported())
    return 77;
  if (argc != 4)
    return 0;
  FILE *cases = fopen(argv[2], "rb"), *results = fopen(argv[3], "wb");
  if (!cases || !results)
    stop("no files");
  unsigned char *ends[most];
  for (int i = 0; i < most; ++i)
    ends[i] = new_page();
  for (int64_t count; fread(&count, sizeof count, 1, cases) == 1;)
    run_case(cases, count, ends, instructions[atoi(argv[1])], results);
  return fclose(results) == 0 ? 0 : 1;
}
