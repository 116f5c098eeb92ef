// Prints the bits that the kernels of floats.atl compute.
#include "floats.h"

#include <stdio.h>

enum { N = 1004 };
static float x[N], y[N], out[9][N];
static double z[N], out_z[N];

static unsigned bits(const void *memory, unsigned long bytes) {
  unsigned hash = 2166136261u;
  for (unsigned long i = 0; i < bytes; ++i)
    hash = (hash ^ ((const unsigned char *)memory)[i]) * 16777619u;
  return hash;
}

int main(void) {
  unsigned random = 1;
  for (int i = 0; i < N; ++i) {
    random = random * 1664525u + 1013904223u;
    x[i] = (float)(random >> 8) / 1e3f;
    random = random * 1664525u + 1013904223u;
    y[i] = (float)(random >> 8) / 3e5f;
    z[i] = (double)random / 7.0;
  }
  x[7] = -0.0f, x[8] = 1e-40f;
  float dot;
  double dots;
  if (floats(N, 1.1f, x, y, z, &dot, &dots, out[0], out[1], out[2], out[3], out[4], out[5], out_z) != FLOATS_OK ||
      vectors(N, 1.1f, x, y, out[6]) != FLOATS_OK || turned(N / 2, x, y, out[7]) != FLOATS_OK ||
      alternating(N / 4, x, y, out[6], out[8]) != FLOATS_OK)
    return 1;
  printf("%08x %08x %08x", bits(&dot, sizeof dot), bits(&dots, sizeof dots), bits(out_z, sizeof out_z));
  for (int i = 0; i < 9; ++i)
    printf(" %08x", bits(out[i], sizeof out[i]));
  printf("\n");
  return 0;
}
