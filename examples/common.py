"""Small helpers shared by the reference.py files of the examples."""
import itertools
import random


def grid(**choices):
    """All combinations of the given values, as dictionaries in the order of the names."""
    for values in itertools.product(*choices.values()):
        yield dict(zip(choices, values))


def edges(*tiles):
    """Sizes at which tiles do not fit, just fit, and hang over."""
    return sorted({0, 1} | {size + d for size in tiles for d in (-1, 0, 1)})


def some_sizes(count, **limits):
    """Random sizes up to the given limits; always the same ones."""
    rng = random.Random(str(limits))
    for _ in range(count):
        yield {name: rng.randint(0, limit) for name, limit in limits.items()}
