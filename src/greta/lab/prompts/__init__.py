"""Prompts that come with the product, and those that users bring as files."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Final

from greta.errors import UsageError
from greta.lab.plan import Prompt

SHIPPED: Final = ("p0_short", "p1_mid", "p2_long")
_LARGEST: Final = 1 << 20


def find_prompts(names: list[str]) -> list[Prompt]:
    """Shipped ones by name, others by path."""
    return [_find(name) for name in names or SHIPPED]


def _find(name: str) -> Prompt:
    if name in SHIPPED:
        text = files("greta.lab.prompts").joinpath(f"{name}.txt").read_text(encoding="utf-8")
        return Prompt(name, text.rstrip("\n"))
    path = Path(name)
    try:
        if path.stat().st_size > _LARGEST:
            raise UsageError(f"--prompts: {name} has more than 1 MiB; that is no prompt")
        text = path.read_text(encoding="utf-8").rstrip("\n")
    except OSError as error:
        known = ", ".join(SHIPPED)
        raise UsageError(
            f"--prompts: {name!r} is neither a prompt of ours ({known}) nor a file that can be "
            f"read: {error.strerror}"
        ) from None
    except UnicodeDecodeError:
        raise UsageError(f"--prompts: {name} is not UTF-8 text") from None
    if not text:
        raise UsageError(f"--prompts: {name} is empty; write at least one word into it")
    return Prompt(path.stem, text)
