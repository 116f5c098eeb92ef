"""NumPy reference for matmul.atl: products in float64 (or exact integers)."""
import numpy as np
from common import edges, grid, some_sizes

FLOAT_KERNELS = ["matmul", "matmul_tiled", "matmul_tails", "matmul_tiled_k", "matmul_at", "matmul_transpose"]
TRANSPOSED = ["matmul_at", "matmul_transpose"]


def cases():
    for kernel in FLOAT_KERNELS:
        for sizes in grid(M=[0, 1, 3, 4, 5, 9], N=[0, 1, 3, 4, 5, 14], K=[0, 1, 4, 7]):
            yield kernel, sizes, 1e-5
        yield kernel, dict(M=131, N=67, K=93), 1e-5
    for sizes in grid(M=[0, 1, 5, 33], N=[0, 1, 7, 18], K=[0, 1, 16, 129]):
        yield "matmul_i8", sizes, 0


def schedule_cases(kernel):
    tolerance = 0 if kernel == "matmul_i8" else 1e-5
    for sizes in [*grid(M=edges(4), N=edges(4, 16), K=edges(8, 64)), *some_sizes(10, M=40, N=70, K=140)]:
        yield sizes, tolerance


def inputs(kernel, sizes, rng):
    M, N, K = sizes["M"], sizes["N"], sizes["K"]
    if kernel == "matmul_i8":
        return {"A": rng.integers(-128, 128, (M, K), np.int8), "B": rng.integers(-128, 128, (K, N), np.int8)}
    first = {"At": (K, M)} if kernel in TRANSPOSED else {"A": (M, K)}
    return {name: rng.standard_normal(shape).astype(np.float32) for name, shape in {**first, "B": (K, N)}.items()}


def reference(kernel, sizes, inputs):
    if kernel == "matmul_i8":
        return {"out": inputs["A"].astype(np.int32) @ inputs["B"].astype(np.int32)}
    A = inputs["At"].T if kernel in TRANSPOSED else inputs["A"]
    return {"out": (A.astype(np.float64) @ inputs["B"].astype(np.float64)).astype(np.float32)}
