"""NumPy reference for tensor_add.atl."""
import numpy as np
from common import grid, some_sizes


def cases():
    for sizes in grid(A=[0, 1, 3], B=[0, 1, 4], C=[0, 1, 2], D=[0, 1, 5, 17]):
        yield "add", sizes, 0
    for kernel in ["add_split", "add_limited"]:
        for sizes in grid(A=[0, 1, 3], B=[1, 2, 5], C=[1, 4], D=[1, 7, 16]):
            yield kernel, sizes, 0
        yield kernel, dict(A=2, B=0, C=2, D=2), "refused"
        yield kernel, dict(A=32769, B=1, C=1, D=1), "refused"


def schedule_cases(kernel):
    for sizes in some_sizes(10, A=5, B=4, C=6, D=9):
        yield {name: size + 1 for name, size in sizes.items()}, 0


def inputs(kernel, sizes, rng):
    shape = tuple(sizes.values())
    return {name: rng.standard_normal(shape).astype(np.float32) for name in ("x", "y")}


def reference(kernel, sizes, inputs):
    return {"out": inputs["x"] + inputs["y"]}
