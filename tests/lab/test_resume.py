"""Only the audit that was begun can be gone on with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from greta.errors import UsageError
from greta.lab.resume import refuse_other_builds
from greta.lab.summary import ModelFacts
from greta.runs.files import sha256_of
from tests.lab.typed import summary_from


def facts(path: Path) -> dict[str, Any]:
    return {"path": str(path), "sha256": sha256_of(path)}


@pytest.mark.parametrize("part", ["program", "programs"])
def test_another_build_is_refused(tmp_path: Path, part: str) -> None:
    build = tmp_path / "build"
    build.write_text("one")
    before = {part: [facts(build)] if part == "programs" else facts(build)}
    refuse_other_builds(summary_from(before), None)
    build.write_text("another")
    with pytest.raises(UsageError, match="is another than when the audit began"):
        refuse_other_builds(summary_from(before), None)


def model(digit: str) -> ModelFacts:
    return ModelFacts(path="m.gguf", sha256=digit * 64, hash=digit * 64)


def test_another_model_is_refused() -> None:
    before = {"model": {"path": "m.gguf", "sha256": "1" * 64, "hash": "1" * 64}}
    refuse_other_builds(summary_from(before), model("1"))
    with pytest.raises(UsageError, match=r"m\.gguf is another"):
        refuse_other_builds(summary_from(before), model("2"))


@pytest.mark.parametrize("before", [{}, {"program": None, "programs": [{}], "model": None}])
def test_what_is_not_known_is_no_reason(before: dict[str, Any], tmp_path: Path) -> None:
    refuse_other_builds(summary_from(before), ModelFacts(sha256="1"))
    gone = {"path": str(tmp_path / "gone"), "sha256": "1" * 64}
    refuse_other_builds(summary_from({"program": gone}), None)


def test_a_program_that_had_two_builds_may_have_either(tmp_path: Path) -> None:
    build = tmp_path / "build"
    build.write_text("one")
    first = facts(build)
    build.write_text("another")
    refuse_other_builds(summary_from({"programs": [first, facts(build)]}), None)
