"""Calls the C functions of a library that `atlc build` made, by ctypes."""
import ctypes

import numpy as np

SCALARS = {"float32": ctypes.c_float, "float64": ctypes.c_double, "int8": ctypes.c_int8, "uint8": ctypes.c_uint8,
           "int16": ctypes.c_int16, "uint16": ctypes.c_uint16, "int32": ctypes.c_int32, "uint32": ctypes.c_uint32,
           "int64": ctypes.c_int64, "bool": ctypes.c_bool}


def argument(value):
    """Scalars go by value, tensors by pointer."""
    if np.ndim(value) == 0:
        return SCALARS[np.asarray(value).dtype.name](value.item())
    return ctypes.c_void_p(value.ctypes.data)


class Library:
    def __init__(self, path):
        self.functions = ctypes.CDLL(str(path))

    def call(self, kernel, sizes, inputs, outputs):
        """The function's error code; `outputs` (arrays, of rank 0 as well) are filled. Arrays must be contiguous."""
        words = [ctypes.c_int64(size) for size in sizes.values()]
        words += [argument(value) for value in inputs.values()]
        words += [ctypes.c_void_p(array.ctypes.data) for array in outputs.values()]
        return getattr(self.functions, kernel)(*words)
