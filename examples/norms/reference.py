"""NumPy reference for norms.atl, in double precision."""
import numpy as np
from common import grid, some_sizes

POOLS = ["max_pool", "max_pool_u8"]
ROWS = {"softmax": 2e-6, "layer_norm": 1e-5}


def cases():
    for n in [0, 1, 15, 16, 17, 4000]:
        yield "exponential", dict(N=n), 3e-7
    for kernel, tolerance in ROWS.items():
        for sizes in grid(N=[0, 1, 3], M=[0, 1, 17, 100]):
            yield kernel, sizes, tolerance
    for kernel in POOLS:
        for sizes in grid(N=[0, 2], H=[1, 3], W=[2], C=[0, 1, 17], R=[2, 3], S=[2]):
            yield kernel, sizes, 0


# Around 16 and 64 elements.
def schedule_cases(kernel):
    if kernel == "exponential":
        for n in [31, 32, 33]:
            yield dict(N=n), 3e-7
    elif kernel in POOLS:
        for c in [15, 16, 63, 64, 65, 130]:
            yield dict(N=1, H=2, W=3, C=c, R=3, S=3), 0
    else:
        for m in [16, 63, 64, 65, 127, 128, 1000]:
            yield dict(N=2, M=m), ROWS[kernel]


def inputs(kernel, sizes, rng):
    if kernel == "exponential":
        x = (60 * rng.standard_normal(sizes["N"])).clip(-120, 88).astype(np.float32)
        special = np.array([0, -0.0, -np.inf, 1e-40, -104.5, -87.5, 88.5], np.float32)
        x[: len(special)] = special[: len(x)]
        return {"x": x}
    if kernel in POOLS:
        n, h, w, c, r, s = (sizes[name] for name in "NHWCRS")
        shape = (n, 2 * h + r - 2, 2 * w + s - 2, c)
        if kernel == "max_pool_u8":
            return {"x": rng.integers(0, 256, shape, dtype=np.uint8)}
        return {"x": rng.standard_normal(shape).astype(np.float32)}
    n, m = sizes["N"], sizes["M"]
    if kernel == "softmax":
        return {"x": (30 * rng.standard_normal((n, m))).astype(np.float32)}
    return {"x": (3 * rng.standard_normal((n, m)) + 1).astype(np.float32), "gamma": rng.standard_normal(m).astype(np.float32),
            "beta": rng.standard_normal(m).astype(np.float32), "epsilon": np.float32(1e-5)}


def windows(x, sizes):
    h, w = sizes["H"], sizes["W"]
    parts = [x[:, r : r + 2 * h : 2, s : s + 2 * w : 2] for r in range(sizes["R"]) for s in range(sizes["S"])]
    return np.maximum.reduce(parts)


def reference(kernel, sizes, inputs):
    if kernel in POOLS:
        return {"out": windows(inputs["x"], sizes)}
    x = inputs["x"].astype(np.float64)
    if kernel == "exponential":
        return {"out": np.exp(x).astype(np.float32)}
    if kernel == "softmax":
        e = np.exp(x - x.max(axis=1, keepdims=True, initial=-np.inf))
        return {"out": (e / e.sum(axis=1, keepdims=True)).astype(np.float32)}
    mean = x.sum(axis=1, keepdims=True) / max(sizes["M"], 1)
    variance = ((x - mean) ** 2).sum(axis=1, keepdims=True) / max(sizes["M"], 1)
    out = (x - mean) / np.sqrt(variance + inputs["epsilon"]) * inputs["gamma"] + inputs["beta"]
    return {"out": out.astype(np.float32)}
