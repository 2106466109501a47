"""The audit is asked for, and the program that runs is from before there was one.

What is staged:
    GCORE_D2H_AUDIT=1, and a program that copies from the device by itself and has no line of an
    audit in it.

Why it happens:
    The failing run is repeated with the new variables set, by a job that still starts the old file.
    The log stays empty, and that is read as "no transfer failed".

What must be found:
    wrong_binary: the instrumentation that the environment asks for is not in what ran.
"""

SPANISH = "Se pide la auditoría, y el programa que se ejecuta es de antes de que la hubiera."
HYPOTHESIS = "wrong_binary"
TRUTH = {"call": None, "kernel": None}
ENVIRONMENT = {"GCORE_D2H_AUDIT": "1"}
PROGRAM = '''\
"""Copies from the device, as it is asked to."""

import argparse
import ctypes
import json
import os

from rocm.bindings import hip

parser = argparse.ArgumentParser()
for name in ("model", "requests", "answers", "context", "streams"):
    parser.add_argument(f"--{name}")
options = parser.parse_args()
requests, answers = int(options.requests), int(options.answers)


def answer(**facts):
    os.write(answers, json.dumps(facts).encode() + b"\\n")


def ok(result):
    assert int(result[0]) == 0, result
    return result[1] if len(result) > 1 else None


device = ok(hip.hipMalloc(4096))
landing = (ctypes.c_char * 4096)()
answer(pid=os.getpid())
for line in os.fdopen(requests):
    ok(hip.hipMemset(device, 7, 4096))
    ok(hip.hipMemcpy(landing, device, 4096, hip.hipMemcpyKind.hipMemcpyDeviceToHost))
    answer(iteration=json.loads(line)["iteration"], tokens=[[landing[0][0]]], seconds=0.0)
'''
