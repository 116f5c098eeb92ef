"""NumPy reference for blas.atl."""
import numpy as np

PRODUCTS = [(0, 3, 2, 0, 0), (3, 0, 2, 1, 0), (3, 2, 0, 0, 2), (1, 1, 1, 3, 0), (7, 13, 5, 0, 0), (14, 66, 9, 2, 5, 3)]
GEMMS = ["gemm", "gemm_at", "gemm_bt", "dgemm", "dgemm_at", "dgemm_bt"]


def tolerance(kernel):
    return 1e-10 if kernel.startswith("d") else 1e-4


def dimensions(kernel, m, n, k, more_a=0, more_b=0, more_c=0):
    if kernel in ("saxpy", "sdot"):
        return dict(N=n)
    if kernel == "sgemv":
        return dict(M=m, N=n)
    return dict(M=m, N=n, K=k, LDA=(m if kernel.endswith("_at") else k) + more_a,
                LDB=(k if kernel.endswith("_bt") else n) + more_b, LDC=n + more_c)


def cases():
    for kernel in ["saxpy", "sdot", "sgemv", *GEMMS]:
        for shape in PRODUCTS:
            yield kernel, dimensions(kernel, *shape), tolerance(kernel)
    yield "gemm", dict(M=2, N=2, K=3, LDA=2, LDB=2, LDC=2), "refused"
    yield "gemm", dict(M=2, N=2, K=3, LDA=3, LDB=2, LDC=1), "refused"
    yield "gemm_at", dict(M=2, N=2, K=3, LDA=1, LDB=2, LDC=2), "refused"
    yield "gemm_bt", dict(M=2, N=2, K=3, LDA=3, LDB=2, LDC=2), "refused"
    yield "dgemm", dict(M=2, N=2, K=3, LDA=2, LDB=2, LDC=2), "refused"


# Around the edges of the tiles: rows by 12, 6, 4, 2, columns by 64 and 16, the 64 elements of four registers.
def schedule_cases(kernel):
    for shape in [(12, 64, 8), (13, 65, 9, 1, 2), (25, 80, 3), (23, 111, 17, 0, 4, 1), (5, 127, 64), (2, 200, 1), (11, 15, 130)]:
        yield dimensions(kernel, *shape), tolerance(kernel)


def inputs(kernel, sizes, rng):
    element = np.float64 if kernel.startswith("d") else np.float32

    def values(*shape):
        return rng.standard_normal(shape).astype(element)

    n = sizes["N"]
    if kernel == "saxpy":
        return {"a": np.float32(rng.standard_normal()), "x": values(n), "y": values(n)}
    if kernel == "sdot":
        return {"x": values(n), "y": values(n)}
    m = sizes["M"]
    if kernel == "sgemv":
        return {"A": values(m, n), "x": values(n)}
    a = values(sizes["K"] if kernel.endswith("_at") else m, sizes["LDA"])
    b = values(n if kernel.endswith("_bt") else sizes["K"], sizes["LDB"])
    return {"alpha": element(1.5), "beta": element(-0.5), "A": a, "B": b, "C": values(m, sizes["LDC"])}


def reference(kernel, sizes, inputs):
    wide = {name: np.asarray(value, np.float64) for name, value in inputs.items()}
    if kernel == "saxpy":
        out = wide["a"] * wide["x"] + wide["y"]
    elif kernel == "sdot":
        out = wide["x"] @ wide["y"]
    elif kernel == "sgemv":
        out = wide["A"] @ wide["x"]
    else:
        m, n, k = sizes["M"], sizes["N"], sizes["K"]
        a = wide["A"][:, :m].T if kernel.endswith("_at") else wide["A"][:, :k]
        b = wide["B"][:, :k].T if kernel.endswith("_bt") else wide["B"][:, :n]
        out = wide["alpha"] * (a @ b) + wide["beta"] * wide["C"][:, :n]
    return {"out": np.asarray(out, np.float64 if kernel.startswith("d") else np.float32)}
