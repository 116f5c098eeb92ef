"""Dense tensor programs, compiled by atlc and called with arrays of NumPy.

    import atlc
    k = atlc.compile("kernel twice(N: size, x: f32[N]) -> f32[N] { gen i < N { x[i] + x[i] } }")
    k(x)
"""
from ._kernel import Kernel, Obligation, compile
from ._tool import CompileError

__all__ = ["CompileError", "Kernel", "Obligation", "compile"]
