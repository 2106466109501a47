"""What a report on one run may know beside its verdict: enough to tell how to go on from it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from greta.gather.run_folder import read_run


def facts_to_go_on(paths: Sequence[Path]) -> dict[str, Any]:
    """`rerun` and `kept`, for commands that can be pasted; nothing of a log, or of several runs."""
    facts = read_run(paths[0]) if len(paths) == 1 else {}
    if not facts:
        return {}
    rerun = {"command": facts.get("command"), "folder": facts.get("folder")}
    return {"rerun": rerun, "kept": str(paths[0].resolve())}
