"""NumPy reference for dot.atl."""
import numpy as np

ELEMS = {"dot": np.float32, "dot_f64": np.float32, "axpy": np.float32, "dot_i32": np.int32, "running": np.int64, "reversed": np.uint8}
TOLERANCES = {"dot": 1e-4, "dot_f64": 1e-12}


def cases():
    for kernel in ELEMS:
        for n in [0, 1, 2, 7, 8, 9, 1000]:
            yield kernel, dict(N=n), TOLERANCES.get(kernel, 0)


def inputs(kernel, sizes, rng):
    elem, n = ELEMS[kernel], sizes["N"]
    if elem == np.float32:
        values = {name: rng.standard_normal(n).astype(elem) for name in "xy"}
        return {"a": np.float32(rng.standard_normal()), **values} if kernel == "axpy" else values
    limits = np.iinfo(elem)
    return {name: rng.integers(limits.min, limits.max, n, elem) for name in ("xy" if kernel == "dot_i32" else "x")}


def reference(kernel, sizes, inputs):
    x, y = inputs["x"], inputs.get("y")
    if kernel == "dot":
        return {"out": np.float32(x.astype(np.float64) @ y.astype(np.float64))}
    if kernel == "dot_f64":
        return {"out": np.float64(x.astype(np.float64) @ y.astype(np.float64))}
    if kernel == "axpy":
        return {"out": inputs["a"] * x + y}
    if kernel == "dot_i32":
        return {"wrapped": (x * y).sum(dtype=np.int32), "wide": (x.astype(np.int64) * y).sum(dtype=np.int64)}
    return {"out": np.cumsum(x, dtype=np.int64) if kernel == "running" else x[::-1].copy()}
