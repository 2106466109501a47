from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from greta.forensics.case import Case
from greta.forensics.checks import bad_launch
from greta.forensics.verdict import Outcome, Ruling
from greta.trace.evidence import Evidence
from greta.trace.trace import Call
from tests.forensics.programs import FAILED, FAULTED, Program


def ruled(refusal: dict[str, Any], **asked: Any) -> Ruling:
    program = Program()
    program.kernel("norm", program.allocate(64), **refusal)
    trace = program.build()
    asked = {"grid": (4, 1, 1), "block": (64, 1, 1), **asked}

    def described(seq: int) -> Call:
        return replace(trace.describe(seq), **asked)

    return bad_launch.examine(Case(Evidence(replace(trace, describe=described))))


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"grid": (0, 1, 1)}, "launch_of_nothing"),
        ({"block": (64, 0, 1)}, "launch_of_nothing"),
        ({"block": (64, 32, 1)}, "block_too_large"),
        ({"grid": (1, 1 << 16, 1)}, "grid_too_large"),
        ({"arguments": {"sharedMemBytes": 65537}}, "shared_memory_too_large"),
        ({"argument_bytes": (8, 16)}, "arguments_too_short"),
    ],
)
def test_the_reason_of_a_refusal_is_named(asked: dict[str, Any], code: str) -> None:
    ruling = ruled(FAILED, **asked)
    assert [(one.code, one.seq) for one in ruling.findings] == [(code, 2)]


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"block": (64, 16, 1)},
        {"grid": ((1 << 31) - 1, 65535, 65535)},
        {"arguments": {"sharedMemBytes": 65536}},
        {"argument_bytes": (16, 16)},
    ],
)
def test_a_refusal_for_another_reason_is_open(asked: dict[str, Any]) -> None:
    ruling = ruled(FAILED, **asked)
    assert (ruling.outcome, ruling.missing) == (Outcome.INCONCLUSIVE, ("refused_launch",))


def test_what_hip_accepts_fits() -> None:
    assert ruled({}, grid=(0, 1, 1)).outcome is Outcome.REFUTED


@pytest.mark.parametrize("refusal", [FAULTED, {"failed": True, "result": 209}])
def test_other_errors_are_not_about_its_sizes(refusal: dict[str, Any]) -> None:
    assert not ruled(refusal, grid=(0, 1, 1)).findings
