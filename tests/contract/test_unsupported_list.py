"""docs/simulated-device.md lists every call that the simulated device does not have."""

from __future__ import annotations

import textwrap
from pathlib import Path

from contract import model

PAGE = Path(__file__).parents[2] / "docs" / "simulated-device.md"
TITLE = "## Calls that are not supported"


def listed() -> str:
    """What the page must say: the calls of each chapter, in the order of the contract."""
    contract = model.load()
    parts = []
    for chapter in contract.chapters:
        calls = [c for c in contract.in_chapter(chapter) if not c.supported and not c.twin_of]
        names = ", ".join(f"`{call.name}`" for call in calls)
        if names:
            parts += [textwrap.fill(f"- {chapter}: {names}", 118, subsequent_indent="  ")]
    return "\n".join(parts)


def test_the_page_lists_what_the_contract_says() -> None:
    page = PAGE.read_text(encoding="utf-8")
    section = page.partition(TITLE)[2].partition("\n## ")[0]
    said = section[section.index("\n- ") :].strip()
    assert said == listed(), f"\n{TITLE}: paste this list\n\n{listed()}\n"
