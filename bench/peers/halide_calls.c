// The pipelines of halide_pipelines.cpp as plain functions, for planes of h x w results.
#include <halide14/HalideRuntime.h>

int halide_blur(struct halide_buffer_t *in, struct halide_buffer_t *out);
int halide_unsharp(struct halide_buffer_t *in, struct halide_buffer_t *out);
int halide_harris(struct halide_buffer_t *in, struct halide_buffer_t *out);
int halide_stencil(struct halide_buffer_t *in, struct halide_buffer_t *out);
int halide_stencils(struct halide_buffer_t *in, struct halide_buffer_t *out);
int halide_separable(struct halide_buffer_t *in, struct halide_buffer_t *depth, struct halide_buffer_t *weights,
                     struct halide_buffer_t *bias, struct halide_buffer_t *out);

typedef int pipeline(struct halide_buffer_t *in, struct halide_buffer_t *out);

// `in` is larger than the result by `before` on the left and above, and by `after` on the right and below.
static int run(pipeline *function, int64_t h, int64_t w, int before, int after, int planes, int planes_out,
               struct halide_type_t type, const void *in, void *out) {
  const int32_t ih = (int32_t)h + before + after, iw = (int32_t)w + before + after;
  halide_dimension_t in_dims[3] = {{-before, iw, 1, 0}, {-before, ih, iw, 0}, {0, planes, ih * iw, 0}};
  halide_dimension_t out_dims[3] = {
      {0, (int32_t)w, 1, 0}, {0, (int32_t)h, (int32_t)w, 0}, {0, planes, (int32_t)(h * w), 0}};
  struct halide_buffer_t from = {0}, to = {0};
  from.host = (uint8_t *)in;
  from.type = to.type = type;
  from.dimensions = planes > 1 ? 3 : 2;
  from.dim = in_dims;
  to.host = (uint8_t *)out;
  to.dimensions = planes_out > 1 ? 3 : 2;
  to.dim = out_dims;
  return function(&from, &to);
}

static const struct halide_type_t u16 = {halide_type_uint, 16, 1}, f32 = {halide_type_float, 32, 1};

int peer_blur(int64_t h, int64_t w, const void *in, void *out) {
  return run(halide_blur, h, w, 0, 2, 1, 1, u16, in, out);
}
int peer_unsharp(int64_t h, int64_t w, const void *in, void *out) {
  return run(halide_unsharp, h, w, 3, 3, 3, 3, f32, in, out);
}
int peer_harris(int64_t h, int64_t w, const void *in, void *out) {
  return run(halide_harris, h, w, 0, 4, 3, 1, f32, in, out);
}
int peer_stencil(int64_t h, int64_t w, const void *in, void *out) {
  return run(halide_stencil, h, w, 2, 2, 1, 1, u16, in, out);
}
int peer_stencils(int64_t h, int64_t w, const void *in, void *out) {
  return run(halide_stencils, h, w, 64, 64, 1, 1, u16, in, out);
}

// A dense buffer; the innermost extent comes first.
static struct halide_buffer_t dense(const void *host, int rank, halide_dimension_t *dims, const int64_t *extents) {
  struct halide_buffer_t buffer = {0};
  int32_t stride = 1;
  for (int i = 0; i < rank; stride *= (int32_t)extents[i++])
    dims[i] = (halide_dimension_t){0, (int32_t)extents[i], stride, 0};
  buffer.host = (uint8_t *)host;
  buffer.type = f32;
  buffer.dimensions = rank;
  buffer.dim = dims;
  return buffer;
}

int peer_separable(int64_t n, int64_t h, int64_t w, int64_t c, int64_t k, const float *in, const float *depth,
                   const float *weights, const float *bias, float *out) {
  halide_dimension_t dims[5][4];
  struct halide_buffer_t from = dense(in, 4, dims[0], (const int64_t[]){c, w + 2, h + 2, n});
  struct halide_buffer_t windows = dense(depth, 3, dims[1], (const int64_t[]){c, 3, 3});
  struct halide_buffer_t sums = dense(weights, 2, dims[2], (const int64_t[]){k, c});
  struct halide_buffer_t added = dense(bias, 1, dims[3], (const int64_t[]){k});
  struct halide_buffer_t to = dense(out, 4, dims[4], (const int64_t[]){k, w, h, n});
  return halide_separable(&from, &windows, &sums, &added, &to);
}

void peer_threads(int count) { halide_set_num_threads(count); }
