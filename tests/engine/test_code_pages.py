"""Giving back what lies unchanged in files."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import numpy as np
from greta.engine.weights import give_back_code_pages

def resident():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssFile"))

before = resident()
give_back_code_pages()
print(before, resident())
assert np.linalg.solve(np.eye(3), np.ones(3)).tolist() == [1, 1, 1]   # what is needed comes back
import json, decimal
assert json.loads(json.dumps({"a": 1})) == {"a": 1}
"""


def test_pages_of_files_go_and_come_back() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    before, after = map(int, done.stdout.split())
    assert after < before / 2
