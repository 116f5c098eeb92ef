// The macros of the public header of Gemmini that emitted C uses, as declarations: to see that it compiles.
#pragma once
#include "gemmini_constants.h"

void gemmini_flush(int skip);
void gemmini_fence(void);
void gemmini_config_ex(int dataflow, int act, int shift);
void gemmini_extended4_config_ld(int64_t stride, float scale, bool shrunk, int64_t block_stride, int id);
void gemmini_extended_config_st(int64_t stride, int act, float scale);
void gemmini_loop_ws(int64_t i, int64_t j, int64_t k, int64_t pad_i, int64_t pad_j, int64_t pad_k,
                     const void *a, const void *b, const void *d, void *c, int64_t a_stride, int64_t b_stride,
                     int64_t d_stride, int64_t c_stride, bool a_transpose, bool b_transpose, bool full_c,
                     bool low_d, bool accumulate, int act, int a_spad_id, int b_spad_id, bool is_resadd);
void gemmini_loop_conv_ws(int64_t batch_size, int64_t in_row_dim, int64_t in_col_dim, int64_t in_channels,
                          int64_t out_channels, int64_t out_row_dim, int64_t out_col_dim,
                          int64_t pool_out_row_dim, int64_t pool_out_col_dim, int64_t stride, int64_t padding,
                          int64_t kernel_dim, int64_t kernel_dilation, int64_t pool_size, int64_t pool_stride,
                          int64_t pool_padding, int64_t batches, int64_t porows, int64_t pocols,
                          int64_t pochs, int64_t krows, int64_t kcols, int64_t kchs, int64_t lpad,
                          int64_t rpad, int64_t upad, int64_t dpad, int64_t plpad, int64_t prpad,
                          int64_t pupad, int64_t pdpad, int64_t orows, int64_t ocols, const void *weights,
                          void *output, const void *bias, const void *input, bool no_bias, bool no_pool,
                          bool downsample, bool wrot180, bool input_dilated, int activation,
                          bool trans_output_1203, bool trans_weight_1203, bool trans_weight_0132,
                          bool trans_input_3120, int64_t max_pixels_per_row, int64_t in_stride,
                          int64_t weight_stride, int64_t out_stride, bool dw, int a_spad_id, int b_spad_id);
void gemmini_extended_mvin(const void *from, uint64_t to, int64_t cols, int64_t rows);
void gemmini_extended_mvin2(const void *from, uint64_t to, int64_t cols, int64_t rows);
void gemmini_extended_mvin3(const void *from, uint64_t to, int64_t cols, int64_t rows);
void gemmini_extended_mvout(void *to, uint64_t from, int64_t cols, int64_t rows);
void gemmini_extended_preload(uint64_t b, uint64_t c, int64_t b_cols, int64_t b_rows, int64_t c_cols,
                              int64_t c_rows);
void gemmini_extended_compute_preloaded(uint64_t a, uint64_t d, int64_t a_cols, int64_t a_rows,
                                        int64_t d_cols, int64_t d_rows);
void gemmini_extended_compute_accumulated(uint64_t a, uint64_t d, int64_t a_cols, int64_t a_rows,
                                          int64_t d_cols, int64_t d_rows);
