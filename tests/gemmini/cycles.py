"""Cycles that the model of Gemmini estimates for calls whose tensors lie where they lie every time: it knows the lines of the cache."""
import ctypes
import sys

import numpy as np

from instructions import Counted

BYTES, ALIGNED, LINE = 64 << 20, 65536, 64


class Arena:
    """Memory for the tensors of a call, one behind the other as in static memory."""

    def __init__(self):
        self.memory = np.zeros(BYTES + ALIGNED, np.uint8)

    def placed(self, arrays):
        """Copies, in lines of their own."""
        start, copies = -self.memory.ctypes.data % ALIGNED, {}
        for name, value in arrays.items():
            if np.ndim(value) == 0:
                copies[name] = value
                continue
            copies[name] = self.memory[start:start + value.nbytes].view(value.dtype).reshape(value.shape)
            copies[name][...] = value
            start += -(-value.nbytes // LINE) * LINE
        return copies

    def cycles_of_two_calls(self, built, reference, kernel, sizes, instructions=None):
        """On the model. `instructions` for a command: by default as many as are counted."""
        inputs = reference.inputs(kernel, sizes, np.random.default_rng(1))
        expected = reference.reference(kernel, sizes, inputs)
        given = self.placed({**inputs, **{f"{name} of it": np.zeros_like(value) for name, value in expected.items()}})
        outputs = {name: given.pop(f"{name} of it") for name in expected}
        model, counted = built.model, Counted(built.source, kernel, sizes, inputs, expected)
        model.functions.gemmini_model_code(counted.lines)
        model.functions.gemmini_model_reset()
        model.functions.gemmini_model_instructions(ctypes.c_double(instructions or counted.per_command))
        model.functions.gemmini_model_cycles.restype = ctypes.c_double
        done = []
        for _ in range(2):
            if model.call(kernel, sizes, given, outputs) or any(not np.array_equal(outputs[name], value) for name, value in expected.items()):
                sys.exit(f"{kernel} {sizes}: other results")
            done.append(model.functions.gemmini_model_cycles() - sum(done))
        return done
