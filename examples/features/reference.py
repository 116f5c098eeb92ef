"""NumPy reference for features.atl."""
import numpy as np
from common import grid

VECTOR_KERNELS = ["summary", "band", "backwards", "interleave", "narrow"]


def cases():
    for n in [1, 2, 7, 100]:
        yield "normalise", dict(N=n), 1e-4
    for sizes in grid(N=[0, 1, 3], M=[1, 2, 9]):
        yield "normalise_rows", sizes, 1e-4
    yield "normalise", dict(N=0), "refused"
    for kernel in VECTOR_KERNELS:
        for n in [0, 1, 2, 3, 4, 5, 8, 17, 100]:
            yield kernel, dict(N=n), 0
    for sizes in grid(N=[0, 1, 4], M=[0, 1, 5]):
        yield "frame", sizes, 0


def inputs(kernel, sizes, rng):
    n = sizes["N"]
    if kernel.startswith("normalise"):
        return {"x": (3 + rng.standard_normal(tuple(sizes.values()))).astype(np.float32)}
    if kernel == "frame":
        return {"x": rng.integers(0, 256, (n, sizes["M"]), np.uint8)}
    if kernel == "summary":
        return {"x": rng.integers(-2000, 2000, n, np.int16)}
    vector = rng.integers(-1000, 1000, n, np.int32)
    if kernel == "band":
        return {"A": rng.integers(-1000, 1000, (n, 5), np.int32), "x": vector}
    if kernel == "interleave":
        return {"x": vector, "y": rng.integers(-1000, 1000, n, np.int32)}
    if kernel == "narrow":
        return {"x": vector, "v": (150 * rng.standard_normal(n)).astype(np.float32)}
    return {"x": vector}


def product(values):
    """The product of integers, wrapped to 64 bits."""
    exact = 1
    for value in values:
        exact *= int(value)
    return np.int64((exact + 2**63) % 2**64 - 2**63)


def summary(x):
    tame = np.clip(x, -1000, 1000)
    smallest = tame.min(initial=np.iinfo(np.int16).max)
    return {"clipped": tame, "signs": np.sign(tame).sum(dtype=np.int16), "largest": tame.max(initial=np.iinfo(np.int16).min),
            "smallest": smallest, "any_negative": np.bool_(smallest < 0), "product": product(tame)}


def band(A, x):
    dense = np.zeros((len(x), len(x)), np.int64)
    for i, d in np.ndindex(len(x), 5):
        if 0 <= i + d - 2 < len(x):
            dense[i, i + d - 2] = A[i, d]
    return (dense @ x).astype(np.int32)


def reference(kernel, sizes, inputs):
    x = inputs["x"]
    if kernel.startswith("normalise"):
        wide = x.astype(np.float64)
        variance = wide.var(axis=-1, keepdims=True)
        return {"out": ((wide - wide.mean(axis=-1, keepdims=True)) / np.sqrt(variance + 1e-6)).astype(np.float32)}
    if kernel == "summary":
        return summary(x)
    if kernel == "band":
        return {"out": band(inputs["A"], x)}
    if kernel == "backwards":
        return {"out": x[::-1].copy()}
    if kernel == "frame":
        return {"out": np.pad(x, 1)}
    if kernel == "interleave":
        return {"out": np.stack([x, inputs["y"]], axis=1).ravel()}
    return {"wrapped": x.astype(np.uint8), "saturated": np.clip(x, 0, 255).astype(np.uint8),
            "whole": np.clip(np.trunc(inputs["v"]), -128, 127).astype(np.int8)}
