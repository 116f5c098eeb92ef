// NEON in portable C: SIMDe, and what it (0.7.4) lacks.
#pragma once
#include <math.h>
#include <simde/arm/neon.h>

#define LANES(name, vector, scalar, count, value)                                                            \
  static inline vector name(vector va, vector vb, vector vc) {                                               \
    scalar a[count], b[count], c[count], r[count];                                                           \
    memcpy(a, &va, sizeof a), memcpy(b, &vb, sizeof b), memcpy(c, &vc, sizeof c);                            \
    for (int i = 0; i < count; ++i)                                                                          \
      r[i] = value;                                                                                          \
    memcpy(&vc, r, sizeof r);                                                                                \
    return vc;                                                                                               \
  }

LANES(divided_f32, float32x4_t, float, 4, ((void)c, a[i] / b[i]))
LANES(divided_f64, float64x2_t, double, 2, ((void)c, a[i] / b[i]))
LANES(root_f32, float32x4_t, float, 4, ((void)b, (void)c, sqrtf(a[i])))
LANES(root_f64, float64x2_t, double, 2, ((void)b, (void)c, sqrt(a[i])))
LANES(fused_f32, float32x4_t, float, 4, fmaf(b[i], c[i], a[i]))
LANES(fused_f64, float64x2_t, double, 2, fma(b[i], c[i], a[i]))
LANES(fused_negative_f32, float32x4_t, float, 4, fmaf(-b[i], c[i], a[i]))
LANES(fused_negative_f64, float64x2_t, double, 2, fma(-b[i], c[i], a[i]))

#define vdivq_f32(a, b) divided_f32(a, b, b)
#define vdivq_f64(a, b) divided_f64(a, b, b)
#define vsqrtq_f32(a) root_f32(a, a, a)
#define vsqrtq_f64(a) root_f64(a, a, a)
#define vfmsq_f32 fused_negative_f32
#define vfmsq_f64 fused_negative_f64
// those of SIMDe may round twice
#undef vfmaq_f32
#undef vfmaq_f64
#define vfmaq_f32 fused_f32
#define vfmaq_f64 fused_f64
// of two zeros either one, in SIMDe
#define LEAST(a, b) (a != a || b != b ? a + b : a < b || (a == b && signbit(a)) ? a : b)
#define GREATEST(a, b) (a != a || b != b ? a + b : a > b || (a == b && !signbit(a)) ? a : b)
LANES(least_f32, float32x4_t, float, 4, ((void)c, LEAST(a[i], b[i])))
LANES(least_f64, float64x2_t, double, 2, ((void)c, LEAST(a[i], b[i])))
LANES(greatest_f32, float32x4_t, float, 4, ((void)c, GREATEST(a[i], b[i])))
LANES(greatest_f64, float64x2_t, double, 2, ((void)c, GREATEST(a[i], b[i])))
#undef vminq_f32
#undef vminq_f64
#undef vmaxq_f32
#undef vmaxq_f64
#define vminq_f32(a, b) least_f32(a, b, b)
#define vminq_f64(a, b) least_f64(a, b, b)
#define vmaxq_f32(a, b) greatest_f32(a, b, b)
#define vmaxq_f64(a, b) greatest_f64(a, b, b)
// the same of all lanes
static inline float least_lane_f32(float32x4_t v) {
  const float32x4_t halves = vminq_f32(v, vextq_f32(v, v, 2));
  return vgetq_lane_f32(vminq_f32(halves, vextq_f32(halves, halves, 1)), 0);
}
static inline float greatest_lane_f32(float32x4_t v) {
  const float32x4_t halves = vmaxq_f32(v, vextq_f32(v, v, 2));
  return vgetq_lane_f32(vmaxq_f32(halves, vextq_f32(halves, halves, 1)), 0);
}
#undef vminvq_f32
#undef vmaxvq_f32
#define vminvq_f32 least_lane_f32
#define vmaxvq_f32 greatest_lane_f32

// a sum that begins with 0.0, and loses -0.0
static inline double sum_f64(float64x2_t v) {
  return vgetq_lane_f64(v, 0) + vgetq_lane_f64(v, 1);
}
#undef vaddvq_f64
#define vaddvq_f64 sum_f64

// numbers of 2^31 and more
static inline uint32x4_t truncated_u32(float32x4_t v) {
  float a[4];
  uint32_t r[4];
  memcpy(a, &v, sizeof a);
  for (int i = 0; i < 4; ++i)
    r[i] = a[i] >= 0x1p32f ? UINT32_MAX : a[i] > 0 ? (uint32_t)a[i] : 0;
  return vld1q_u32(r);
}
#undef vcvtq_u32_f32
#define vcvtq_u32_f32 truncated_u32
