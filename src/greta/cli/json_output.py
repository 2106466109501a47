"""JSON for other programs: to a file, or to stdout."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from greta.errors import UsageError

STDOUT = "-"


def write_json_output(name: str, data: Mapping[str, Any]) -> None:
    """`name` is what --json was given."""
    text = json.dumps(data, indent=1) + "\n"
    if name == STDOUT:
        sys.stdout.write(text)
        return
    try:
        Path(name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--json: cannot write {name}: {error.strerror}") from None
