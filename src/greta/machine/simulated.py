"""The simulated device: is it there, and does it work?"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

from greta.errors import GretaError
from greta.hip import find_sim_tree
from greta.machine.check import Check

SELFTEST_SECONDS = 120


def check_sim_tree() -> Check:
    """Are the simulated device's libraries there?"""
    try:
        tree = find_sim_tree()
    except GretaError as error:
        return Check("sim_tree", "simulated device", "missing", "not found", str(error))
    root = str(tree.root)
    return Check("sim_tree", "simulated device", "ok", root, details={"path": root})


def check_selftest(timeout: float = SELFTEST_SECONDS) -> Check:
    """Do a copy and a kernel work on the simulated device?"""
    if check_sim_tree().state == "missing":
        advice = "it needs the simulated device"
        return Check("selftest", "self-test", "missing", "not run", advice)
    outcome = _run_selftest(timeout)
    if not outcome["ok"]:
        return Check(
            "selftest", "self-test", "missing", "failed", _first_line(outcome["error"]), outcome
        )
    found = (
        f"HIP {outcome['hip_version']} on {outcome['arch']}; copy {outcome['copy_ms']:.1f} ms, "
        f"compile {outcome['compile_ms']:.0f} ms, kernel {outcome['kernel_ms']:.1f} ms"
    )
    return Check("selftest", "self-test", "ok", found, details=outcome)


def _run_selftest(timeout: float) -> dict[str, Any]:
    command = [sys.executable, "-m", "greta.hip.selftest"]
    environment = {**os.environ, "GRETA_DEVICE": "sim"}
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=timeout, check=False
        )
    except subprocess.TimeoutExpired:
        return {"ok": False, "error": f"it did not finish in {timeout:g} s"}
    return _outcome(done)


def _outcome(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    lines = done.stdout.strip().splitlines()
    try:
        outcome: dict[str, Any] = json.loads(lines[-1])
    except (IndexError, ValueError):
        said = done.stderr.strip().splitlines()
        reason = said[-1] if said else "it said nothing"
        return {"ok": False, "error": f"it ended with exit code {done.returncode}: {reason}"}
    return outcome


def _first_line(text: str) -> str:
    return text.splitlines()[0] if text else ""
