"""NumPy reference for blur.atl."""
import numpy as np
from common import edges, grid, some_sizes

PICTURES = [("two_stage_u8", {"img": "mountain.png"}, {}, 0), ("box", {"img": "mountain.png"}, {"R": 6}, 0)]


def cases():
    for kernel in ["fused_u8", "two_stage_u8", "fused_u16", "two_stage_u16"]:
        for sizes in grid(H=[0, 1, 2, 3, 17, 33], W=[0, 1, 2, 3, 16, 31]):
            yield kernel, sizes, 0
    for kernel in ["fused_f32", "two_stage_f32", "sum_f32"]:
        for sizes in grid(N=[0, 1, 2, 17], M=[0, 1, 3, 33]):
            yield kernel, sizes, 1e-6
    for sizes in grid(H=[0, 1, 2, 19], W=[0, 1, 3, 16], R=[0, 1, 5]):
        yield "box", sizes, 0
    yield "box", dict(H=3, W=3, R=501), "refused"


def schedule_cases(kernel):
    rows, columns = ("H", "W") if kernel.endswith("u8") else ("N", "M")
    for sizes in [*grid(**{rows: edges(8, 16, 32), columns: edges(8, 32, 64)}), *some_sizes(10, **{rows: 70, columns: 140})]:
        yield sizes, 1e-5 if kernel.endswith("f32") else 0


def inputs(kernel, sizes, rng):
    if kernel == "sum_f32":
        return {"img": rng.random((sizes["N"], sizes["M"]), np.float32)}
    if kernel.endswith("f32"):
        return {"img": rng.random((sizes["N"] + 2, sizes["M"] + 2), np.float32)}
    elem = np.uint16 if kernel.endswith("u16") else np.uint8
    return {"img": rng.integers(0, np.iinfo(elem).max + 1, (sizes["H"], sizes["W"]), elem)}


def window_sums(img, radius):
    """Sums over square windows; the picture is continued by its nearest pixels."""
    if img.size == 0:
        return img
    for axis in (0, 1):
        pad = [(radius, radius) if axis == at else (0, 0) for at in (0, 1)]
        wide = np.pad(img, pad, mode="edge")
        length = img.shape[axis]
        img = sum(np.take(wide, range(d, d + length), axis) for d in range(2 * radius + 1))
    return img


def reference(kernel, sizes, inputs):
    img = inputs["img"]
    if kernel.endswith("f32"):
        n, m = sizes["N"], sizes["M"]
        if kernel == "sum_f32":
            img = np.pad(img, 1)
        total = sum(img[dy:dy + n, dx:dx + m].astype(np.float64) for dy in range(3) for dx in range(3))
        return {"out": (total if kernel == "sum_f32" else total / 9).astype(np.float32)}
    radius = sizes.get("R", 1)
    area = (2 * radius + 1) ** 2
    return {"out": ((window_sums(img.astype(np.int64), radius) + area // 2) // area).astype(img.dtype)}
