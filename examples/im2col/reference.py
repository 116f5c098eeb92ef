"""NumPy reference for im2col.atl: one shifted product per tap."""
import numpy as np
from common import grid, some_sizes


def cases():
    for kernel in ["direct", "lifted", "as_matmul"]:
        for sizes in grid(N=[0, 1, 2], K=[1, 3], C=[0, 1, 2], W=[0, 1, 4, 9], R=[0, 1, 3, 5]):
            yield kernel, sizes, 1e-5
        yield kernel, dict(N=2, K=0, C=2, W=5, R=3), 1e-5
        yield kernel, dict(N=2, K=17, C=15, W=65, R=7), 1e-5
    for sizes in grid(N=[0, 1, 2, 3, 5, 20], M=[0, 1, 2, 3, 5, 20]):
        yield "delay", sizes, 0


def schedule_cases(kernel):
    if kernel == "direct":
        for sizes in some_sizes(10, N=3, K=4, C=4, W=30, R=12):
            yield sizes, 1e-5


def inputs(kernel, sizes, rng):
    if kernel == "delay":
        return {"c": rng.standard_normal(sizes["M"]).astype(np.float32)}
    N, K, C, W, R = sizes.values()
    return {"x": rng.standard_normal((N, C, W)).astype(np.float32), "w": rng.standard_normal((K, C, R)).astype(np.float32)}


def reference(kernel, sizes, inputs):
    if kernel == "delay":
        delayed = np.concatenate([np.zeros(2, np.float32), inputs["c"], np.zeros(sizes["N"], np.float32)])
        return {"out": delayed[:sizes["N"]]}
    N, K, C, W, R = sizes.values()
    out = np.zeros((N, K, W))
    for r in range(min(R, W)):
        out[:, :, :W - r] += np.einsum("kc,ncp->nkp", inputs["w"][:, :, r].astype(np.float64), inputs["x"][:, :, r:])
    return {"out": out.astype(np.float32)}
