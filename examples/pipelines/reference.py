"""NumPy reference for pipelines.atl."""
import numpy as np
from common import edges, grid, some_sizes

MORE = {"blur": 2, "unsharp": 6, "harris": 4, "stencil": 4, "stencils": 32}
WEIGHTS = [0.03599397, 0.10934005, 0.21296534, 0.26596154, 0.21296534, 0.10934005, 0.03599397]
TOLERANCE = {"unsharp": 1e-5, "harris": 1e-5}


def cases():
    for kernel in MORE:
        few = kernel == "stencils"
        for sizes in grid(H=[0, 1, 3] if few else [0, 1, 2, 7, 33], W=[0, 1, 5] if few else [0, 1, 3, 17, 40]):
            yield kernel, sizes, TOLERANCE.get(kernel, 0)


# Strips of 8 or 32 lines, vectors of 16 or 32 columns.
def schedule_cases(kernel):
    if kernel == "stencils":
        yield from ((dict(H=h, W=w), 0) for h, w in [(7, 31), (20, 65), (63, 28), (64, 32), (65, 4), (130, 36)])
        return
    for sizes in [*grid(H=edges(8, 32), W=edges(16, 32)), *some_sizes(8, H=80, W=150)]:
        yield sizes, TOLERANCE.get(kernel, 0)


def inputs(kernel, sizes, rng):
    shape = sizes["H"] + MORE[kernel], sizes["W"] + MORE[kernel]
    if kernel in TOLERANCE:
        return {"img": rng.uniform(0.1, 1, (3, *shape)).astype(np.float32)}
    return {"img": rng.integers(0, 2**16, shape, np.uint16)}


def stencil(img):
    """25 products for each pixel, modulo 2^16."""
    h, w = img.shape[0] - 4, img.shape[1] - 4
    return sum(np.uint16((i + 1) * (j + 1)) * img[j:j + h, i:i + w] for i in range(5) for j in range(5))


def sum3x3(a):
    h, w = a.shape[0] - 2, a.shape[1] - 2
    return sum(a[y:y + h, x:x + w] for y in range(3) for x in range(3))


def unsharp(img, gray, h, w):
    down = sum(weight * gray[k:k + h] for k, weight in enumerate(WEIGHTS))
    blurred = sum(weight * down[:, k:k + w] for k, weight in enumerate(WEIGHTS))
    centre = gray[3:3 + h, 3:3 + w]
    return (2 * centre - blurred) / centre * img[:, 3:3 + h, 3:3 + w]


def harris(gray, h, w):
    def sobel(a):  # across the lines
        return ((a[2:, :-2] - a[:-2, :-2]) + 2 * (a[2:, 1:-1] - a[:-2, 1:-1]) + (a[2:, 2:] - a[:-2, 2:])) / 12

    gy, gx = sobel(gray), sobel(gray.T).T
    xx, yy, xy = sum3x3(gx * gx), sum3x3(gy * gy), sum3x3(gx * gy)
    return xx * yy - xy * xy - 0.04 * (xx + yy) ** 2


def reference(kernel, sizes, inputs):
    img, h, w = inputs["img"], sizes["H"], sizes["W"]
    if kernel == "blur":
        rows = (img[:, :w] + img[:, 1:w + 1] + img[:, 2:w + 2]) // np.uint16(3)
        return {"out": (rows[:h] + rows[1:h + 1] + rows[2:h + 2]) // np.uint16(3)}
    if kernel in ("stencil", "stencils"):
        for _ in range(1 if kernel == "stencil" else 8):
            img = stencil(img)
        return {"out": img}
    img = img.astype(np.float64)
    gray = 0.299 * img[0] + 0.587 * img[1] + 0.114 * img[2]
    out = unsharp(img, gray, h, w) if kernel == "unsharp" else harris(gray, h, w)
    return {"out": out.astype(np.float32)}
