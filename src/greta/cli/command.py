"""What a subcommand is."""

from __future__ import annotations

import argparse
from typing import Protocol


class Command(Protocol):
    """A subcommand: its name, its options, what it does.

    The class' docstring is its help: the first line stands in `greta --help`, all of it in
    `greta NAME --help`.
    """

    name: str
    usage: str

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Declares the options."""

    def run(self, options: argparse.Namespace) -> int:
        """Does the work; returns the exit code."""
