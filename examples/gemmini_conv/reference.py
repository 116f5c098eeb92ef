"""NumPy reference for gemmini_conv.atl."""
import numpy as np

KERNELS = ["conv3x3", "conv3x3_by2", "conv1x1", "conv1x1_by2", "conv3x3_pooled"]
SHAPES = [(1, 1, 1, 1, 1), (2, 7, 9, 3, 5), (1, 5, 17, 16, 16), (1, 4, 33, 17, 20)]


def dimensions(shape):
    return dict(zip("BHWCF", shape))


def two_layers(shape, channels):
    return dict(zip("BHWECF", (*shape[:3], channels, *shape[3:])))


def cases():
    for kernel in KERNELS:
        for shape in SHAPES:
            yield kernel, dimensions(shape), 0
    for shape in SHAPES:
        yield "conv1x1_3x3", two_layers(shape, shape[3] + 2), 0
    yield "pooled", dict(zip("BHWC", (2, 5, 6, 3))), 0
    yield "pooled", dict(zip("BHWC", (1, 1, 4, 2))), 0


# Around the edges of tiles, and each number of channels for which the schedules differ.
def schedule_cases(kernel):
    if kernel == "conv1x1_3x3":
        for shape in [(1, 2, 17, 64, 64), (1, 3, 15, 192, 64), (1, 2, 15, 65, 33), (2, 7, 7, 256, 128)]:
            yield two_layers(shape, 128), 0
        yield two_layers((1, 1, 2, 520, 3), 520), 0
        return
    many = 520 if kernel.startswith("conv3x3") else 1025
    for shape in [(1, 2, 17, 128, 64), (1, 3, 15, 192, 64), (1, 2, 15, 65, 33), (1, 1, 2, many, 3)]:
        yield dimensions(shape), 0


def random_sizes(kernel, random):
    edge = lambda most: random.choice([n for n in (1, 15, 16, 17, 33, 64, 100) if n <= most] + [random.randint(1, most)])  # noqa: E731
    shape = random.randint(1, 2), random.randint(1, 5), edge(100), edge(100), edge(100)
    return two_layers(shape, edge(100)) if kernel == "conv1x1_3x3" else dimensions(shape)


def inputs(kernel, sizes, rng):
    b, h, w, c = (sizes[name] for name in "BHWC")
    bytes_of = lambda *shape: rng.integers(-128, 128, shape, dtype=np.int8)  # noqa: E731
    image = {"x": bytes_of(b, h, w, c)}
    if kernel == "conv1x1_3x3":
        first = inputs("conv1x1", {**sizes, "C": sizes["E"], "F": c}, rng)
        second = inputs("conv3x3", sizes, rng)
        del second["x"]
        return {"image": first["x"], "z": first["w"], "bias1": first["bias"], "scale1": first["scale"], **second}
    if kernel == "pooled":
        return image
    window = (3, 3) if kernel.startswith("conv3x3") else ()
    return {**image, "w": bytes_of(*window, c, sizes["F"]), "bias": rng.integers(-5000, 5000, sizes["F"], dtype=np.int32),
            "scale": np.float32(rng.choice([0.5, 0.01, 1 / 256, -0.25]))}


def pooled(x):
    h, w = x.shape[1] // 2 * 2, x.shape[2] // 2 * 2
    return np.maximum.reduce([x[:, r:h:2, s:w:2] for r in range(2) for s in range(2)])


def reference(kernel, sizes, inputs):
    if kernel == "pooled":
        return {"out": pooled(inputs["x"])}
    if kernel == "conv1x1_3x3":
        first = {"x": inputs["image"], "w": inputs["z"], "bias": inputs["bias1"], "scale": inputs["scale1"]}
        return reference("conv3x3", sizes, {**inputs, "x": reference("conv1x1", sizes, first)["out"]})
    x = inputs["x"].astype(np.int32)
    step = 2 if kernel.endswith("by2") else 1
    w = inputs["w"].astype(np.int32)
    if kernel.startswith("conv1x1"):
        sums = x[:, ::step, ::step] @ w
    else:
        padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
        h, width = sizes["H"], sizes["W"]
        sums = sum(padded[:, r:r + h:step, s:s + width:step] @ w[r, s] for r in range(3) for s in range(3))
    sums = np.maximum(sums + inputs["bias"], 0)
    out = np.clip(np.rint(sums.astype(np.float32) * inputs["scale"]), -128, 127).astype(np.int8)
    return {"out": pooled(out) if kernel.endswith("pooled") else out}
