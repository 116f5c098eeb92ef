#!/usr/bin/env python3
"""Which part of the long checks runs: 0, 1 or 2, another each day, or all.

Long checks take turns in three parts, so that each of them runs at least every third day. CHECK_PART=0, 1, 2 or all
chooses; without it the date does. Printed, so that a failure can be repeated with the same part.
"""
import datetime
import os
import sys

PARTS = 3


def chosen():
    """The part of this run; None for all."""
    word = os.environ.get("CHECK_PART") or str(datetime.date.today().toordinal() % PARTS)
    if word == "all":
        return None
    if word not in map(str, range(PARTS)):
        sys.exit(f"CHECK_PART is 0, 1, 2 or all, not {word}")
    return int(word)


def share(things, turn=0):
    """Those of the things that this run checks. Checks with different turns take different parts of one list."""
    part = chosen()
    if part is None:
        return list(things)
    return [thing for number, thing in enumerate(things) if number % PARTS == (part + turn) % PARTS]


def has_turn(number):
    """Whether this run makes a test that runs in one part as a whole."""
    return chosen() in (None, number)


if __name__ == "__main__":
    print("all" if chosen() is None else chosen())
