"""What several commands have in common: --lang, and where --json goes."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from greta.errors import UsageError
from greta.reports.lang import LANGUAGES

STDOUT = "-"


def add_language_option(parser: argparse.ArgumentParser) -> None:
    """Declares --lang."""
    parser.add_argument(
        "--lang", choices=tuple(LANGUAGES), default="en", help="language of what is written (en)"
    )


def write_json_output(name: str, data: Mapping[str, object]) -> None:
    """`name` is what --json was given."""
    text = json.dumps(data, indent=1) + "\n"
    if name == STDOUT:
        sys.stdout.write(text)
        return
    try:
        Path(name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--json: cannot write {name}: {error.strerror}") from None
