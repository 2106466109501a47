"""What a report on one run may know beside its verdict: enough to tell how to go on from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from greta.cli.sim_options import sim_words
from greta.runs.gather.run_folder import read_run


def _recorder_words(facts: Mapping[str, Any]) -> list[str]:
    """`greta run` with the options that make it the same run."""
    device, environment = facts.get("device"), facts.get("environment")
    kind = device.get("kind") if isinstance(device, dict) else None
    words = ["greta", "run", *(["--device", str(kind)] if kind else [])]
    if kind == "sim" and isinstance(environment, dict):
        words += sim_words(environment)
    words += ["--ring", str(facts["ring"])] if facts.get("ring") else []
    return [*words, "--watch-host"] if facts.get("watch_host") else words


def facts_to_go_on(paths: Sequence[Path]) -> dict[str, Any]:
    """`rerun` and `kept`, for commands that can be pasted; nothing of a log, or of several runs."""
    facts = read_run(paths[0]) if len(paths) == 1 else {}
    if not facts:
        return {}
    rerun = {
        "command": facts.get("command"),
        "folder": facts.get("folder"),
        "recorder": _recorder_words(facts),
    }
    return {"rerun": rerun, "kept": str(paths[0].resolve())}
