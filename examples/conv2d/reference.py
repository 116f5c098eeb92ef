"""NumPy reference for conv2d.atl: one einsum per position of the window."""
import numpy as np
from common import edges, grid, some_sizes


def cases():
    windows = [dict(H=5, W=6, R=3, S=3), dict(H=1, W=1, R=1, S=1), dict(H=3, W=2, R=3, S=2), dict(H=8, W=7, R=2, S=5)]
    for kernel, tolerance in [("conv2d", 1e-5), ("conv2d_same", 1e-5), ("conv2d_strided", 1e-5), ("conv2d_i8", 0)]:
        for batch in grid(N=[0, 1, 2], C=[0, 1, 3], K=[0, 1, 4]):
            for window in windows:
                yield kernel, sized(**batch, **window), tolerance
        yield kernel, sized(N=1, C=8, H=15, W=17, K=9, R=3, S=3), tolerance
    for window in grid(H=[0, 1, 2], W=[0, 3], R=[0, 1, 2], S=[0, 1, 4]):
        yield "conv2d_same", sized(N=1, C=2, K=2, **window), 1e-5
    for kernel in ["conv2d", "conv2d_strided", "conv2d_i8"]:
        yield kernel, sized(N=1, C=1, H=2, W=5, K=1, R=3, S=3), "refused"


def schedule_cases(kernel):
    tolerance = 0 if kernel == "conv2d_i8" else 1e-5
    for sizes in grid(C=edges(4), K=edges(8), P=[1, 3, 4, 5], Q=[1, 15, 16, 17]):
        yield sized(2, sizes["C"], sizes["P"] + 2, sizes["Q"] + 1, sizes["K"], 3, 2), tolerance
    for sizes in some_sizes(10, N=2, C=6, H=8, W=20, K=10, R=3, S=3):
        yield sized(**{**sizes, "H": sizes["H"] + sizes["R"] + 1, "W": sizes["W"] + sizes["S"] + 1, "R": sizes["R"] + 1,
                       "S": sizes["S"] + 1}), tolerance


def sized(N, C, H, W, K, R, S):
    return dict(N=N, C=C, H=H, W=W, K=K, R=R, S=S)


def inputs(kernel, sizes, rng):
    N, C, H, W, K, R, S = sizes.values()
    if kernel == "conv2d_i8":
        return {"scale": np.int32(rng.integers(1, 4000)), "x": rng.integers(-128, 128, (N, C, H, W), np.int8),
                "w": rng.integers(-128, 128, (K, C, R, S), np.int8), "bias": rng.integers(-9999, 9999, K, np.int32)}
    shapes = {"x": (N, C, H, W), "w": (K, C, R, S), "bias": (K,)}
    return {name: rng.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}


def convolve(x, w, stride):
    """All whole windows of x (batch, channel, row, column), `stride` apart."""
    R, S = w.shape[2:]
    height, width = (x.shape[2] - R) // stride + 1, (x.shape[3] - S) // stride + 1
    out = np.zeros((x.shape[0], w.shape[0], height, width), x.dtype)
    for r, s in np.ndindex(R, S):
        part = x[:, :, r:r + stride * height:stride, s:s + stride * width:stride][:, :, :height, :width]
        out += np.einsum("ncpq,kc->nkpq", part, w[:, :, r, s])
    return out


def reference(kernel, sizes, inputs):
    x, w, bias = inputs["x"], inputs["w"], inputs["bias"][:, None, None]
    if kernel == "conv2d_i8":
        total = convolve(x.astype(np.int64), w.astype(np.int64), 1) + bias
        return {"out": np.clip((total * int(inputs["scale"]) + 32768) // 65536, 0, 127).astype(np.int8)}
    x, w = x.astype(np.float64), w.astype(np.float64)
    if kernel == "conv2d_same":
        R, S = w.shape[2:]
        x = np.pad(x, ((0, 0), (0, 0), (R // 2, R), (S // 2, S)))
        total = convolve(x, w, 1)[:, :, :sizes["H"], :sizes["W"]]
    else:
        total = convolve(x, w, 2 if kernel == "conv2d_strided" else 1)
    return {"out": np.maximum(total + bias, 0).astype(np.float32)}
