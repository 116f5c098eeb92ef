"""NumPy reference for histogram.atl."""
import numpy as np
from common import grid

PICTURES = [("equalise", {"img": "mountain.png"}, {}, 0)]
REFUSED = {"histogram_equalisation_refused.atl": ["E1007", "E1007"]}


def cases():
    for kernel in ["histogram", "cumulative", "equalise"]:
        for sizes in grid(H=[0, 1, 2, 7, 31], W=[0, 1, 3, 16, 65]):
            yield kernel, sizes, 0


def inputs(kernel, sizes, rng):
    low = int(rng.integers(0, 100))
    high = int(rng.integers(low + 1, 257))
    return {"img": rng.integers(low, high, (sizes["H"], sizes["W"]), np.uint8)}


def reference(kernel, sizes, inputs):
    img = inputs["img"]
    counts = np.bincount(img.ravel(), minlength=256)
    below = np.cumsum(counts)
    if kernel == "histogram":
        return {"out": counts.astype(np.uint32)}
    if kernel == "cumulative":
        return {"out": below.astype(np.uint32)}
    if img.size == 0:
        return {"out": img}
    darkest = below[below > 0].min()
    span = max(below[255] - darkest, 1)
    table = np.where(below > 0, ((below - darkest) * 255 + span // 2) // span, 0)
    return {"out": table[img].astype(np.uint8)}
