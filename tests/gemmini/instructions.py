"""Instructions of the CPU between the commands for Gemmini: counted while the emitted C, compiled by gcc -O2 for RV64GC, is emulated."""
import re

import numpy as np

from run_kernels import CROSS, HERE, run

EMULATOR = "qemu-riscv64"
TRANSLATED = re.compile(r"0x([0-9a-f]+):\s+[0-9a-f]+\s+(.*)")  # one instruction of a block of code, when the emulator meets it first
EXECUTED = re.compile(r"Trace \d+: \S+ \[[0-9a-f]+/([0-9a-f]+)/")  # a block, by its first instruction
COMMAND = re.compile(r"xor\s+zero,")  # tests/gemmini/counted/gemmini.h


def c_argument(name, value):
    """A global for it if it is a tensor, and what the call says."""
    if np.ndim(value) == 0:
        return "", repr(value.item())
    return f"static char {name}[{value.nbytes}] __attribute__((aligned(64)));\n", f"(void *){name}"


def executed_blocks(log):
    """For each block in the order in which they ran: whether its instructions are commands, one after the other."""
    blocks, now = {}, None
    for line in log:
        if line.startswith("IN:"):
            now = None
        elif found := TRANSLATED.match(line):
            if now is None:
                now = blocks[int(found[1], 16)] = []
            now.append(bool(COMMAND.match(found[2])))
        elif found := EXECUTED.match(line):
            yield blocks[int(found[1], 16)]


def per_command(source, function, sizes, inputs, outputs):
    """Of a call of a function of the C file `source`, from the first command to the last one. It does not depend on the values in tensors."""
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
    instructions = commands = since = 0
    with log.open() as lines:
        for block in executed_blocks(lines):
            for is_command in block:
                since += 1
                if is_command:
                    instructions += since if commands else 0
                    commands, since = commands + 1, 0
    log.unlink()
    return instructions / commands
