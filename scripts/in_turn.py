#!/usr/bin/env python3
"""Runs a long test in one of the three parts (part.py), and skips it (77) in the others.

    in_turn.py PART SCRIPT ARGUMENT...      SCRIPT is one of Python
"""
import os
import sys

import part

if __name__ == "__main__":
    if not part.has_turn(int(sys.argv[1])):
        print(f"runs in part {sys.argv[1]}")
        sys.exit(77)
    os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
