// The macros of the public header of Gemmini that emitted C uses. A command is one instruction, which does
// nothing, but has the operands of the command, put together as that header does it: to count the
// instructions of the CPU.
#pragma once
#include "../declarations/gemmini_constants.h"

#define COMMAND(a, b) __asm__ volatile("xor x0, %0, %1" : : "r"((uint64_t)(a)), "r"((uint64_t)(b)) : "memory")
// Of a block: rows, columns, address.
#define BLOCK(rows, cols, at) (((uint64_t)(rows) << 48) | ((uint64_t)(cols) << 32) | (uint64_t)(at))

static inline uint64_t bits_of(float value) {
  const union {
    float value;
    uint32_t bits;
  } both = {value};
  return both.bits;
}

#define gemmini_flush(skip) COMMAND(skip, 0)
#define gemmini_fence() __asm__ volatile("fence" : : : "memory")
#define gemmini_config_ex(dataflow, act, shift)                                                              \
  COMMAND(((uint64_t)1 << 32) | ((uint64_t)1 << 16) | ((uint64_t)(act) << 3) | ((uint64_t)(dataflow) << 2),  \
          (uint64_t)1 << 48)
#define gemmini_extended4_config_ld(stride, scale, shrunk, block, id)                                        \
  COMMAND((bits_of(scale) << 32) | ((uint64_t)(block) << 16) | ((uint64_t)1 << 8) | ((uint64_t)(id) << 3) |  \
              ((uint64_t)(shrunk) << 2) | 1,                                                                 \
          stride)
#define gemmini_extended_config_st(stride, act, scale)                                                       \
  COMMAND(((uint64_t)(act) << 2) | 2, (bits_of(scale) << 32) | (uint32_t)(stride))
#define THREE(a, b, c) (((uint64_t)(c) << 32) | ((uint64_t)(b) << 16) | (uint64_t)(a))
#define gemmini_loop_ws(i, j, k, pad_i, pad_j, pad_k, a, b, d, c, a_stride, b_stride, d_stride, c_stride,    \
                        a_transpose, b_transpose, full_c, low_d, accumulate, act, a_id, b_id, is_resadd)     \
  {                                                                                                          \
    COMMAND(THREE(pad_i, pad_j, pad_k), THREE(i, j, k));                                                     \
    COMMAND(a, b);                                                                                           \
    COMMAND(d, c);                                                                                           \
    COMMAND(a_stride, b_stride);                                                                             \
    COMMAND(d_stride, c_stride);                                                                             \
    COMMAND(((uint64_t)(a_id) << 18) | ((uint64_t)(b_id) << 16) | ((uint64_t)(act) << 8) |                   \
                ((uint64_t)(low_d) << 2) | ((uint64_t)(full_c) << 1) | (uint64_t)(accumulate),               \
            ((uint64_t)(is_resadd) << 2) | ((uint64_t)(b_transpose) << 1) | (uint64_t)(a_transpose));        \
  }
#define FOUR(a, b, c, d) (((uint64_t)(d) << 48) | THREE(a, b, c))
#define gemmini_loop_conv_ws(images, in_rows, in_cols, in_channels, out_channels, out_rows, out_cols,        \
                             pooled_rows, pooled_cols, stride, padding, kernel_dim, dilation, pool_size,     \
                             pool_stride, pool_padding, batches, porows, pocols, pochs, krows, kcols, kchs,  \
                             lpad, rpad, upad, dpad, plpad, prpad, pupad, pdpad, orows, ocols, weights,      \
                             output, bias, input, no_bias, no_pool, downsample, wrot180, input_dilated, act, \
                             trans_output, trans_weight, trans_weight_0132, trans_input, pixels, in_stride,  \
                             weight_stride, out_stride, dw, a_id, b_id)                                      \
  {                                                                                                          \
    COMMAND(FOUR(images, in_rows, in_channels, out_channels),                                                \
            ((uint64_t)(padding) << 56) | FOUR(out_rows, pooled_rows, out_cols, stride));                    \
    COMMAND(((uint64_t)(pool_stride) << 8) | FOUR(pool_padding, pool_size, pooled_cols, kernel_dim),         \
            FOUR(pochs, pocols, porows, batches));                                                           \
    COMMAND(FOUR(lpad, kchs, kcols, krows), ((uint64_t)(dpad) << 24) | FOUR(in_cols, plpad, upad, rpad));    \
    COMMAND(((uint64_t)(pupad) << 21) | ((uint64_t)(pdpad) << 10) | FOUR(dilation, 0, prpad, orows),         \
            FOUR(ocols, out_stride, weight_stride, in_stride));                                              \
    COMMAND(weights, output);                                                                                \
    COMMAND(bias, input);                                                                                    \
    COMMAND(((uint64_t)(a_id) << 18) | ((uint64_t)(b_id) << 16) | ((uint64_t)(pixels) << 8) |                \
                ((uint64_t)(dw) << 6) | ((uint64_t)(trans_input) << 5) |                                     \
                ((uint64_t)(trans_weight_0132) << 4) | ((uint64_t)(trans_weight) << 3) |                     \
                ((uint64_t)(trans_output) << 2) | ((uint64_t)(wrot180) << 1) | (uint64_t)(no_bias),          \
            ((uint64_t)(act) << 3) | ((uint64_t)(input_dilated) << 2) | ((uint64_t)(downsample) << 1) |      \
                (uint64_t)(no_pool));                                                                        \
  }
#define gemmini_extended_mvin(from, to, cols, rows) COMMAND(from, BLOCK(rows, cols, to))
#define gemmini_extended_mvin2(from, to, cols, rows) COMMAND(from, BLOCK(rows, cols, to))
#define gemmini_extended_mvin3(from, to, cols, rows) COMMAND(from, BLOCK(rows, cols, to))
#define gemmini_extended_mvout(to, from, cols, rows) COMMAND(to, BLOCK(rows, cols, from))
#define gemmini_extended_preload(b, c, b_cols, b_rows, c_cols, c_rows)                                       \
  COMMAND(BLOCK(b_rows, b_cols, b), BLOCK(c_rows, c_cols, c))
#define gemmini_extended_compute_preloaded(a, d, a_cols, a_rows, d_cols, d_rows)                             \
  COMMAND(BLOCK(a_rows, a_cols, a), BLOCK(d_rows, d_cols, d))
#define gemmini_extended_compute_accumulated(a, d, a_cols, a_rows, d_cols, d_rows)                           \
  COMMAND(BLOCK(a_rows, a_cols, a), BLOCK(d_rows, d_cols, d))
