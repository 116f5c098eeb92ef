/* What one would write by hand, without intrinsics and without tuning: the peers of the kernel suite. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static int64_t clamp(int64_t x, int64_t n) {
  return x < 0 ? 0 : x >= n ? n - 1 : x;
}

void peer_blur_u8(int64_t H, int64_t W, const uint8_t *restrict img, uint8_t *restrict out) {
  for (int64_t y = 0; y < H; ++y)
    for (int64_t x = 0; x < W; ++x) {
      unsigned total = 0;
      for (int64_t dy = -1; dy <= 1; ++dy)
        for (int64_t dx = -1; dx <= 1; ++dx)
          total += img[clamp(y + dy, H) * W + clamp(x + dx, W)];
      out[y * W + x] = (uint8_t)((total + 4) / 9);
    }
}

void peer_blur_two_stage_u8(int64_t H, int64_t W, const uint8_t *restrict img, uint8_t *restrict out) {
  uint16_t *rows = malloc((size_t)(H * W) * sizeof *rows);
  if (!rows)
    return;
  for (int64_t y = 0; y < H; ++y)
    for (int64_t x = 0; x < W; ++x)
      rows[y * W + x] =
          (uint16_t)(img[y * W + clamp(x - 1, W)] + img[y * W + x] + img[y * W + clamp(x + 1, W)]);
  for (int64_t y = 0; y < H; ++y)
    for (int64_t x = 0; x < W; ++x)
      out[y * W + x] =
          (uint8_t)((rows[clamp(y - 1, H) * W + x] + rows[y * W + x] + rows[clamp(y + 1, H) * W + x] + 4) /
                    9);
  free(rows);
}

void peer_blur_f32(int64_t N, int64_t M, const float *restrict img, float *restrict out) {
  int64_t S = M + 2;
  for (int64_t y = 0; y < N; ++y)
    for (int64_t x = 0; x < M; ++x) {
      float total = 0.0f;
      for (int64_t dy = 0; dy < 3; ++dy)
        for (int64_t dx = 0; dx < 3; ++dx)
          total += img[(y + dy) * S + x + dx];
      out[y * M + x] = total / 9.0f;
    }
}

void peer_blur_two_stage_f32(int64_t N, int64_t M, const float *restrict img, float *restrict out) {
  int64_t S = M + 2;
  float *rows = malloc((size_t)((N + 2) * M) * sizeof *rows);
  if (!rows)
    return;
  for (int64_t y = 0; y < N + 2; ++y)
    for (int64_t x = 0; x < M; ++x)
      rows[y * M + x] = (img[y * S + x] + img[y * S + x + 1] + img[y * S + x + 2]) / 3.0f;
  for (int64_t y = 0; y < N; ++y)
    for (int64_t x = 0; x < M; ++x)
      out[y * M + x] = (rows[y * M + x] + rows[(y + 1) * M + x] + rows[(y + 2) * M + x]) / 3.0f;
  free(rows);
}

void peer_matmul(int64_t M, int64_t N, int64_t K, const float *restrict A, const float *restrict B,
                 float *restrict C) {
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < N; ++j) {
      float sum = 0.0f;
      for (int64_t k = 0; k < K; ++k)
        sum += A[i * K + k] * B[k * N + j];
      C[i * N + j] = sum;
    }
}

/* The loops in the order that reads B along its rows. */
void peer_matmul_rows(int64_t M, int64_t N, int64_t K, const float *restrict A, const float *restrict B,
                      float *restrict C) {
  for (int64_t i = 0; i < M; ++i) {
    for (int64_t j = 0; j < N; ++j)
      C[i * N + j] = 0.0f;
    for (int64_t k = 0; k < K; ++k)
      for (int64_t j = 0; j < N; ++j)
        C[i * N + j] += A[i * K + k] * B[k * N + j];
  }
}
