"""NumPy reference for harris.atl. All operations are single ones in float32, so results must agree to the bit."""
import numpy as np
from common import grid, some_sizes

PICTURES = [("harris", {"img": "mountain.png"}, {}, 0), ("corners", {"img": "mountain.png"}, {"threshold": 0.01}, 0)]
f = np.float32


def cases():
    for kernel in ["harris", "corners"]:
        for sizes in grid(H=[1, 2, 3, 5, 17], W=[1, 2, 4, 33]):
            yield kernel, sizes, 0
        yield kernel, dict(H=0, W=4), "refused"


def schedule_cases(kernel):
    for sizes in [*grid(H=[0, 30, 31, 32], W=[0, 62, 63, 64]), *some_sizes(10, H=70, W=140)]:
        yield dict(H=sizes["H"] + 1, W=sizes["W"] + 1), 0


def inputs(kernel, sizes, rng):
    img = rng.integers(0, 256, (sizes["H"], sizes["W"]), np.uint8)
    return {"threshold": f(0.01), "img": img} if kernel == "corners" else {"img": img}


def weighted(a, b, c):
    return (a + f(2) * b + c) / f(8)


def window_sum(values, height, width):
    total = np.zeros((height, width), np.float32)
    for dy, dx in np.ndindex(3, 3):
        total = total + values[dy:dy + height, dx:dx + width]
    return total


def response(img):
    height, width = img.shape
    wide = np.pad(img, 2, mode="edge").astype(np.float32) / f(255)
    columns = weighted(wide[:-2], wide[1:-1], wide[2:])
    rows = weighted(wide[:, :-2], wide[:, 1:-1], wide[:, 2:])
    gx, gy = columns[:, 2:] - columns[:, :-2], rows[2:] - rows[:-2]
    sxx, syy, sxy = (window_sum(v, height, width) for v in (gx * gx, gy * gy, gx * gy))
    return sxx * syy - sxy * sxy - f(0.04) * ((sxx + syy) * (sxx + syy))


def neighbourhood_max(values):
    height, width = values.shape
    wide = np.pad(values, 2, mode="edge")
    return np.max([wide[dy:dy + height, dx:dx + width] for dy, dx in np.ndindex(5, 5)], axis=0)


def reference(kernel, sizes, inputs):
    img = inputs["img"]
    strength = response(img)
    if kernel == "harris":
        return {"out": strength}
    peak = (strength > f(inputs["threshold"])) & (strength >= neighbourhood_max(strength))
    return {"out": np.maximum(neighbourhood_max(np.where(peak, 255, 0)), img // 2).astype(np.uint8)}
