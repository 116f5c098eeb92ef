// Image pipelines and a layer for Halide 14, under the schedules for CPUs that Halide's own apps of these
// names publish. Writes object files: halide-pipelines FOLDER. The inputs are as large as the pipelines read,
// so that there are no borders to handle.
#include <halide14/Halide.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

using namespace Halide;

namespace {

Var x("x"), y("y"), c("c"), yi("yi"), yo("yo");

// Not the host: Halide 14 takes newer CPUs for one with instructions that they lack.
const std::string cpu = __builtin_cpu_supports("avx512bw") ? "x86-64-linux-avx512_skylake"
                                                           : "x86-64-linux-avx-avx2-f16c-fma-sse41";
const Target target(cpu + "-no_runtime");

// 3 x 3 means, in two passes.
Pipeline blur(const ImageParam &input) {
  Func in_x("in_x"), out("blur");
  in_x(x, y) = (input(x, y) + input(x + 1, y) + input(x + 2, y)) / 3;
  out(x, y) = (in_x(x, y) + in_x(x, y + 1) + in_x(x, y + 2)) / 3;
  out.split(y, y, yi, 32).parallel(y).vectorize(x, 16);
  in_x.store_at(out, y).compute_at(out, x).vectorize(x, 16);
  return out;
}

// What a Gaussian blur of the luminance takes away is added again. The input begins at -3.
Pipeline unsharp(const ImageParam &input) {
  auto weight = [](int distance) {
    const float sigma = 1.5f;
    return std::exp(static_cast<float>(-distance * distance) / (2 * sigma * sigma)) /
           (std::sqrt(2 * 3.14159265358979310000f) * sigma);
  };
  auto smooth = [&](Func f, bool along_x) {
    auto at = [&](int d) { return along_x ? f(x + d, y) : f(x, y + d); };
    return weight(0) * at(0) + weight(1) * (at(-1) + at(1)) + weight(2) * (at(-2) + at(2)) +
           weight(3) * (at(-3) + at(3));
  };
  Func gray("gray"), blur_y("blur_y"), blur_x("blur_x"), sharpen("sharpen"), ratio("ratio"), out("unsharp");
  gray(x, y) = 0.299f * input(x, y, 0) + 0.587f * input(x, y, 1) + 0.114f * input(x, y, 2);
  blur_y(x, y) = smooth(gray, false);
  blur_x(x, y) = smooth(blur_y, true);
  sharpen(x, y) = 2 * gray(x, y) - blur_x(x, y);
  ratio(x, y) = sharpen(x, y) / gray(x, y);
  out(x, y, c) = ratio(x, y) * input(x, y, c);
  const int lanes = target.natural_vector_size<float>();
  out.split(y, yo, yi, 32).vectorize(x, lanes).parallel(yo).reorder(x, c, yi, yo);
  for (Func f : {gray, blur_y, ratio})
    f.compute_at(out, yi).store_at(out, yo).vectorize(x, lanes);
  return out;
}

// The response of corners.
Pipeline harris(const ImageParam &input) {
  Func gray("gray"), gx("gx"), gy("gy"), gxx("gxx"), gyy("gyy"), gxy("gxy"), response("response"),
      out("harris");
  gray(x, y) = 0.299f * input(x, y, 0) + 0.587f * input(x, y, 1) + 0.114f * input(x, y, 2);
  const float one = 1.0f / 12, two = 2.0f / 12;
  gy(x, y) = gray(x - 1, y - 1) * -one + gray(x - 1, y + 1) * one + gray(x, y - 1) * -two +
             gray(x, y + 1) * two + gray(x + 1, y - 1) * -one + gray(x + 1, y + 1) * one;
  gx(x, y) = gray(x - 1, y - 1) * -one + gray(x + 1, y - 1) * one + gray(x - 1, y) * -two +
             gray(x + 1, y) * two + gray(x - 1, y + 1) * -one + gray(x + 1, y + 1) * one;
  gxx(x, y) = gx(x, y) * gx(x, y);
  gyy(x, y) = gy(x, y) * gy(x, y);
  gxy(x, y) = gx(x, y) * gy(x, y);
  auto window = [&](const Func &f) {
    Expr sum = f(x - 1, y - 1);
    for (int i = 1; i < 9; ++i)
      sum += f(x + i / 3 - 1, y + i % 3 - 1);
    return sum;
  };
  Expr sxx = window(gxx), syy = window(gyy), sxy = window(gxy);
  response(x, y) = sxx * syy - sxy * sxy - 0.04f * (sxx + syy) * (sxx + syy);
  out(x, y) = response(x + 2, y + 2);
  const int lanes = target.natural_vector_size<float>();
  out.split(y, y, yi, 32).parallel(y).vectorize(x, lanes);
  gx.store_at(out, y).compute_at(out, yi).vectorize(x, lanes);
  gy.store_at(out, y).compute_at(out, yi).vectorize(x, lanes);
  gx.compute_with(gy, x);
  return out;
}

// 5 x 5 stencils one after the other. The input begins at -2 * stages.
Pipeline stencils(const ImageParam &input, int stages) {
  Func in("in");
  in(x, y) = input(x, y);
  std::vector<Func> all{in};
  for (int s = 0; s < stages; ++s) {
    Func f("stage_" + std::to_string(s));
    Expr sum = cast<uint16_t>(0);
    for (int i = -2; i <= 2; ++i)
      for (int j = -2; j <= 2; ++j)
        sum += (i + 3) * (j + 3) * all.back()(x + i, y + j);
    f(x, y) = sum;
    all.push_back(f);
  }
  Func out("stencils");
  out(x, y) = all.back()(x, y);
  const int lanes = target.natural_vector_size<uint16_t>(), group = 11;
  Var xi("xi"), xo("xo"), t("t");
  const int last = stages;
  for (int j = last; j > 0; j -= group) {
    Func root = j == last ? out : all[static_cast<std::size_t>(j)];
    const int expansion = 4 * (last - j), w = 2560 + expansion, h = 1600 + expansion; // 4 x 4 tiles
    root.compute_root()
        .tile(x, y, xo, yo, xi, yi, w / 4, h / 4)
        .fuse(xo, yo, t)
        .parallel(t)
        .vectorize(xi, lanes);
    for (int i = std::max(0, j - group + 1); i < j; ++i)
      all[static_cast<std::size_t>(i)].store_at(root, t).compute_at(root, yi).vectorize(x, lanes);
  }
  return out;
}

// A window of 3 x 3 for each channel, then a sum over the channels of each pixel. The input has its border.
Pipeline separable(const ImageParam &input, const ImageParam &depth_weights, const ImageParam &weights,
                   const ImageParam &bias) {
  Var b("b"), di("di"), xi("xi");
  Func bounded("bounded"), depth("depth"), sums("sums"), out("separable");
  bounded(c, x, y, b) = input(c, x, y, b);
  RDom window(0, 3, 0, 3), channels(0, weights.dim(1).extent());
  depth(c, x, y, b) += depth_weights(c, window.x, window.y) * bounded(c, x + window.x, y + window.y, b);
  sums(c, x, y, b) = bias(c);
  sums(c, x, y, b) += weights(c, channels) * depth(channels, x, y, b);
  out(c, x, y, b) = max(sums(c, x, y, b), 0.0f);
  const int lanes = target.natural_vector_size<float>();
  RVar ro("ro"), ri("ri");
  out.tile({c, x, y}, {di, xi, yi}, {lanes, 6, 4})
      .vectorize(di)
      .unroll(xi)
      .unroll(yi)
      .fuse(y, b, b)
      .parallel(b);
  sums.compute_at(out, c).vectorize(c).unroll(x).unroll(y);
  sums.update().reorder(c, x, y, channels, b).vectorize(c).unroll(x).unroll(y).split(channels, ro, ri, lanes);
  depth.store_in(MemoryType::Stack).bound_extent(c, lanes).compute_at(sums, ro).vectorize(c);
  depth.reorder(x, y, c).unroll(x).unroll(y);
  depth.update().vectorize(c).reorder(x, y, c, window.x, window.y, b).unroll(x).unroll(y);
  bounded.store_in(MemoryType::Stack)
      .compute_at(sums, ro)
      .tile(c, x, di, xi, lanes, 4, TailStrategy::RoundUp)
      .vectorize(di)
      .unroll(xi);
  out.specialize(weights.dim(1).extent() == weights.dim(1).extent() / 32 * 32);
  return out;
}

void write(const std::string &folder, const std::string &name, Pipeline pipeline,
           const std::vector<Argument> &inputs) {
  pipeline.compile_to_object(folder + "/" + name + ".o", inputs, "halide_" + name, target);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2)
    return std::fprintf(stderr, "usage: halide-pipelines FOLDER\n"), 2;
  const std::string folder = argv[1];
  const Type f32 = Float(32);
  ImageParam plane(UInt(16), 2, "input"), colour(f32, 3, "input"), pictures(f32, 4, "input");
  ImageParam depth(f32, 3, "depth_weights"), weights(f32, 2, "weights"), bias(f32, 1, "bias");
  write(folder, "blur", blur(plane), {plane});
  write(folder, "unsharp", unsharp(colour), {colour});
  write(folder, "harris", harris(colour), {colour});
  write(folder, "stencil", stencils(plane, 1), {plane});
  write(folder, "stencils", stencils(plane, 32), {plane});
  write(folder, "separable", separable(pictures, depth, weights, bias), {pictures, depth, weights, bias});
  compile_standalone_runtime(folder + "/runtime.o", Target(cpu));
  return 0;
}
