"""Another file runs than the one that was built.

What is staged:
    A copy of the start script, made some time ago, is what runs. It works.

Why it happens:
    A script falls back to what it finds in another folder; PATH or PYTHONPATH has two of a name.

What must be found:
    wrong_binary: what ran is not what --expect-build names. No operation is at fault.
"""

SPANISH = "Se ejecuta otro archivo que el que se compiló."
HYPOTHESIS = "wrong_binary"
TRUTH = {"call": None, "kernel": None}
EXPECTED = "greta.engine.workload.__main__"
PROGRAM = '''\
"""The workload, as of last month."""

import sys

from greta.engine.workload.__main__ import main

sys.exit(main())
'''
