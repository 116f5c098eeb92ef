"""NumPy reference for gemmini_matmul.atl."""
import numpy as np

KERNELS = ["matmul", "matmul_relu", "matmul_wide", "dense", "two_layers"]
SHAPES = [(1, 1, 1), (7, 13, 5), (16, 16, 16), (17, 1, 33), (37, 50, 45)]


def dimensions(shape):
    return dict(zip("MNK", shape))


def cases():
    for kernel in KERNELS:
        for shape in SHAPES:
            yield kernel, dimensions(shape), 0


# Around the edges of tiles and of blocks of tiles.
def schedule_cases(kernel):
    for shape in [(15, 65, 64), (33, 100, 17), (64, 128, 80), (35, 192, 128), (16, 64, 1024), (2, 70, 1013), (20, 3, 1030)]:
        yield dimensions(shape), 0


def inputs(kernel, sizes, rng):
    m, n, k = (sizes[name] for name in "MNK")
    given = {} if kernel == "matmul_wide" else {"scale": np.float32(rng.choice([0.5, 0.01, 1 / 256, 1.0, -0.25]))}
    bytes_of = lambda *shape: rng.integers(-128, 128, shape, dtype=np.int8)  # noqa: E731
    if kernel == "two_layers":
        return {"A": bytes_of(m, k), "B": bytes_of(k, 64), "bias": rng.integers(-5000, 5000, 64, dtype=np.int32), "C": bytes_of(64, n), **given}
    bias = {"bias": rng.integers(-5000, 5000, n, dtype=np.int32)} if kernel == "dense" else {}
    return {"A": bytes_of(m, k), "B": bytes_of(k, n), **bias, **given}


def reference(kernel, sizes, inputs):
    sums = inputs["A"].astype(np.int32) @ inputs["B"].astype(np.int32)
    if kernel == "matmul_wide":
        return {"out": sums}
    if kernel == "two_layers":
        hidden = scaled(np.maximum(sums + inputs["bias"], 0), inputs["scale"])
        return {"out": scaled(hidden.astype(np.int32) @ inputs["C"].astype(np.int32), inputs["scale"])}
    if kernel == "dense":
        sums = sums + inputs["bias"]
    if kernel in ("matmul_relu", "dense"):
        sums = np.maximum(sums, 0)
    return {"out": scaled(sums, inputs["scale"])}


def scaled(sums, scale):
    return np.clip(np.rint(sums.astype(np.float32) * np.float32(scale)), -128, 127).astype(np.int8)
