"""The NumPy side of scripts/demo: makes its matrices, and compares its results with NumPy's.

    demo_check.py pictures PHOTOGRAPH FOLDER | make-matrices FOLDER | matrices FOLDER | times FOLDER
"""
import statistics
import sys
import time
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))

from library import Library  # noqa: E402
from png import read_png  # noqa: E402

ROWS, COLUMNS, INNER = 397, 305, 211


def require(condition, text):
    require_quietly(condition, text)
    print(text)


def box_mean(picture, radius):
    """Means over squares, rounded to the nearest; the picture is continued by its nearest pixels."""
    total = np.pad(picture.astype(np.int64), radius, mode="edge")
    for axis in (0, 1):
        length = picture.shape[axis]
        total = sum(np.take(total, range(d, d + length), axis) for d in range(2 * radius + 1))
    area = (2 * radius + 1) ** 2
    return ((total + area // 2) // area).astype(np.uint8)


def pictures(photograph, folder):
    picture = read_png(photograph)
    height, width = picture.shape
    for name, radius in (("blurred.png", 1), ("very_blurred.png", 12)):
        require(np.array_equal(read_png(folder / name), box_mean(picture, radius)), f"{name}: {height} x {width} pixels, as NumPy has them")
    blurred = np.zeros_like(picture)
    code = Library((folder / "blur/libblur.so").resolve()).call("two_stage_u8", {"H": height, "W": width}, {"img": picture}, {"out": blurred})
    require(code == 0 and np.array_equal(blurred, read_png(folder / "blurred.png")), "libblur.so, called from Python: the same bytes")


def make_matrices(folder):
    random = np.random.default_rng(1)
    np.save(folder / "A.npy", random.standard_normal((ROWS, INNER)).astype(np.float32))
    np.save(folder / "B.npy", random.standard_normal((INNER, COLUMNS)).astype(np.float32))
    print(f"A.npy: {ROWS} x {INNER}, B.npy: {INNER} x {COLUMNS}")


def matrices(folder):
    a, b, c = (np.load(folder / f"{name}.npy") for name in "ABC")
    exact = a.astype(np.float64) @ b.astype(np.float64)
    error = np.abs(c - exact).max()
    require(c.shape == (ROWS, COLUMNS) and c.dtype == np.float32, f"C.npy: {c.shape[0]} x {c.shape[1]}, {c.dtype}")
    require(error < 1e-4, f"largest difference from NumPy in float64: {error:.1e}")


def harris(img):
    """Of three planes, each larger than the result by 4 lines and columns."""
    def sobel(a):  # across the lines
        return ((a[2:, :-2] - a[:-2, :-2]) + 2 * (a[2:, 1:-1] - a[:-2, 1:-1]) + (a[2:, 2:] - a[:-2, 2:])) / np.float32(12)

    def around(a):
        rows = a[:-2] + a[1:-1] + a[2:]
        return rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]

    gray = np.float32(0.299) * img[0] + np.float32(0.587) * img[1] + np.float32(0.114) * img[2]
    gy, gx = sobel(gray), sobel(gray.T).T
    xx, yy, xy = around(gx * gx), around(gy * gy), around(gx * gy)
    return xx * yy - xy * xy - np.float32(0.04) * (xx + yy) ** 2


def milliseconds(run):
    seconds = []
    for _ in range(7):
        begin = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - begin)
    return 1000 * statistics.median(seconds)


def compared(name, library, kernel, sizes, inputs, shape, by_numpy):
    out = np.zeros(shape, np.float32)
    code = Library(library.resolve())

    def call():
        require_quietly(code.call(kernel, sizes, inputs, {"out": out}) == 0, f"{kernel} returns an error")

    ours, theirs = milliseconds(call), milliseconds(by_numpy)
    error = np.abs(out - by_numpy()).max()
    require(error < 1e-2, f"{name}: {ours:.2f} ms, NumPy {theirs:.2f} ms; largest difference {error:.1e}")


def require_quietly(condition, text):
    if not condition:
        sys.exit(f"FAILED: {text}")


def times(folder):
    random = np.random.default_rng(1)
    a, b = (random.standard_normal((512, 512)).astype(np.float32) for _ in "ab")
    compared("product of matrices, 512 x 512", folder / "matmul/libmatmul.so", "matmul", {"M": 512, "N": 512, "K": 512},
             {"A": a, "B": b}, (512, 512), lambda: a @ b)
    img = random.uniform(0.1, 1, (3, 1084, 1924)).astype(np.float32)
    compared("corners of a picture, 1920 x 1080", folder / "pipelines/libpipelines.so", "harris", {"H": 1080, "W": 1920},
             {"img": img}, (1080, 1920), lambda: harris(img))


def main():
    match sys.argv[1:]:
        case ["pictures", photograph, folder]:
            pictures(photograph, Path(folder))
        case ["make-matrices", folder]:
            make_matrices(Path(folder))
        case ["matrices", folder]:
            matrices(Path(folder))
        case ["times", folder]:
            times(Path(folder))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
