"""An audit's folder where one run is wanted: a mistake that deserves directions."""

from __future__ import annotations

from pathlib import Path

from greta.errors import UsageError
from greta.outside import is_there


def refuse_audit_folder(path: Path) -> None:
    """Raises UsageError that names a run inside, if it is the folder of an audit."""
    if not is_there(path / "summary.json") or not (path / "run").is_dir():
        return
    first = next(iter(sorted(one for one in (path / "run").iterdir() if one.is_dir())), None)
    example = f", such as {first}" if first else ""
    raise UsageError(
        f"{path} is an audit; name one of its runs{example}, or use `greta report {path}`"
    )
