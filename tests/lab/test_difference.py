"""What differs between two recordings, by what their calls ask for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from greta.lab.difference import Count, Difference, difference
from greta.reports.comparison import difference_lines
from greta.reports.lang import Say
from tests.trace.reading.written import Written

Words = dict[str, Any]


def compared(folder: Path, call: str, a: Words, b: Words) -> Difference:
    """Of two programs that each make one call."""
    for name, words in (("a", a), ("b", b)):
        written = Written(folder / name / "recording")
        written.call(call, **words)
        written.writer.write()
    return difference(folder / "a", folder / "b")


@pytest.mark.parametrize(
    ("call", "a", "b", "bytes_a", "bytes_b"),
    [
        ("hipMemcpyAsync", {"sizeBytes": 64}, {"sizeBytes": 65}, 64, 65),
        ("hipMalloc", {"size": 64}, {"size": 32}, 64, 32),
        ("hipMemcpy2D", {"width": 8, "height": 4}, {"width": 8, "height": 5}, 32, 40),
        ("hipMemset2DAsync", {"width": 8, "height": 4}, {"width": 9, "height": 4}, 32, 36),
        ("hipMemsetD32", {"count": 4}, {"count": 5}, 16, 20),
        (
            "hipMemset3D",
            {"extent__width": 8, "extent__height": 4, "extent__depth": 2},
            {"extent__width": 8, "extent__height": 4, "extent__depth": 3},
            *(64, 96),
        ),
    ],
)
def test_sizes_are_bytes_in_all_dimensions(
    tmp_path: Path, call: str, a: Words, b: Words, bytes_a: int, bytes_b: int
) -> None:
    found = compared(tmp_path, call, a, b)
    assert found.sizes == (Count(call, bytes_a, bytes_b),)
    assert found.parting is not None
    steps = (found.parting.a, found.parting.b)
    assert [step.size for step in steps if step] == [bytes_a, bytes_b]


def test_as_many_bytes_in_another_shape_are_another_call(tmp_path: Path) -> None:
    wide, high = {"width": 8, "height": 4}, {"width": 4, "height": 8}
    found = compared(tmp_path, "hipMemcpy2D", wide, high)
    assert found.sizes == ()
    assert found.parting is not None


def test_addresses_and_pitches_do_not_matter(tmp_path: Path) -> None:
    same = {"width": 8, "height": 4, "kind": 2}
    one, two = {"dst": 0x1000, "dpitch": 8}, {"dst": 0x2000, "dpitch": 16}
    found = compared(tmp_path, "hipMemcpy2D", {**same, **one}, {**same, **two})
    assert (found.sizes, found.parting, found.compared) == ((), None, 1)


def test_a_library_under_another_name_is_not_missing(tmp_path: Path) -> None:
    both = [("libm.so.6", "aa"), ("libold.so", "bb")]
    runs = {
        "a": [*both, ("libhip.so", "cc")],
        "b": [*both, ("libhip.so.7", "cc"), ("libn.so", "d")],
    }
    for name, libraries in runs.items():
        (tmp_path / name).mkdir()
        listed = [{"path": f"/lib/{file}", "build_id": build} for file, build in libraries]
        (tmp_path / name / "run.json").write_text(json.dumps({"libraries": listed}))
    found = compared(tmp_path, "hipMalloc", {"size": 1}, {"size": 1})
    assert found.factors == (("library libn.so", "", "d"),)


def test_what_is_not_shown_is_counted(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        listed = [{"path": f"/lib/l{n:02}.so", "build_id": f"{name}{n}"} for n in range(20)]
        (tmp_path / name / "run.json").write_text(json.dumps({"libraries": listed}))
    found = compared(tmp_path, "hipMalloc", {"size": 1}, {"size": 1})
    lines = [line.text for line in difference_lines(found, ("x", "x"), Say("en"))]
    assert lines[-1] == "and 4 more"
    assert sum(line.startswith("library ") for line in lines) == 16
