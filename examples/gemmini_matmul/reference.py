"""NumPy reference for gemmini_matmul.atl."""
import numpy as np

KERNELS = ["matmul", "padded", "matmul_relu", "matmul_wide", "dense", "two_layers", "residual", "residual_add"]
SHAPES = [(1, 1, 1), (7, 13, 5), (16, 16, 16), (17, 1, 33), (37, 50, 45)]


def dimensions(kernel, shape):
    return dict(zip("MN" if kernel == "residual_add" else "MNK", shape))


def cases():
    for kernel in KERNELS:
        for shape in SHAPES:
            yield kernel, dimensions(kernel, shape), 0


# Around the edges of tiles and of blocks of tiles.
def schedule_cases(kernel):
    for shape in [(15, 65, 64), (33, 100, 17), (64, 128, 80), (35, 192, 128), (16, 64, 1024), (2, 70, 1013), (20, 3, 1030), (70, 128, 1088)]:
        if kernel != "padded" or shape[2] <= 512:
            yield dimensions(kernel, shape), 0


def inputs(kernel, sizes, rng):
    m, n, k = (sizes.get(name, 1) for name in "MNK")
    given = {} if kernel == "matmul_wide" else {"scale": np.float32(rng.choice([0.5, 0.01, 1 / 256, 1.0, -0.25]))}
    bytes_of = lambda *shape: rng.integers(-128, 128, shape, dtype=np.int8)  # noqa: E731
    if kernel == "two_layers":
        return {"A": bytes_of(m, k), "B": bytes_of(k, 64), "bias": rng.integers(-5000, 5000, 64, dtype=np.int32), "C": bytes_of(64, n), **given}
    scale = lambda: np.float32(rng.choice([0.5, 0.01, 1.0, 3.0, -0.75]))  # noqa: E731
    if kernel == "residual_add":
        return {"x": bytes_of(m, n), "skip": bytes_of(m, n), "x_scale": scale(), "skip_scale": scale(), **given}
    if kernel == "residual":
        given = {"skip": bytes_of(m, n), "skip_scale": scale(), **given}
    bias = {"bias": rng.integers(-5000, 5000, n, dtype=np.int32)} if kernel in ("dense", "residual") else {}
    rows = -(-k // 16) * 16 if kernel == "padded" else k
    return {"A": bytes_of(m, k), "B": bytes_of(rows, n), **bias, **given}


def reference(kernel, sizes, inputs):
    if kernel == "residual_add":
        sums = scaled(inputs["x"], inputs["x_scale"]).astype(np.int32) + scaled(inputs["skip"], inputs["skip_scale"])
        return {"out": scaled(np.maximum(sums, 0), inputs["scale"])}
    sums = inputs["A"].astype(np.int32) @ inputs["B"][:sizes["K"]].astype(np.int32)
    if kernel == "matmul_wide":
        return {"out": sums}
    if kernel == "two_layers":
        hidden = scaled(np.maximum(sums + inputs["bias"], 0), inputs["scale"])
        return {"out": scaled(hidden.astype(np.int32) @ inputs["C"].astype(np.int32), inputs["scale"])}
    if kernel in ("dense", "residual"):
        sums = sums + inputs["bias"]
    if kernel == "residual":
        sums = sums + scaled(inputs["skip"], inputs["skip_scale"])
    if kernel in ("matmul_relu", "dense", "residual"):
        sums = np.maximum(sums, 0)
    return {"out": scaled(sums, inputs["scale"])}


def scaled(sums, scale):
    return np.clip(np.rint(sums.astype(np.float32) * np.float32(scale)), -128, 127).astype(np.int8)
