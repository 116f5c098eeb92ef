"""NumPy reference for sgemm.atl."""
import numpy as np

KERNELS = ["sgemm", "sgemm_at", "dgemm"]
TOLERANCE = 1e-4
SHAPES = [(0, 3, 2), (3, 0, 2), (3, 2, 0), (1, 1, 1), (7, 13, 5), (24, 24, 24), (31, 97, 40)]


def dimensions(shape):
    return dict(zip("MNK", shape))


def cases():
    for kernel in KERNELS:
        for shape in SHAPES:
            yield kernel, dimensions(shape), TOLERANCE


# Around the edges of all tiles: rows by 24, 12, 6 ... 1, columns by 64, 32, 16.
def schedule_cases(kernel):
    for shape in [(6, 64, 8), (5, 65, 9), (25, 80, 3), (15, 70, 5), (47, 111, 17), (13, 15, 30), (9, 16, 16), (4, 1, 2), (24, 200, 1), (2, 33, 300), (1, 300, 20), (30, 720, 11), (41, 5, 67), (32, 8, 64), (5, 600, 300), (23, 530, 257)]:
        yield dimensions(shape), TOLERANCE


def inputs(kernel, sizes, rng):
    m, n, k = (sizes[name] for name in "MNK")
    kind = np.float64 if kernel == "dgemm" else np.float32
    a = rng.standard_normal((k, m) if kernel == "sgemm_at" else (m, k)).astype(kind)
    return {"A": a, "B": rng.standard_normal((k, n)).astype(kind)}


def reference(kernel, sizes, inputs):
    a = inputs["A"].T if kernel == "sgemm_at" else inputs["A"]
    return {"out": (a.astype(np.float64) @ inputs["B"].astype(np.float64)).astype(a.dtype)}
