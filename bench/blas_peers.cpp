#include "bench/blas_peers.h"

#include "bench/product_peers.h"

#include <dlfcn.h>
#include <fmt/format.h>
#if ATLC_HAS_XSMM
#include <libxsmm.h>
#endif

#include <array>
#include <cstdlib>
#include <optional>
#include <stdexcept>

namespace atl::bench {

namespace {

constexpr int row_major = 101, no_transpose = 111; // of CBLAS
using Cblas = void(int, int, int, int, int, int, float, const float *, int, const float *, int, float,
                   float *, int);
using Dnnl = int(char, char, std::int64_t, std::int64_t, std::int64_t, float, const float *, std::int64_t,
                 const float *, std::int64_t, float, float *, std::int64_t);

void *symbol(const char *library, const char *name) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  void *found = handle ? dlsym(handle, name) : nullptr;
  if (!found)
    fmt::print(stderr, "{} is not here: not a peer in this run\n", library);
  return found;
}

std::optional<Sgemm> cblas(const char *library) {
  auto *function = reinterpret_cast<Cblas *>(symbol(library, "cblas_sgemm"));
  if (!function)
    return std::nullopt;
  return
      [function](std::int64_t m, std::int64_t n, std::int64_t k, const float *a, const float *b, float *out) {
        int rows = static_cast<int>(m), columns = static_cast<int>(n), inner = static_cast<int>(k);
        function(row_major, no_transpose, no_transpose, rows, columns, inner, 1, a, inner, b, columns, 0, out,
                 columns);
      };
}

std::optional<Sgemm> dnnl() {
  auto *function = reinterpret_cast<Dnnl *>(symbol("libdnnl.so.2", "dnnl_sgemm"));
  if (!function)
    return std::nullopt;
  return [function](std::int64_t m, std::int64_t n, std::int64_t k, const float *a, const float *b,
                    float *out) { function('N', 'N', m, n, k, 1, a, k, b, n, 0, out, n); };
}

// The primitive for one product, which is kept until the next.
std::optional<Sgemm> dnnl_matmul() {
#if ATLC_HAS_DNNL
  return [last = FloatProduct{}, run = std::function<void()>{}](std::int64_t m, std::int64_t n,
                                                                std::int64_t k, const float *a,
                                                                const float *b, float *out) mutable {
    const FloatProduct product{m, n, k, a, b, out};
    if (!(product == last)) {
      last = product;
      run = product_peer(product);
    }
    run();
  };
#else
  fmt::print(stderr, "built without oneDNN (libdnnl-dev): its matmul is not a peer in this run\n");
  return std::nullopt;
#endif
}

// Makes code for one shape, which is kept until the next.
std::optional<Sgemm> xsmm() {
#if ATLC_HAS_XSMM
  using Shape = std::array<std::int64_t, 3>;
  return [shape = Shape{}, code = libxsmm_smmfunction{}](std::int64_t m, std::int64_t n, std::int64_t k,
                                                         const float *a, const float *b, float *out) mutable {
    if (shape != Shape{m, n, k}) {
      const float one = 1, none = 0;
      const int no_flags = LIBXSMM_GEMM_FLAG_NONE;
      shape = {m, n, k};
      code = libxsmm_smmdispatch(static_cast<int>(n), static_cast<int>(m), static_cast<int>(k), nullptr,
                                 nullptr, nullptr, &one, &none, &no_flags, nullptr);
      if (!code)
        throw std::runtime_error("libxsmm has no code for a shape");
    }
    code(b, a, out); // it has columns where we have rows
  };
#else
  fmt::print(stderr, "built without libxsmm (libxsmm-dev): not a peer in this run\n");
  return std::nullopt;
#endif
}

void prepare_environment() {
  for (const char *name : {"OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"})
    unsetenv(name);
  for (const char *name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS"})
    setenv(name, "1", 1);
  // Debian's 0.9 does not know newer CPUs, and would take its portable kernels; 0 is Skylake-X, 3 Haswell.
  setenv("BLIS_ARCH_TYPE", __builtin_cpu_supports("avx512bw") ? "0" : "3", 0);
}

} // namespace

std::vector<SgemmPeer> sgemm_peers() {
  prepare_environment();
  std::vector<SgemmPeer> peers;
  auto add = [&](const char *name, std::optional<Sgemm> run) {
    if (run)
      peers.push_back({name, std::move(*run)});
  };
  add("oneDNN", dnnl());
  add("oneDNN matmul", dnnl_matmul());
  add("OpenBLAS", cblas("libopenblas.so.0"));
  add("BLIS", cblas("libblis.so.4"));
  add("libxsmm", xsmm());
  return peers;
}

} // namespace atl::bench
