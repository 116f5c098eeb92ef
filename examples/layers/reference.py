"""NumPy reference for layers.atl: one product per position of the window."""
import numpy as np

TOLERANCE = 1e-4
SMALL = [(1, 2, 3, 4, 5), (2, 1, 1, 1, 1), (0, 2, 2, 2, 2), (1, 0, 3, 2, 2), (1, 2, 0, 2, 3), (1, 2, 2, 0, 2), (1, 2, 2, 2, 0), (1, 5, 33, 7, 50)]


def dimensions(kernel, n, h, w, c, k, r=3, s=3):
    sizes = dict(N=n, H=h, W=w, C=c, K=k)
    return sizes if kernel == "separable" else sizes | dict(R=r, S=s)


def cases():
    for kernel in ["conv", "conv_same", "conv_strided", "separable"]:
        for shape in SMALL:
            yield kernel, dimensions(kernel, *shape), TOLERANCE
    for kernel in ["conv", "conv_same"]:
        yield kernel, dimensions(kernel, 1, 3, 4, 2, 3, 1, 1), TOLERANCE
    yield "conv_same", dimensions("conv_same", 1, 1, 2, 2, 3, 4, 5), TOLERANCE
    yield "conv", dimensions("conv", 1, 2, 3, 2, 3, 2, 5), TOLERANCE
    yield "conv", dimensions("conv", 1, 2, 3, 2, 3, 0, 5), "refused"


# Around the edges of the tiles: pixels by 24, 14, 10, 8, 7, 5, 3, 2; channels by 32 and 16.
def schedule_cases(kernel):
    for w in [1, 9, 10, 13, 14, 20, 24, 35, 53]:
        for k in [15, 16, 31, 33, 80]:
            yield dimensions(kernel, 1, 2, w, 1 + (w + k) % 19, k), TOLERANCE
    yield dimensions(kernel, 2, 3, 30, 32, 64), TOLERANCE


def inputs(kernel, sizes, rng):
    n, h, w, c, k = (sizes[name] for name in "NHWCK")
    r, s = (3, 3) if kernel == "separable" else (sizes["R"], sizes["S"])
    picture = {"conv_same": (h, w), "conv_strided": (2 * h + r - 2, 2 * w + s - 2)}.get(kernel, (h + r - 1, w + s - 1))
    shapes = {"x": (n, *picture, c), "w": (r, s, c, k), "bias": (k,)}
    if kernel == "separable":
        shapes = {"x": shapes["x"], "d": (3, 3, c), "w": (c, k), "bias": (k,)}
    return {name: rng.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}


def windows(x, r, s, h, w, stride):
    return x[:, r:r + stride * h:stride, s:s + stride * w:stride][:, :h, :w].astype(np.float64)


def reference(kernel, sizes, inputs):
    n, h, w, c, k = (sizes[name] for name in "NHWCK")
    x, stride = inputs["x"], 2 if kernel == "conv_strided" else 1
    if kernel == "separable":
        depth = sum((windows(x, r, s, h, w, 1) * inputs["d"][r, s] for r, s in np.ndindex(3, 3)), np.zeros((n, h, w, c)))
        total = depth @ inputs["w"]
    else:
        R, S = sizes["R"], sizes["S"]
        if kernel == "conv_same":
            before, after = (R // 2, S // 2), (R - 1 - R // 2, S - 1 - S // 2)
            x = np.pad(x, ((0, 0), (before[0], after[0]), (before[1], after[1]), (0, 0)))
        total = sum((windows(x, r, s, h, w, stride) @ inputs["w"][r, s] for r, s in np.ndindex(R, S)), np.zeros((n, h, w, k)))
    return {"out": np.maximum(total + inputs["bias"], 0).astype(np.float32)}
