"""Reads the PNG files that the examples need: 8 bits a channel, gray or colour, not interlaced."""
import struct
import zlib

import numpy as np


def chunks(data):
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("not a PNG file")
    at = 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + length]
        at += length + 12


def paeth(left, up, corner):
    """Of the three, the nearest to left + up - corner; the first of equals."""
    to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    if to_left <= to_up and to_left <= to_corner:
        return left
    return up if to_up <= to_corner else corner


def unfilter(kind, row, above, step):
    """One row of bytes, from its filtered form and the row above."""
    if kind == 0:
        return row
    if kind == 2:
        return row + above
    if kind == 1:
        return np.cumsum(row.reshape(-1, step), axis=0, dtype=np.uint8).ravel()
    up, out = above.tolist(), row.tolist()
    for x, value in enumerate(out):
        left = out[x - step] if x >= step else 0
        corner = up[x - step] if x >= step else 0
        out[x] = (value + ((left + up[x]) // 2 if kind == 3 else paeth(left, up[x], corner))) & 255
    return np.array(out, np.uint8)


def read_png(path):
    """uint8[height, width], or uint8[height, width, 3] for colour."""
    with open(path, "rb") as file:
        parts = list(chunks(file.read()))
    width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", parts[0][1])
    if depth != 8 or colour not in (0, 2) or interlace:
        raise ValueError(f"{path}: depth {depth}, colour type {colour}, interlace {interlace} is not supported")
    step = 3 if colour == 2 else 1
    data = zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT"))
    rows = np.frombuffer(data, np.uint8).reshape(height, 1 + width * step)
    picture = np.zeros((height + 1, width * step), np.uint8)
    for y in range(height):
        picture[y + 1] = unfilter(rows[y, 0], rows[y, 1:], picture[y], step)
    return picture[1:].reshape((height, width, step) if step > 1 else (height, width)).copy()
