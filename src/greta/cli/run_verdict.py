"""What a run that went wrong shows, said at once."""

from __future__ import annotations

from greta.errors import GretaError
from greta.runs import Line, Run


def verdict_of(run: Run, summary: list[Line]) -> list[Line]:
    """The verdict if something went wrong; nothing otherwise."""
    if not run.ending.exit_code and not any(line.tone == "bad" for line in summary):
        return []
    # Not needed by programs that go well.
    from greta.forensics.analysis import analyze, to_json
    from greta.gather import gather
    from greta.reports.document import Document
    from greta.reports.lang import Say
    from greta.reports.terminal import cause_lines, printable

    say = Say("en")
    try:
        verdict = to_json(analyze(gather(run.folder.path)), say.of)
    except GretaError as error:
        return [Line("verdict", f"none: {error}", "odd")]
    lines = cause_lines(Document(verdict), say)
    return [Line(one.title, printable(one.text), one.tone) for one in lines]
