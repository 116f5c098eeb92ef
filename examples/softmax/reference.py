"""NumPy reference for softmax.atl, in double precision."""
import numpy as np
from common import grid, some_sizes


def cases():
    for kernel in ["softmax", "softmax_by_row"]:
        for sizes in grid(N=[0, 1, 4, 33], M=[0, 1, 3, 16, 17, 100]):
            yield kernel, sizes, 1e-6
    for n in [0, 1, 2, 7, 8, 9, 64]:
        yield "softmax_causal", dict(N=n), 1e-6
    for sizes in grid(N=[0, 1, 5], M=[0, 1, 8, 31]):
        yield "row_statistics", sizes, 1e-13


def schedule_cases(kernel):
    for sizes in some_sizes(10, N=20, M=50):
        yield sizes, 1e-6


def inputs(kernel, sizes, rng):
    shape = (sizes["N"], sizes.get("M", sizes["N"]))
    elem = np.float64 if kernel == "row_statistics" else np.float32
    return {"x": (200 * rng.standard_normal(shape)).astype(elem)}  # exp(200) is no f32


def reference(kernel, sizes, inputs):
    x = inputs["x"].astype(np.float64)
    if kernel == "softmax_causal":
        x = np.where(np.tri(sizes["N"], dtype=bool), x, -np.inf)
    top = x.max(axis=1, keepdims=True, initial=-np.inf)
    e = np.exp(x - top)
    total = e.sum(axis=1, keepdims=True)
    if kernel == "row_statistics":
        return {"top": top[:, 0], "total": total[:, 0]}
    return {"out": (e / total).astype(np.float32)}
