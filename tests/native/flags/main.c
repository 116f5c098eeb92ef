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

// The payload of a NaN is not defined.
static float one_nan(float a) {
  return a != a ? __builtin_nanf("") : a;
}

static double one_nan_f64(double a) {
  return a != a ? __builtin_nan("") : a;
}

// Every pair of some values.
static bool print_signs(void) {
  enum { VALUES = 7, PAIRS = VALUES * VALUES };
  static const float values[VALUES] = {-0.0f, 0.0f, 1.0f, -1.0f, __builtin_inff(), -__builtin_inff(), __builtin_nanf("")};
  float a[PAIRS], b[PAIRS], f32[5][PAIRS];
  double v[PAIRS], w[PAIRS], f64[2][PAIRS];
  for (int i = 0; i < PAIRS; ++i)
    v[i] = a[i] = values[i / VALUES], w[i] = b[i] = values[i % VALUES];
  if (signs(PAIRS, a, b, v, w, f32[0], f32[1], f64[0], f64[1], f32[2], f32[3], f32[4]) != FLOATS_OK)
    return false;
  for (int i = 0; i < PAIRS; ++i) {
    for (int k = 0; k < 5; ++k)
      f32[k][i] = one_nan(f32[k][i]);
    for (int k = 0; k < 2; ++k)
      f64[k][i] = one_nan_f64(f64[k][i]);
  }
  for (int k = 0; k < 5; ++k)
    printf("%08x ", bits(f32[k], sizeof f32[k]));
  printf("%08x %08x ", bits(f64[0], sizeof f64[0]), bits(f64[1], sizeof f64[1]));
  return true;
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
  if (!print_signs())
    return 1;
  printf("%08x %08x %08x", bits(&dot, sizeof dot), bits(&dots, sizeof dots), bits(out_z, sizeof out_z));
  for (int i = 0; i < 9; ++i)
    printf(" %08x", bits(out[i], sizeof out[i]));
  printf("\n");
  return 0;
}
