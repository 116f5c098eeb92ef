"""Instructions of the CPU between the commands for Gemmini, and lines of code: counted while the emitted C, compiled by gcc -O2 for RV64GC, is emulated."""
import re

import numpy as np

from run_kernels import CROSS, HERE, run

EMULATOR = "qemu-riscv64"
TRANSLATED = re.compile(r"0x([0-9a-f]+):\s+[0-9a-f]+\s+(.*)")  # one instruction of a block of code, when the emulator meets it first
EXECUTED = re.compile(r"Trace \d+: \S+ \[[0-9a-f]+/([0-9a-f]+)/")  # a block, by its first instruction
LINE = 64  # bytes of code
COMMAND = re.compile(r"xor\s+zero,")  # tests/gemmini/counted/gemmini.h


def c_argument(name, value):
    """A global for it if it is a tensor, and what the call says."""
    if np.ndim(value) == 0:
        return "", repr(value.item())
    return f"static char {name}[{value.nbytes}] __attribute__((aligned(64)));\n", f"(void *){name}"


def executed_blocks(log):
    """The blocks in the order in which they ran: for each instruction where it is, and whether it is a command."""
    blocks, now = {}, None
    for line in log:
        if line.startswith("IN:"):
            now = None
        elif found := TRANSLATED.match(line):
            if now is None:
                now = blocks[int(found[1], 16)] = []
            now.append((int(found[1], 16), bool(COMMAND.match(found[2]))))
        elif found := EXECUTED.match(line):
            yield blocks[int(found[1], 16)]


class Counted:
    """A call of a function of the C file `source`, from the first command to the last one. It does not depend on the values in tensors."""

    def __init__(self, source, function, sizes, inputs, outputs):
        folder = source.parent
        tensors, words = zip(*(c_argument(f"t{number}", value) for number, value in enumerate([*inputs.values(), *outputs.values()])))
        call = ", ".join([*map(str, sizes.values()), *words])
        kernels, main, program, log = (folder / f"counted{end}" for end in (".o", ".main.c", "", ".log"))
        compiler = CROSS, "-std=gnu11", "-O2", f"-I{HERE / 'counted'}"
        if not kernels.exists():
            run(*compiler, "-c", source, "-o", kernels)
        main.write_text(f'#include "{source.stem}.h"\n{"".join(tensors)}int main(void) {{ return {function}({call}); }}\n')
        run(*compiler, "-static", main, kernels, "-lm", "-o", program)
        run(EMULATOR, "-d", "nochain,exec,in_asm", "-D", log, program)
        with log.open() as lines:
            self.count(executed_blocks(lines))
        log.unlink()

    def count(self, blocks):
        instructions = commands = since = 0
        lines, lines_since = set(), set()
        for block in blocks:
            for address, is_command in block:
                since += 1
                lines_since.add(address // LINE)
                if is_command:
                    instructions += since if commands else 0
                    lines |= lines_since if commands else {address // LINE}
                    commands, since, lines_since = commands + 1, 0, set()
        self.per_command, self.lines = instructions / commands, len(lines)  # instructions for a command; lines of code
