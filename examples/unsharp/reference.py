"""NumPy reference for unsharp.atl. All operations are single ones in float32, so results must agree to the bit."""
import numpy as np
from common import edges, grid, some_sizes

PICTURES = [("unsharp", {"img": "mountain.png"}, {"amount": 1.5}, 0),
            ("unsharp_colour", {"img": "dandelion.png"}, {"amount": 2.0}, 0)]


def cases():
    for sizes in grid(H=[0, 1, 2, 3, 5, 17], W=[0, 1, 2, 4, 33]):
        yield "unsharp", sizes, 0
    for sizes in grid(H=[0, 1, 3, 6], W=[0, 1, 2, 9], C=[0, 1, 3, 4]):
        yield "unsharp_colour", sizes, 0


def schedule_cases(kernel):
    for sizes in [*grid(H=edges(32), W=edges(64)), *some_sizes(10, H=70, W=140)]:
        yield sizes, 0


def inputs(kernel, sizes, rng):
    return {"amount": np.float32(rng.random() * 3), "img": rng.integers(0, 256, tuple(sizes.values()), np.uint8)}


def binomial(values, axis):
    length = values.shape[axis]
    a, b, c, d, e = (np.take(values, np.clip(np.arange(length) + shift, 0, length - 1), axis) for shift in range(-2, 3))
    f = np.float32
    return (a + f(4) * b + f(6) * c + f(4) * d + e) / f(16)


def reference(kernel, sizes, inputs):
    img = inputs["img"]
    if img.size == 0:
        return {"out": img}
    v = img.astype(np.float32)
    smooth = binomial(binomial(v, 1), 0)
    sharp = v + np.float32(inputs["amount"]) * (v - smooth) + np.float32(0.5)
    return {"out": np.clip(sharp, 0, 255).astype(np.uint8)}
