"""A workload for tests: answers, crashes, hangs or lies, as its first word says: `2=crash,5=hang`.

It makes HIP calls of its own through ctypes, so that it starts quickly and nothing checks them.
"""

from __future__ import annotations

import argparse
import ctypes
import faulthandler
import json
import os
import signal
import sys
import time
from typing import BinaryIO

BYTES = 4096
TO_HOST = 2


class Device:
    """A buffer on the device and its copy to the host."""

    def __init__(self) -> None:
        self.hip = ctypes.CDLL("libamdhip64.so")
        self.roctx = ctypes.CDLL("libroctx64.so")
        self.buffer, self.host = ctypes.c_void_p(), ctypes.create_string_buffer(BYTES)
        self.hip.hipMalloc(ctypes.byref(self.buffer), ctypes.c_size_t(BYTES))
        self.hip.hipMemset(self.buffer, 0, ctypes.c_size_t(BYTES))

    def copy(self, nbytes: int) -> int:
        """To the host; past the end if there are more than BYTES."""
        return int(
            self.hip.hipMemcpy(
                self.host, self.buffer, ctypes.c_size_t(nbytes), ctypes.c_int(TO_HOST)
            )
        )


def behave(what: str, device: Device, answers: BinaryIO) -> None:
    """What goes wrong in this iteration, if anything does."""
    if what == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    if what == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "hang":
        hang_here()
    if what == "slow":
        time.sleep(0.4)
    if what == "garble":
        answers.write(b"no JSON\n")
        answers.flush()
    if what == "lie":  # the copy fails, and nobody looks at what it returned
        device.hip.hipMemcpy(device.host, device.buffer, ctypes.c_size_t(BYTES), ctypes.c_int(77))


def hang_here() -> None:
    """The name that the stack must show."""
    time.sleep(600)


def main() -> int:
    """Serves until the requests end."""
    parser = argparse.ArgumentParser()
    parser.add_argument("plan")
    parser.add_argument("--requests", type=int)
    parser.add_argument("--answers", type=int)
    options, _ = parser.parse_known_args()
    plan: dict[str, str] = dict(one.split("=") for one in options.plan.split(",") if one)
    if plan.get("start") == "fail":
        print("the model is not there", file=sys.stderr)
        return 2
    faulthandler.register(signal.SIGUSR2, all_threads=True)
    if plan.get("term") == "ignore":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    device = Device()
    with os.fdopen(options.requests, "rb") as requests, os.fdopen(options.answers, "wb") as answers:
        send(answers, {"pid": os.getpid()})
        for line in requests:
            order = json.loads(line)
            number = order["iteration"]
            what = plan.get(str(number), "ok")
            device.roctx.roctxRangePushA(f"iteration={number}".encode())
            device.copy(BYTES)
            behave(what, device, answers)
            device.roctx.roctxRangePop()
            tokens = [1, 9] if what == "differ" else [1, 2]
            send(answers, {"iteration": number, "tokens": [tokens], "seconds": 0.1, "error": None})
    print("STATUS=OK")
    return 0


def send(answers: BinaryIO, message: dict[str, object]) -> None:
    """One line."""
    answers.write(json.dumps(message).encode() + b"\n")
    answers.flush()


if __name__ == "__main__":
    sys.exit(main())
