// AVX2 and AVX-512 in portable C: SIMDe, and what it (0.7.4) lacks, element by element.
#pragma once
#include <math.h>
#include <simde/x86/avx2.h>
#include <simde/x86/avx512.h>
#include <simde/x86/fma.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t __mmask8;
typedef uint16_t __mmask16;
typedef uint32_t __mmask32;

static inline uint64_t first_bits(uint64_t value, unsigned count) {
  return (count & 0xFF) >= 64 ? value : value & ((UINT64_C(1) << (count & 0xFF)) - 1);
}
#define _bzhi_u64(value, count) first_bits(value, count)
#define _bzhi_u32(value, count) ((uint32_t)first_bits(value, count))

// The lanes under a mask, and zeros; those beside it are not read. And stores of lanes under a mask.
#define MASKED(load, store, vector, scalar, mask)                                                            \
  static inline vector load(mask k, const void *from) {                                                      \
    scalar r[sizeof(vector) / sizeof(scalar)] = {0};                                                         \
    for (size_t i = 0; i < sizeof r / sizeof r[0]; ++i)                                                      \
      if (k >> i & 1)                                                                                        \
        memcpy(&r[i], (const char *)from + i * sizeof r[0], sizeof r[0]);                                    \
    vector v;                                                                                                \
    memcpy(&v, r, sizeof v);                                                                                 \
    return v;                                                                                                \
  }                                                                                                          \
  static inline void store(void *to, mask k, vector v) {                                                     \
    for (size_t i = 0; i < sizeof v / sizeof(scalar); ++i)                                                   \
      if (k >> i & 1)                                                                                        \
        memcpy((char *)to + i * sizeof(scalar), (const char *)&v + i * sizeof(scalar), sizeof(scalar));      \
  }
MASKED(_mm_maskz_loadu_epi8, _mm_mask_storeu_epi8, __m128i, int8_t, uint16_t)
MASKED(_mm_maskz_loadu_epi16, _mm_mask_storeu_epi16, __m128i, int16_t, uint8_t)
MASKED(_mm256_maskz_loadu_epi8, _mm256_mask_storeu_epi8, __m256i, int8_t, uint32_t)
MASKED(_mm256_maskz_loadu_epi16, _mm256_mask_storeu_epi16, __m256i, int16_t, uint16_t)
MASKED(_mm512_maskz_loadu_epi8, _mm512_mask_storeu_epi8, __m512i, int8_t, uint64_t)
MASKED(_mm512_maskz_loadu_epi16, _mm512_mask_storeu_epi16, __m512i, int16_t, uint32_t)
MASKED(_mm512_maskz_loadu_epi32, _mm512_mask_storeu_epi32, __m512i, int32_t, uint16_t)
MASKED(_mm512_maskz_loadu_epi64, _mm512_mask_storeu_epi64, __m512i, int64_t, uint8_t)
MASKED(load_8, store_8, __m256i, int32_t, uint8_t)
MASKED(load_4, store_4, __m256i, int64_t, uint8_t)
MASKED(_mm512_maskz_loadu_ps, _mm512_mask_storeu_ps, __m512, float, uint16_t)
MASKED(_mm512_maskz_loadu_pd, _mm512_mask_storeu_pd, __m512d, double, uint8_t)

// to[i] = value, of the lanes a[i], b[i] and c[i].
#define LANES(name, result, to, vector, from, value)                                                         \
  static inline result name(vector va, vector vb, vector vc) {                                               \
    enum { lanes = sizeof(vector) / sizeof(from) };                                                          \
    from a[lanes], b[lanes], c[lanes];                                                                       \
    to r[sizeof(result) / sizeof(to)] = {0};                                                                 \
    memcpy(a, &va, sizeof a), memcpy(b, &vb, sizeof b), memcpy(c, &vc, sizeof c);                            \
    for (int i = 0; i < (int)(sizeof r / sizeof r[0]); ++i)                                                  \
      r[i] = (to)(value);                                                                                    \
    result v;                                                                                                \
    memcpy(&v, r, sizeof v);                                                                                 \
    return (void)b, (void)c, v;                                                                              \
  }
// A mask of the lanes where a condition holds.
#define WHERE(name, mask, vector, scalar, holds)                                                             \
  static inline mask name(vector va, vector vb, int bits) {                                                  \
    scalar a[sizeof va / sizeof(scalar)], b[sizeof va / sizeof(scalar)];                                     \
    memcpy(a, &va, sizeof a), memcpy(b, &vb, sizeof b);                                                      \
    uint64_t k = 0;                                                                                          \
    for (size_t i = 0; i < sizeof a / sizeof a[0]; ++i)                                                      \
      k |= (uint64_t)((holds) != 0) << i;                                                                    \
    return (void)b, (void)bits, (mask)k;                                                                     \
  }
#define COMPARED(type, scalar, mask)                                                                         \
  WHERE(where_lt_##type, mask, __m512i, scalar, a[i] < b[i])                                                 \
  WHERE(where_le_##type, mask, __m512i, scalar, a[i] <= b[i])                                                \
  WHERE(where_gt_##type, mask, __m512i, scalar, a[i] > b[i])                                                 \
  WHERE(where_ge_##type, mask, __m512i, scalar, a[i] >= b[i])                                                \
  WHERE(where_eq_##type, mask, __m512i, scalar, a[i] == b[i])
COMPARED(i8, int8_t, uint64_t)
COMPARED(u8, uint8_t, uint64_t)
COMPARED(i16, int16_t, uint32_t)
COMPARED(u16, uint16_t, uint32_t)
COMPARED(i32, int32_t, uint16_t)
COMPARED(u32, uint32_t, uint16_t)
COMPARED(i64, int64_t, uint8_t)
#undef _mm512_cmplt_epi8_mask
#define _mm512_cmplt_epi8_mask(a, b) where_lt_i8(a, b, 0)
#undef _mm512_cmple_epi8_mask
#define _mm512_cmple_epi8_mask(a, b) where_le_i8(a, b, 0)
#undef _mm512_cmpgt_epi8_mask
#define _mm512_cmpgt_epi8_mask(a, b) where_gt_i8(a, b, 0)
#undef _mm512_cmpge_epi8_mask
#define _mm512_cmpge_epi8_mask(a, b) where_ge_i8(a, b, 0)
#undef _mm512_cmpeq_epi8_mask
#define _mm512_cmpeq_epi8_mask(a, b) where_eq_i8(a, b, 0)
#undef _mm512_cmplt_epu8_mask
#define _mm512_cmplt_epu8_mask(a, b) where_lt_u8(a, b, 0)
#undef _mm512_cmple_epu8_mask
#define _mm512_cmple_epu8_mask(a, b) where_le_u8(a, b, 0)
#undef _mm512_cmpgt_epu8_mask
#define _mm512_cmpgt_epu8_mask(a, b) where_gt_u8(a, b, 0)
#undef _mm512_cmpge_epu8_mask
#define _mm512_cmpge_epu8_mask(a, b) where_ge_u8(a, b, 0)
#undef _mm512_cmpeq_epu8_mask
#define _mm512_cmpeq_epu8_mask(a, b) where_eq_u8(a, b, 0)
#undef _mm512_cmplt_epi16_mask
#define _mm512_cmplt_epi16_mask(a, b) where_lt_i16(a, b, 0)
#undef _mm512_cmple_epi16_mask
#define _mm512_cmple_epi16_mask(a, b) where_le_i16(a, b, 0)
#undef _mm512_cmpgt_epi16_mask
#define _mm512_cmpgt_epi16_mask(a, b) where_gt_i16(a, b, 0)
#undef _mm512_cmpge_epi16_mask
#define _mm512_cmpge_epi16_mask(a, b) where_ge_i16(a, b, 0)
#undef _mm512_cmpeq_epi16_mask
#define _mm512_cmpeq_epi16_mask(a, b) where_eq_i16(a, b, 0)
#undef _mm512_cmplt_epu16_mask
#define _mm512_cmplt_epu16_mask(a, b) where_lt_u16(a, b, 0)
#undef _mm512_cmple_epu16_mask
#define _mm512_cmple_epu16_mask(a, b) where_le_u16(a, b, 0)
#undef _mm512_cmpgt_epu16_mask
#define _mm512_cmpgt_epu16_mask(a, b) where_gt_u16(a, b, 0)
#undef _mm512_cmpge_epu16_mask
#define _mm512_cmpge_epu16_mask(a, b) where_ge_u16(a, b, 0)
#undef _mm512_cmpeq_epu16_mask
#define _mm512_cmpeq_epu16_mask(a, b) where_eq_u16(a, b, 0)
#undef _mm512_cmplt_epi32_mask
#define _mm512_cmplt_epi32_mask(a, b) where_lt_i32(a, b, 0)
#undef _mm512_cmple_epi32_mask
#define _mm512_cmple_epi32_mask(a, b) where_le_i32(a, b, 0)
#undef _mm512_cmpgt_epi32_mask
#define _mm512_cmpgt_epi32_mask(a, b) where_gt_i32(a, b, 0)
#undef _mm512_cmpge_epi32_mask
#define _mm512_cmpge_epi32_mask(a, b) where_ge_i32(a, b, 0)
#undef _mm512_cmpeq_epi32_mask
#define _mm512_cmpeq_epi32_mask(a, b) where_eq_i32(a, b, 0)
#undef _mm512_cmplt_epu32_mask
#define _mm512_cmplt_epu32_mask(a, b) where_lt_u32(a, b, 0)
#undef _mm512_cmple_epu32_mask
#define _mm512_cmple_epu32_mask(a, b) where_le_u32(a, b, 0)
#undef _mm512_cmpgt_epu32_mask
#define _mm512_cmpgt_epu32_mask(a, b) where_gt_u32(a, b, 0)
#undef _mm512_cmpge_epu32_mask
#define _mm512_cmpge_epu32_mask(a, b) where_ge_u32(a, b, 0)
#undef _mm512_cmpeq_epu32_mask
#define _mm512_cmpeq_epu32_mask(a, b) where_eq_u32(a, b, 0)
#undef _mm512_cmplt_epi64_mask
#define _mm512_cmplt_epi64_mask(a, b) where_lt_i64(a, b, 0)
#undef _mm512_cmple_epi64_mask
#define _mm512_cmple_epi64_mask(a, b) where_le_i64(a, b, 0)
#undef _mm512_cmpgt_epi64_mask
#define _mm512_cmpgt_epi64_mask(a, b) where_gt_i64(a, b, 0)
#undef _mm512_cmpge_epi64_mask
#define _mm512_cmpge_epi64_mask(a, b) where_ge_i64(a, b, 0)
#undef _mm512_cmpeq_epi64_mask
#define _mm512_cmpeq_epi64_mask(a, b) where_eq_i64(a, b, 0)

// The elements at these places, of the lanes under a mask; of the others `before`.
#define GATHERED(name, vector, scalar, places, mask)                                                         \
  static inline vector name(vector before, mask k, places at, const void *from, int scale) {                 \
    scalar r[sizeof(vector) / sizeof(scalar)];                                                               \
    int32_t place[sizeof(places) / 4];                                                                       \
    memcpy(r, &before, sizeof r), memcpy(place, &at, sizeof place);                                          \
    for (size_t i = 0; i < sizeof r / sizeof r[0]; ++i)                                                      \
      if (k >> i & 1)                                                                                        \
        memcpy(&r[i], (const char *)from + (ptrdiff_t)place[i] * scale, sizeof r[0]);                        \
    memcpy(&before, r, sizeof before);                                                                       \
    return before;                                                                                           \
  }
GATHERED(_mm512_mask_i32gather_ps, __m512, float, __m512i, uint16_t)
GATHERED(_mm512_mask_i32gather_epi32, __m512i, int32_t, __m512i, uint16_t)
GATHERED(_mm512_mask_i32gather_pd, __m512d, double, __m256i, uint8_t)
GATHERED(_mm512_mask_i32gather_epi64, __m512i, int64_t, __m256i, uint8_t)
#define _mm512_i32gather_pd(at, from, scale)                                                                 \
  _mm512_mask_i32gather_pd(_mm512_setzero_pd(), 0xFF, at, from, scale)
#define _mm512_i32gather_epi64(at, from, scale)                                                              \
  _mm512_mask_i32gather_epi64(_mm512_setzero_si512(), 0xFF, at, from, scale)

// AVX2: masks are vectors. Those of SIMDe read beside the mask.
WHERE(signs_8, uint8_t, __m256i, int32_t, a[i] < 0)
WHERE(signs_4, uint8_t, __m256i, int64_t, a[i] < 0)
#undef _mm256_maskload_epi32
#undef _mm256_maskload_ps
#undef _mm256_maskload_pd
#define _mm256_maskload_epi32(from, mask) load_8(signs_8(mask, mask, 0), from)
#define _mm256_maskload_ps(from, mask) _mm256_castsi256_ps(_mm256_maskload_epi32(from, mask))
#define _mm256_maskload_pd(from, mask) _mm256_castsi256_pd(load_4(signs_4(mask, mask, 0), from))

#define NUMBER_CLASS(x, bits)                                                                                \
  ((bits & 0x02 && x == 0 && !signbit(x)) || (bits & 0x04 && x == 0 && signbit(x)))
WHERE(where_class_ps, uint16_t, __m512, float, NUMBER_CLASS(a[i], bits))
WHERE(where_class_pd, uint8_t, __m512d, double, NUMBER_CLASS(a[i], bits))
#define _mm512_fpclass_ps_mask(a, bits) where_class_ps(a, a, bits)
#define _mm512_fpclass_pd_mask(a, bits) where_class_pd(a, a, bits)

// conversions
#define CONVERTED(name, result, to, vector, from, value)                                                     \
  LANES(lanes_of_##name, result, to, vector, from, value)                                                    \
  static inline result name(vector a) {                                                                      \
    return lanes_of_##name(a, a, a);                                                                         \
  }
#undef _mm512_cvtepi8_epi32
#undef _mm512_cvtepu8_epi32
#undef _mm512_cvtepi16_epi32
#undef _mm512_cvtepu16_epi32
#undef _mm512_cvtepi8_epi16
#undef _mm512_cvtepu8_epi16
#undef _mm512_cvtepi32_ps
#undef _mm512_cvtepi32_epi8
#undef _mm512_cvtepi32_epi16
#undef _mm512_cvtepi16_epi8
#undef _mm256_cvtepi16_epi8
#undef _mm512_cvtusepi32_epi8
#undef _mm512_cvtusepi32_epi16
#undef _mm512_cvtusepi16_epi8
#undef _mm512_cvttps_epi32
CONVERTED(_mm512_cvtepi8_epi32, __m512i, int32_t, __m128i, int8_t, a[i])
CONVERTED(_mm512_cvtepu8_epi32, __m512i, int32_t, __m128i, uint8_t, a[i])
CONVERTED(_mm512_cvtepi16_epi32, __m512i, int32_t, __m256i, int16_t, a[i])
CONVERTED(_mm512_cvtepu16_epi32, __m512i, int32_t, __m256i, uint16_t, a[i])
CONVERTED(_mm512_cvtepi8_epi16, __m512i, int16_t, __m256i, int8_t, a[i])
CONVERTED(_mm512_cvtepu8_epi16, __m512i, int16_t, __m256i, uint8_t, a[i])
CONVERTED(_mm512_cvtepi32_ps, __m512, float, __m512i, int32_t, a[i])
CONVERTED(_mm512_cvtepi32_epi8, __m128i, int8_t, __m512i, int32_t, a[i])
CONVERTED(_mm512_cvtepi32_epi16, __m256i, int16_t, __m512i, int32_t, a[i])
CONVERTED(_mm512_cvtepi16_epi8, __m256i, int8_t, __m512i, int16_t, a[i])
CONVERTED(_mm256_cvtepi16_epi8, __m128i, int8_t, __m256i, int16_t, a[i])
CONVERTED(_mm512_cvtusepi32_epi8, __m128i, uint8_t, __m512i, uint32_t, a[i] > UINT8_MAX ? UINT8_MAX : a[i])
CONVERTED(_mm512_cvtusepi32_epi16, __m256i, uint16_t, __m512i, uint32_t,
          a[i] > UINT16_MAX ? UINT16_MAX : a[i])
CONVERTED(_mm512_cvtusepi16_epi8, __m256i, uint8_t, __m512i, uint16_t, a[i] > UINT8_MAX ? UINT8_MAX : a[i])
CONVERTED(_mm512_cvttps_epi32, __m512i, int32_t, __m512, float,
          a[i] >= -0x1p31f && a[i] < 0x1p31f ? (int32_t)a[i] : INT32_MIN)
static inline __m512i _mm512_maskz_cvttps_epi32(uint16_t k, __m512 a) {
  int32_t r[16];
  const __m512i all = _mm512_cvttps_epi32(a);
  memcpy(r, &all, sizeof r);
  return _mm512_maskz_loadu_epi32(k, r);
}

// arithmetic
LANES(fused_ps, __m512, float, __m512, float, fmaf(a[i], b[i], c[i]))
LANES(fused_pd, __m512d, double, __m512d, double, fma(a[i], b[i], c[i]))
LANES(fused_256_ps, __m256, float, __m256, float, fmaf(a[i], b[i], c[i]))
LANES(fused_256_pd, __m256d, double, __m256d, double, fma(a[i], b[i], c[i]))
LANES(high_epu16, __m512i, uint16_t, __m512i, uint16_t, (uint32_t)a[i] * b[i] >> 16)
LANES(product_epi16, __m512i, uint16_t, __m512i, uint16_t, (uint32_t)a[i] * b[i])
// those of SIMDe may round twice
#undef _mm512_fmadd_ps
#define _mm512_fmadd_ps(a, b, c) fused_ps(a, b, c)
#undef _mm512_fnmadd_ps
#define _mm512_fnmadd_ps(a, b, c) fused_ps(_mm512_xor_ps(a, _mm512_set1_ps(-0.0)), b, c)
#undef _mm512_fmsub_ps
#define _mm512_fmsub_ps(a, b, c) fused_ps(a, b, _mm512_xor_ps(c, _mm512_set1_ps(-0.0)))
#undef _mm512_fmadd_pd
#define _mm512_fmadd_pd(a, b, c) fused_pd(a, b, c)
#undef _mm512_fnmadd_pd
#define _mm512_fnmadd_pd(a, b, c) fused_pd(_mm512_xor_pd(a, _mm512_set1_pd(-0.0)), b, c)
#undef _mm512_fmsub_pd
#define _mm512_fmsub_pd(a, b, c) fused_pd(a, b, _mm512_xor_pd(c, _mm512_set1_pd(-0.0)))
#undef _mm256_fmadd_ps
#define _mm256_fmadd_ps(a, b, c) fused_256_ps(a, b, c)
#undef _mm256_fnmadd_ps
#define _mm256_fnmadd_ps(a, b, c) fused_256_ps(_mm256_xor_ps(a, _mm256_set1_ps(-0.0)), b, c)
#undef _mm256_fmsub_ps
#define _mm256_fmsub_ps(a, b, c) fused_256_ps(a, b, _mm256_xor_ps(c, _mm256_set1_ps(-0.0)))
#undef _mm256_fmadd_pd
#define _mm256_fmadd_pd(a, b, c) fused_256_pd(a, b, c)
#undef _mm256_fnmadd_pd
#define _mm256_fnmadd_pd(a, b, c) fused_256_pd(_mm256_xor_pd(a, _mm256_set1_pd(-0.0)), b, c)
#undef _mm256_fmsub_pd
#define _mm256_fmsub_pd(a, b, c) fused_256_pd(a, b, _mm256_xor_pd(c, _mm256_set1_pd(-0.0)))
#define _mm512_mask3_fmadd_ps(a, b, c, k) _mm512_mask_mov_ps(c, k, fused_ps(a, b, c))
#define _mm512_mask3_fmadd_pd(a, b, c, k) _mm512_mask_mov_pd(c, k, fused_pd(a, b, c))
#define _mm512_mulhi_epu16(a, b) high_epu16(a, b, b)
#define _mm512_maskz_mullo_epi16(k, a, b) _mm512_maskz_mov_epi16(k, product_epi16(a, b, b))
// Each lane shifted by `bits`, with its sign.
#define SHIFTED(name, scalar)                                                                                \
  static inline __m512i name(__m512i v, int bits) {                                                          \
    scalar a[64 / sizeof(scalar)];                                                                           \
    memcpy(a, &v, sizeof a);                                                                                 \
    for (size_t i = 0; i < sizeof a / sizeof a[0]; ++i)                                                      \
      a[i] = (scalar)(a[i] >> bits);                                                                         \
    memcpy(&v, a, sizeof v);                                                                                 \
    return v;                                                                                                \
  }
#undef _mm512_srai_epi16
#undef _mm512_srai_epi32
SHIFTED(_mm512_srai_epi16, int16_t)
SHIFTED(_mm512_srai_epi32, int32_t)
#define _MM_PERM_ENUM int
// Of four parts, each of 32 or 128 bits, the ones that two bits each of `order` name.
static inline __m512i parts(__m512i v, int order, size_t bytes) {
  char from[64], to[64];
  memcpy(from, &v, 64);
  for (size_t i = 0; i < 64 / bytes; ++i)
    memcpy(to + i * bytes, from + (i / 4 * 4 + (order >> i % 4 * 2 & 3)) * bytes, bytes);
  memcpy(&v, to, 64);
  return v;
}
#undef _mm512_shuffle_epi32
#undef _mm512_shuffle_i64x2
#define _mm512_shuffle_epi32(v, order) parts(v, order, 4)
#define _mm512_shuffle_i64x2(v, same, order) parts(v, order, 16)
#define _mm512_permute_ps(v, order) _mm512_castsi512_ps(parts(_mm512_castps_si512(v), order, 4))
#define STREAM(name, vector)                                                                                 \
  static inline void name(void *to, vector v) {                                                              \
    if ((uintptr_t)to % sizeof v != 0)                                                                       \
      abort();                                                                                               \
    memcpy(to, &v, sizeof v);                                                                                \
  }
STREAM(_mm512_stream_ps, __m512)
STREAM(_mm512_stream_pd, __m512d)
STREAM(_mm512_stream_si512, __m512i)
#define _MM_FROUND_NO_EXC SIMDE_MM_FROUND_NO_EXC

// a * 2^floor(b), and a number rounded to an integer
#define SCALED(a, b)                                                                                         \
  (isnan(b)         ? b                                                                                      \
   : b == INFINITY  ? a * INFINITY                                                                           \
   : b == -INFINITY ? a * 0                                                                                  \
                    : ldexp(a, (int)fmin(fmax(floor(b), -5000), 5000)))
LANES(scaled_ps, __m512, float, __m512, float, SCALED(a[i], b[i]))
LANES(scaled_pd, __m512d, double, __m512d, double, SCALED(a[i], b[i]))
#undef _mm512_scalef_ps
#undef _mm512_scalef_pd
#define _mm512_scalef_ps(a, b) scaled_ps(a, b, b)
#define _mm512_scalef_pd(a, b) scaled_pd(a, b, b)
LANES(nearest_ps, __m512, float, __m512, float, rint(a[i]))
LANES(nearest_pd, __m512d, double, __m512d, double, rint(a[i]))
LANES(below_ps, __m512, float, __m512, float, floor(a[i]))
LANES(below_pd, __m512d, double, __m512d, double, floor(a[i]))
LANES(above_ps, __m512, float, __m512, float, ceil(a[i]))
LANES(above_pd, __m512d, double, __m512d, double, ceil(a[i]))
#undef _mm512_roundscale_ps
#undef _mm512_roundscale_pd
#define TO(how) ((how)&3)
#define _mm512_roundscale_ps(a, how)                                                                         \
  (TO(how) == 0 ? nearest_ps(a, a, a) : TO(how) == 1 ? below_ps(a, a, a) : above_ps(a, a, a))
#define _mm512_roundscale_pd(a, how)                                                                         \
  (TO(how) == 0 ? nearest_pd(a, a, a) : TO(how) == 1 ? below_pd(a, a, a) : above_pd(a, a, a))

// All lanes, or those under a mask; sums by halves.
#define REDUCED(name, vector, scalar, value)                                                                 \
  static inline scalar name(vector v) {                                                                      \
    scalar a[sizeof v / sizeof(scalar)];                                                                     \
    memcpy(a, &v, sizeof a);                                                                                 \
    for (size_t half = sizeof a / sizeof a[0] / 2; half > 0; half /= 2)                                      \
      for (size_t i = 0; i < half; ++i)                                                                      \
        a[i] = value;                                                                                        \
    return a[0];                                                                                             \
  }
#undef _mm512_reduce_add_ps
#undef _mm512_reduce_add_pd
#undef _mm512_reduce_max_ps
#undef _mm512_reduce_min_ps
#undef _mm512_reduce_max_pd
#undef _mm512_reduce_min_pd
#undef _mm512_reduce_max_epi32
#undef _mm512_reduce_min_epi32
#undef _mm512_reduce_max_epu32
#undef _mm512_reduce_min_epu32
#undef _mm512_reduce_max_epi64
#undef _mm512_reduce_min_epi64
REDUCED(_mm512_reduce_add_ps, __m512, float, a[i] + a[i + half])
REDUCED(_mm512_reduce_add_pd, __m512d, double, a[i] + a[i + half])
REDUCED(_mm512_reduce_max_ps, __m512, float, a[i] > a[i + half] ? a[i] : a[i + half])
REDUCED(_mm512_reduce_min_ps, __m512, float, a[i] < a[i + half] ? a[i] : a[i + half])
REDUCED(_mm512_reduce_max_pd, __m512d, double, a[i] > a[i + half] ? a[i] : a[i + half])
REDUCED(_mm512_reduce_min_pd, __m512d, double, a[i] < a[i + half] ? a[i] : a[i + half])
REDUCED(_mm512_reduce_max_epi32, __m512i, int32_t, a[i] > a[i + half] ? a[i] : a[i + half])
REDUCED(_mm512_reduce_min_epi32, __m512i, int32_t, a[i] < a[i + half] ? a[i] : a[i + half])
REDUCED(_mm512_reduce_max_epu32, __m512i, uint32_t, a[i] > a[i + half] ? a[i] : a[i + half])
REDUCED(_mm512_reduce_min_epu32, __m512i, uint32_t, a[i] < a[i + half] ? a[i] : a[i + half])
REDUCED(_mm512_reduce_max_epi64, __m512i, int64_t, a[i] > a[i + half] ? a[i] : a[i + half])
REDUCED(_mm512_reduce_min_epi64, __m512i, int64_t, a[i] < a[i + half] ? a[i] : a[i + half])
#define _mm512_mask_reduce_add_ps(k, v) _mm512_reduce_add_ps(_mm512_maskz_mov_ps(k, v))
#define _mm512_mask_reduce_add_pd(k, v) _mm512_reduce_add_pd(_mm512_maskz_mov_pd(k, v))
