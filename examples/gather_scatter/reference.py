"""NumPy reference for gather_scatter.atl, by numpy.correlate on zero-extended signals."""
import numpy as np
from common import grid, some_sizes


def cases():
    for kernel in ["gather", "scatter"]:
        for sizes in grid(N=[0, 1, 2], K=[1, 2], C=[0, 1, 3], W=[0, 1, 4, 9], R=[0, 1, 3, 5]):
            yield kernel, sizes, 1e-5
        yield kernel, dict(N=1, K=5, C=3, W=65, R=9), 1e-5
    for kernel in ["gather_1d", "scatter_1d"]:
        for sizes in grid(W=[0, 1, 2, 7, 8, 9, 100], R=[0, 1, 2, 8, 9]):
            yield kernel, sizes, 0


def schedule_cases(kernel):
    for sizes in some_sizes(10, N=3, K=4, C=4, W=30, R=12):
        yield sizes, 1e-5


def inputs(kernel, sizes, rng):
    if kernel.endswith("1d"):
        full = np.iinfo(np.int32)  # products wrap
        return {name: rng.integers(full.min, full.max, sizes[size], np.int32) for name, size in (("x", "W"), ("w", "R"))}
    N, K, C, W, R = sizes.values()
    return {"x": rng.standard_normal((N, C, W)).astype(np.float32), "w": rng.standard_normal((K, C, R)).astype(np.float32)}


def correlate(signal, taps):
    if len(signal) == 0 or len(taps) == 0:
        return np.zeros_like(signal)
    return np.correlate(np.concatenate([signal, np.zeros(len(taps) - 1, signal.dtype)]), taps, "valid")


def reference(kernel, sizes, inputs):
    x, w = inputs["x"], inputs["w"]
    if kernel.endswith("1d"):
        return {"out": correlate(x.astype(np.int64), w.astype(np.int64)).astype(np.int32)}
    out = np.zeros((sizes["N"], sizes["K"], sizes["W"]))
    for n, k, c in np.ndindex(sizes["N"], sizes["K"], sizes["C"]):
        out[n, k] += correlate(x[n, c].astype(np.float64), w[k, c].astype(np.float64))
    return {"out": out.astype(np.float32)}
