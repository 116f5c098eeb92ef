// A model of the Gemmini accelerator in its default configuration (16x16 int8 array, int32 sums), for
// machines that have none: the macros of the public gemmini.h, with the same arguments and the same encoding,
// whose commands gemmini_model.c carries out. Code that says #include "gemmini.h" runs on either; the include
// path decides.
#pragma once
#include "gemmini_model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIM 16
#define ADDR_LEN 32
#define BANK_NUM 4
#define BANK_ROWS 4096
#define ACC_ROWS 1024
#define MAX_BYTES 64
#define MAX_BLOCK_LEN 4
#define MAX_BLOCK_LEN_ACC 1

typedef int8_t elem_t;
typedef int32_t acc_t;
typedef float scale_t;
typedef float acc_scale_t;

#define MVIN_SCALE_IDENTITY 1.0f
#define ACC_SCALE_IDENTITY 1.0f

#define GARBAGE_ADDR ((uint32_t)(-1))
#define OUTPUT_STATIONARY 0
#define WEIGHT_STATIONARY 1
#define NO_ACTIVATION 0
#define RELU 1
#define LAYERNORM 2
#define IGELU 3

#define k_CONFIG 0
#define k_MVIN2 1
#define k_MVIN 2
#define k_MVOUT 3
#define k_COMPUTE_PRELOADED 4
#define k_COMPUTE_ACCUMULATE 5
#define k_PRELOAD 6
#define k_FLUSH 7
#define k_LOOP_WS 8
#define k_LOOP_WS_CONFIG_BOUNDS 9
#define k_LOOP_WS_CONFIG_ADDRS_AB 10
#define k_LOOP_WS_CONFIG_ADDRS_DC 11
#define k_LOOP_WS_CONFIG_STRIDES_AB 12
#define k_LOOP_WS_CONFIG_STRIDES_DC 13
#define k_MVIN3 14
#define k_LOOP_CONV_WS 15
#define k_LOOP_CONV_WS_CONFIG_1 16
#define k_LOOP_CONV_WS_CONFIG_2 17
#define k_LOOP_CONV_WS_CONFIG_3 18
#define k_LOOP_CONV_WS_CONFIG_4 19
#define k_LOOP_CONV_WS_CONFIG_5 20
#define k_LOOP_CONV_WS_CONFIG_6 21

#define CONFIG_EX 0
#define CONFIG_LD 1
#define CONFIG_ST 2

// rows, columns and local address, as one operand
#define GEMMINI_MODEL_BLOCK(addr, cols, rows)                                                                \
  (((uint64_t)(rows) << (ADDR_LEN + 16)) | ((uint64_t)(cols) << ADDR_LEN) | (uint64_t)(uint32_t)(addr))
#define GEMMINI_MODEL_BITS(scale) ((uint64_t)gemmini_model_float_bits((float)(scale)) << 32)

#define gemmini_extended_mvin(dram_addr, spad_addr, cols, rows)                                              \
  gemmini_model_issue(k_MVIN, (uint64_t)(dram_addr), GEMMINI_MODEL_BLOCK(spad_addr, cols, rows))
#define gemmini_extended_mvin2(dram_addr, spad_addr, cols, rows)                                             \
  gemmini_model_issue(k_MVIN2, (uint64_t)(dram_addr), GEMMINI_MODEL_BLOCK(spad_addr, cols, rows))
#define gemmini_extended_mvin3(dram_addr, spad_addr, cols, rows)                                             \
  gemmini_model_issue(k_MVIN3, (uint64_t)(dram_addr), GEMMINI_MODEL_BLOCK(spad_addr, cols, rows))
#define gemmini_block_mvin(dram_addr, spad_addr, len)                                                        \
  gemmini_extended_mvin(dram_addr, spad_addr, (len)*DIM, DIM)
#define gemmini_mvin(dram_addr, spad_addr) gemmini_extended_mvin(dram_addr, spad_addr, DIM, DIM)
#define gemmini_mvin2(dram_addr, spad_addr) gemmini_extended_mvin2(dram_addr, spad_addr, DIM, DIM)
#define gemmini_mvin3(dram_addr, spad_addr) gemmini_extended_mvin3(dram_addr, spad_addr, DIM, DIM)

#define gemmini_extended_mvout(dram_addr, spad_addr, cols, rows)                                             \
  gemmini_model_issue(k_MVOUT, (uint64_t)(dram_addr), GEMMINI_MODEL_BLOCK(spad_addr, cols, rows))
#define gemmini_mvout(dram_addr, spad_addr) gemmini_extended_mvout(dram_addr, spad_addr, DIM, DIM)

#define gemmini_extended_compute_preloaded(A, BD, A_cols, A_rows, BD_cols, BD_rows)                          \
  gemmini_model_issue(k_COMPUTE_PRELOADED, GEMMINI_MODEL_BLOCK(A, A_cols, A_rows),                           \
                      GEMMINI_MODEL_BLOCK(BD, BD_cols, BD_rows))
#define gemmini_extended_compute_accumulated(A, BD, A_cols, A_rows, BD_cols, BD_rows)                        \
  gemmini_model_issue(k_COMPUTE_ACCUMULATE, GEMMINI_MODEL_BLOCK(A, A_cols, A_rows),                          \
                      GEMMINI_MODEL_BLOCK(BD, BD_cols, BD_rows))
#define gemmini_compute_preloaded(A, BD) gemmini_extended_compute_preloaded(A, BD, DIM, DIM, DIM, DIM)
#define gemmini_compute_accumulated(A, BD) gemmini_extended_compute_accumulated(A, BD, DIM, DIM, DIM, DIM)

#define gemmini_extended_preload(BD, C, BD_cols, BD_rows, C_cols, C_rows)                                    \
  gemmini_model_issue(k_PRELOAD, GEMMINI_MODEL_BLOCK(BD, BD_cols, BD_rows),                                  \
                      GEMMINI_MODEL_BLOCK(C, C_cols, C_rows))
#define gemmini_preload(BD, C) gemmini_extended_preload(BD, C, DIM, DIM, DIM, DIM)
#define gemmini_preload_zeros(C) gemmini_preload(GARBAGE_ADDR, C)

#define gemmini_extended3_config_ex(dataflow, sys_act, sys_shift, sys_acc_scale, C_stride, A_stride,         \
                                    A_transpose, B_transpose, set_only_strides)                              \
  gemmini_model_issue(k_CONFIG,                                                                              \
                      GEMMINI_MODEL_BITS(sys_acc_scale) | ((uint64_t)(A_stride) << 16) |                     \
                          ((uint64_t)(B_transpose) << 9) | ((uint64_t)(A_transpose) << 8) |                  \
                          ((uint64_t)(set_only_strides) << 7) | ((uint64_t)(sys_act) << 3) |                 \
                          ((uint64_t)(dataflow) << 2) | CONFIG_EX,                                           \
                      ((uint64_t)(C_stride) << 48) | (uint64_t)(uint32_t)(sys_shift))
#define gemmini_extended2_config_ex(dataflow, sys_act, sys_shift, A_stride, A_transpose, B_transpose)        \
  gemmini_extended3_config_ex(dataflow, sys_act, sys_shift, ACC_SCALE_IDENTITY, 1, A_stride, A_transpose,    \
                              B_transpose, false)
#define gemmini_extended_config_ex(dataflow, sys_act, sys_shift, A_stride, A_transpose, B_transpose)         \
  gemmini_extended2_config_ex(dataflow, sys_act, sys_shift, A_stride, A_transpose, B_transpose)
#define gemmini_config_ex(dataflow, sys_act, sys_shift)                                                      \
  gemmini_extended_config_ex(dataflow, sys_act, sys_shift, 1, 0, 0)

#define gemmini_extended5_config_ld(stride, scale, shrunk, block_mvin_stride, pixel_repeats, id)             \
  gemmini_model_issue(k_CONFIG,                                                                              \
                      GEMMINI_MODEL_BITS(scale) | ((uint64_t)(block_mvin_stride) << 16) |                    \
                          ((uint64_t)(pixel_repeats) << 8) | ((uint64_t)(id) << 3) |                         \
                          ((uint64_t)(shrunk) << 2) | CONFIG_LD,                                             \
                      (uint64_t)(stride))
#define gemmini_extended4_config_ld(stride, scale, shrunk, block_mvin_stride, id)                            \
  gemmini_extended5_config_ld(stride, scale, shrunk, block_mvin_stride, 1, id)
#define gemmini_extended3_config_ld(stride, scale, shrunk, id)                                               \
  gemmini_extended4_config_ld(stride, scale, shrunk, DIM, id)
#define gemmini_extended2_config_ld(stride, scale, shrunk)                                                   \
  gemmini_extended3_config_ld(stride, scale, shrunk, 0)
#define gemmini_extended_config_ld(stride, scale) gemmini_extended2_config_ld(stride, scale, false)
#define gemmini_config_ld(stride) gemmini_extended_config_ld(stride, MVIN_SCALE_IDENTITY)

#define gemmini_extended2_config_st(stride, acc_act, acc_scale, pool_stride, pool_size, pool_out_dim,        \
                                    porows, pocols, orows, ocols, upad, lpad)                                \
  gemmini_model_issue(k_CONFIG,                                                                              \
                      ((uint64_t)(ocols) << 56) | ((uint64_t)(orows) << 48) | ((uint64_t)(pocols) << 40) |   \
                          ((uint64_t)(porows) << 32) | ((uint64_t)(pool_out_dim) << 24) |                    \
                          ((uint64_t)(lpad) << 10) | ((uint64_t)(upad) << 8) |                               \
                          ((uint64_t)(pool_size) << 6) | ((uint64_t)(pool_stride) << 4) |                    \
                          ((uint64_t)(acc_act) << 2) | CONFIG_ST,                                            \
                      GEMMINI_MODEL_BITS(acc_scale) | (uint64_t)(uint32_t)(stride))
#define gemmini_extended_config_st(stride, acc_act, acc_scale)                                               \
  gemmini_extended2_config_st(stride, acc_act, acc_scale, 0, 0, 0, 0, 0, 0, 0, 0, 0)
#define gemmini_config_st(stride) gemmini_extended_config_st(stride, NO_ACTIVATION, ACC_SCALE_IDENTITY)

#define GEMMINI_MODEL_THREE(a, b, c) (((uint64_t)(c) << 32) | ((uint64_t)(b) << 16) | (uint64_t)(a))
#define gemmini_loop_ws(I, J, K, pad_I, pad_J, pad_K, A, B, D, C, A_stride, B_stride, D_stride, C_stride,    \
                        A_transpose, B_transpose, full_C, low_D, ex_accumulate, act, a_spad_id, b_spad_id,   \
                        is_resadd)                                                                           \
  {                                                                                                          \
    gemmini_model_issue(k_LOOP_WS_CONFIG_BOUNDS, GEMMINI_MODEL_THREE(pad_I, pad_J, pad_K),                   \
                        GEMMINI_MODEL_THREE(I, J, K));                                                       \
    gemmini_model_issue(k_LOOP_WS_CONFIG_ADDRS_AB, (uint64_t)(A), (uint64_t)(B));                            \
    gemmini_model_issue(k_LOOP_WS_CONFIG_ADDRS_DC, (uint64_t)(D), (uint64_t)(C));                            \
    gemmini_model_issue(k_LOOP_WS_CONFIG_STRIDES_AB, (uint64_t)(A_stride), (uint64_t)(B_stride));            \
    gemmini_model_issue(k_LOOP_WS_CONFIG_STRIDES_DC, (uint64_t)(D_stride), (uint64_t)(C_stride));            \
    gemmini_model_issue(                                                                                     \
        k_LOOP_WS,                                                                                           \
        ((uint64_t)(a_spad_id) << 18) | ((uint64_t)(b_spad_id) << 16) | ((uint64_t)(act) << 8) |             \
            ((uint64_t)(low_D) << 2) | ((uint64_t)(full_C) << 1) | (uint64_t)(ex_accumulate),                \
        ((uint64_t)(is_resadd) << 2) | ((uint64_t)(B_transpose) << 1) | (uint64_t)(A_transpose));            \
  }

#define GEMMINI_MODEL_FOUR(a, b, c, d) (((uint64_t)(d) << 48) | GEMMINI_MODEL_THREE(a, b, c))
#define gemmini_loop_conv_ws(                                                                                \
    batch_size, in_row_dim, in_col_dim, in_channels, out_channels, out_row_dim, out_col_dim,                 \
    pool_out_row_dim, pool_out_col_dim, stride, padding, kernel_dim, kernel_dilation, pool_size,             \
    pool_stride, pool_padding, batches, porows, pocols, pochs, krows, kcols, kchs, lpad, rpad, upad, dpad,   \
    plpad, prpad, pupad, pdpad, orows, ocols, weights, output, bias, input, no_bias, no_pool, downsample,    \
    wrot180, input_dilated, activation, trans_output_1203, trans_weight_1203, trans_weight_0132,             \
    trans_input_3120, max_pixels_per_row, in_stride, weight_stride, out_stride, dw, a_spad_id, b_spad_id)    \
  {                                                                                                          \
    gemmini_model_issue(k_LOOP_CONV_WS_CONFIG_1,                                                             \
                        GEMMINI_MODEL_FOUR(batch_size, in_row_dim, in_channels, out_channels),               \
                        ((uint64_t)(padding) << 56) |                                                        \
                            GEMMINI_MODEL_FOUR(out_row_dim, pool_out_row_dim, out_col_dim, stride));         \
    gemmini_model_issue(k_LOOP_CONV_WS_CONFIG_2,                                                             \
                        ((uint64_t)(pool_stride) << 8) |                                                     \
                            GEMMINI_MODEL_FOUR(pool_padding, pool_size, pool_out_col_dim, kernel_dim),       \
                        GEMMINI_MODEL_FOUR(pochs, pocols, porows, batches));                                 \
    gemmini_model_issue(k_LOOP_CONV_WS_CONFIG_3, GEMMINI_MODEL_FOUR(lpad, kchs, kcols, krows),               \
                        ((uint64_t)(dpad) << 24) | GEMMINI_MODEL_FOUR(in_col_dim, plpad, upad, rpad));       \
    gemmini_model_issue(k_LOOP_CONV_WS_CONFIG_4,                                                             \
                        ((uint64_t)(pupad) << 21) | ((uint64_t)(pdpad) << 10) |                              \
                            GEMMINI_MODEL_FOUR(kernel_dilation, 0, prpad, orows),                            \
                        GEMMINI_MODEL_FOUR(ocols, out_stride, weight_stride, in_stride));                    \
    gemmini_model_issue(k_LOOP_CONV_WS_CONFIG_5, (uint64_t)(weights), (uint64_t)(output));                   \
    gemmini_model_issue(k_LOOP_CONV_WS_CONFIG_6, (uint64_t)(bias), (uint64_t)(input));                       \
    gemmini_model_issue(k_LOOP_CONV_WS,                                                                      \
                        ((uint64_t)(a_spad_id) << 18) | ((uint64_t)(b_spad_id) << 16) |                      \
                            ((uint64_t)(max_pixels_per_row) << 8) | ((uint64_t)(dw) << 6) |                  \
                            ((uint64_t)(trans_input_3120) << 5) | ((uint64_t)(trans_weight_0132) << 4) |     \
                            ((uint64_t)(trans_weight_1203) << 3) | ((uint64_t)(trans_output_1203) << 2) |    \
                            ((uint64_t)(wrot180) << 1) | (uint64_t)(no_bias),                                \
                        ((uint64_t)(activation) << 3) | ((uint64_t)(input_dilated) << 2) |                   \
                            ((uint64_t)(downsample) << 1) | (uint64_t)(no_pool));                            \
  }

#define gemmini_flush(skip) gemmini_model_issue(k_FLUSH, (uint64_t)(skip), 0)
#define gemmini_fence() gemmini_model_fence()
