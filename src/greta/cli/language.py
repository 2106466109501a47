"""The option of every command that speaks more than one language."""

from __future__ import annotations

import argparse

from greta.reports.lang import LANGUAGES


def add_language_option(parser: argparse.ArgumentParser) -> None:
    """Declares --lang."""
    parser.add_argument(
        "--lang", choices=tuple(LANGUAGES), default="en", help="language of what is written (en)"
    )
