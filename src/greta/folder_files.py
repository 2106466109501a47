"""What summary.json and verdict.json may hold, and the one way to read them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from greta.errors import OutsideError
from greta.outside import Shape, read_object, require_shape

_DEVICE: Final = dict.fromkeys(("asked", "kind", "reason", "library"), str)
_TEXTS: Final = {"*": str}

_COVERAGE: Final = {
    **dict.fromkeys(("calls", "launches", "dropped"), int),
    "d2h": {"*": int},
    "complete": bool,
    "gaps": [{"code": str}],
}
_HYPOTHESIS: Final = {
    **dict.fromkeys(("id", "verdict", "reason", "code", "run"), str),
    "evidence": list,
    "examined": int,
    "data": dict,
    "missing": list,
    "findings": [{"seq": int, "code": str, "data": dict}],
}
_BLAMED: Final = {
    **dict.fromkeys(("call", "by", "kernel", "run", "hypothesis"), str),
    "seq": int,
    "pid": int,
}
_JUDGED: Final = {
    "schema": int,
    "verdict": str,
    "coverage": _COVERAGE,
    "hypotheses": [_HYPOTHESIS],
    "blamed": _BLAMED,
    "cause": _BLAMED,
    "next_steps": [str],
    "next_step_codes": [{"code": str, "data": dict}],
}
VERDICT: Final[Shape] = {**_JUDGED, "reason": str, "reason_code": str, "reason_data": dict}

RERUN: Final[Shape] = {
    "command": [str],
    "masked": [str],
    "environment": _TEXTS,
    "folder": str,
    "recorder": [str],
    "seed": int,
    "files": [{"path": str, "sha256": str}],
    "options": {
        **dict.fromkeys(("model", "device", "prompts", "case", "out", "profiles"), str),
        **dict.fromkeys(("expect_build", "expect_output"), str),
        **dict.fromkeys(("iters", "stress_iters", "max_tokens", "seed"), int),
        **dict.fromkeys(("strict", "watch_host"), bool),
        "timeout": float,
        "expect_text": [str],
        "program": [str],
    },
}
SUMMARY: Final[Shape] = {
    **_JUDGED,
    **dict.fromkeys(("case", "partial", "problem", "problem_code", "started", "ended"), str),
    "problem_data": dict,
    "seconds": float,
    "tests": [{"id": str, "mode": str, "profile": str, "runs": [str], "iterations": int}],
    "statistics": {"runs": int, "failures": int, "failure_rate": float},
    "observer": dict,
    "causes": [dict],
    "programs": [{"path": str, "sha256": str, "build_id": str}],
    "profiles": [{"name": str}],
    "unwatched": [{"prompt": str, "seconds": float}],
    "factor_sets": [_TEXTS],
    "iterations": [
        {
            **dict.fromkeys(
                ("test", "prompt", "profile", "result", "run", "output", "stdout"), str
            ),
            **dict.fromkeys(("iteration", "seed", "factors", "position"), int),
            **dict.fromkeys(("seconds", "tokens_per_second", "first_token_seconds"), float),
            "problems": [str],
            "error": dict,
            "ending": dict,
            "range": [int],
        }
    ],
    "device": _DEVICE,
    "environment": {
        **dict.fromkeys(("host", "kernel", "cpu", "python", "greta", "hip_library"), str),
        "commit": str,
        "hip_runtime": int,
        "variables": _TEXTS,
    },
    "model": {**dict.fromkeys(("name", "sha256", "path", "hash"), str), "bytes": int},
    "program": {"path": str, "sha256": str, "build_id": str},
    "rerun": RERUN,
}


def read_judged_file(file: Path) -> dict[str, Any]:
    """summary.json or verdict.json, each by what it holds."""
    found = read_object(file, _JUDGED)
    require_shape(found, SUMMARY if "iterations" in found else VERDICT, file)
    for one in found.get("iterations") or ():
        _require_run_inside((one or {}).get("run"), file)
    return found


def _require_run_inside(run: str | None, file: Path) -> None:
    """What is run or written by that name lies in the folder of the audit."""
    if run and (run.startswith("/") or ".." in run.split("/")):
        raise OutsideError(f"{file}: the field iterations.run leads out of the folder")
