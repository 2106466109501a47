"""For pytest: a marked test runs under the recorder, and fails by the verdict on what it did.

    @pytest.mark.greta
    def test_attention(): ...

    @pytest.mark.greta(device="sim", strict=True, inconclusive="fail")
    def test_rope(): ...

The test runs in a process of its own, since a device fault is permanent for the process it happens
in. What keyword arguments `greta.run` has, the mark has too. A test fails if it fails by itself, or
if the verdict is REPRODUCED; `inconclusive="fail"` asks for evidence that allows a verdict as well.
The failure names the run folder, in greta-runs/ unless `out` says otherwise. Fixtures are set up in
both processes.
"""

from __future__ import annotations

import difflib
import inspect
import os
import sys
from typing import Any

import pytest

_INSIDE = "GRETA_PYTEST_INSIDE"
"""Set for the process that runs the test itself."""
_ONLY = ("-p", "no:cacheprovider", "-p", "no:xdist", "--no-header", "-q", "--color=no")
_WIDTH = 100
_OPEN = "inconclusive"
_OURS = {"command", "environment"}
"""Options of greta.run that the plugin sets."""


def pytest_configure(config: pytest.Config) -> None:
    """Makes the mark known."""
    config.addinivalue_line(
        "markers",
        "greta(inconclusive='pass', **options of greta.run): run the test under GRETA's recorder, "
        "and fail it if the verdict is REPRODUCED",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs a marked test elsewhere; True: it has been run."""
    mark = pyfuncitem.get_closest_marker("greta")
    if mark is None or os.environ.get(_INSIDE):
        return None
    options = dict(mark.kwargs)
    inconclusive = options.pop(_OPEN, "pass")
    __tracebackhide__ = True
    problem = _misuse(mark, inconclusive) or _problem(pyfuncitem, options, inconclusive == "fail")
    if problem:
        pytest.fail(problem, pytrace=False)
    return True


def _misuse(mark: pytest.Mark, inconclusive: object) -> str:
    """What is wrong with the mark, if anything is."""
    from greta import run

    known = set(inspect.signature(run).parameters) - _OURS
    if unknown := next((name for name in mark.kwargs if name not in {*known, _OPEN}), None):
        near = difflib.get_close_matches(unknown, [*known, _OPEN], n=1)
        hint = f"; did you mean {near[0]}?" if near else f"; there are: {', '.join(sorted(known))}"
        return f"greta: the mark has no option {unknown!r}{hint}"
    if mark.args or inconclusive not in ("pass", "fail"):
        return (
            "greta: the mark takes options of greta.run by name, and inconclusive='pass' or 'fail'"
        )
    return ""


def _problem(item: pytest.Function, options: dict[str, Any], needs_verdict: bool) -> str:
    """Why the test fails; nothing if it passes."""
    from greta import GretaError, run
    from greta.forensics.verdict import VerdictWord
    from greta.reports.lang import Say
    from greta.reports.layout import rows_of
    from greta.reports.terminal import verdict_lines

    test = f"{item.path}::{item.nodeid.partition('::')[2]}"
    command = [sys.executable, "-m", "pytest", *_ONLY, "--rootdir", str(item.config.rootpath), test]
    try:
        ran = run(command, environment={_INSIDE: "1"}, **options)
    except GretaError as error:
        return f"greta: {error}"
    reported = ran.reported()
    word, failed = reported.verdict.word, bool(ran.exit_code)
    is_open = word is VerdictWord.INCONCLUSIVE and needs_verdict
    if not (failed or is_open or word is VerdictWord.REPRODUCED):
        return ""
    rows = rows_of(verdict_lines(reported, Say("en")), _WIDTH)
    told = "\n".join(f"{row.left}{row.right}".rstrip() for row in rows)
    return f"{told}\n\nthe run is in {ran.path}\n\n{ran.stdout.strip() if failed else ''}".rstrip()
