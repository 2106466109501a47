"""What a run shows, said at once if it is a fault."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from greta.errors import GretaError
from greta.runs import Line as SummaryLine
from greta.runs import Run
from greta.runs.tally import recording_bytes

if TYPE_CHECKING:
    from greta.reports.lines import Line

_SOON_READ_BYTES = 64 << 20


def verdict_of(run: Run, summary: Sequence[SummaryLine]) -> list[Line]:
    """The verdict if something went wrong, whether or not a call failed; nothing otherwise.

    Of a long recording without an error it is not asked for: that may take many seconds.
    """
    wrong = bool(run.ending.exit_code) or any(line.tone == "bad" for line in summary)
    if not wrong and recording_bytes(run.folder.recording) > _SOON_READ_BYTES:
        return []
    from greta.cli.run_document import facts_to_go_on
    from greta.forensics.analysis import analyze, to_json
    from greta.reports.document import Document
    from greta.reports.lang import Say
    from greta.reports.lines import Line
    from greta.reports.terminal import cause_lines
    from greta.runs.gather import gather

    say = Say("en")
    try:
        verdict = to_json(analyze(gather(run.folder.path)), say.of)
    except GretaError as error:
        return [Line("verdict", f"none: {error}", "odd")] if wrong else []
    if not wrong and verdict["verdict"] != "REPRODUCED":
        return []
    document = Document({**verdict, **facts_to_go_on([run.folder.path])})
    return cause_lines(document, say)
