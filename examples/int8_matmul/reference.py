"""NumPy reference for int8_matmul.atl."""
import numpy as np

KERNELS = ["int8_matmul"]
SHAPES = [(0, 3, 2), (3, 0, 2), (3, 2, 0), (1, 1, 1), (7, 13, 5), (31, 97, 40)]


def dimensions(shape):
    return dict(zip("MNK", shape))


def cases():
    for kernel in KERNELS:
        for shape in SHAPES:
            yield kernel, dimensions(shape), 0


# Around the edges of all tiles, and of four products.
def schedule_cases(kernel):
    for shape in [(6, 64, 8), (5, 65, 9), (25, 80, 3), (47, 111, 17), (13, 15, 30), (24, 200, 1), (2, 33, 300), (1, 300, 20), (41, 5, 66), (29, 144, 131)]:
        yield dimensions(shape), 0


# With the extreme values, whose products overflow 16 bits.
def inputs(kernel, sizes, rng):
    m, n, k = (sizes[name] for name in "MNK")
    a = rng.integers(0, 256, (m, k), dtype=np.uint8)
    b = rng.integers(-128, 128, (k, n), dtype=np.int8)
    a[:, : k // 2] |= 0xF0
    b[: k // 3] = -128
    return {"A": a, "B": b}


def reference(kernel, sizes, inputs):
    return {"out": inputs["A"].astype(np.int32) @ inputs["B"].astype(np.int32)}
