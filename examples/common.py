"""Small helpers shared by the reference.py files of the examples."""
import itertools


def grid(**choices):
    """All combinations of the given values, as dictionaries in the order of the names."""
    for values in itertools.product(*choices.values()):
        yield dict(zip(choices, values))
