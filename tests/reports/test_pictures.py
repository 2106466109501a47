"""Text in pictures neither leaves its place nor runs into what stands beside it."""

from __future__ import annotations

import re

import pytest

from greta.reports.lang import LANGUAGES
from greta.reports.pictures import (
    DrawnAccess,
    DrawnAllocation,
    DrawnCall,
    draw_distribution,
    draw_memory,
    draw_streams,
)

_WIDEST_LETTER = 7.5
"""Of the names of calls, on average."""
_CODE_LETTER = 7
"""Of 11 pixels: from 6.1 (Consolas) to 6.8 (SF Mono)."""
_TEXT = re.compile(r'<text x="([0-9.]+)" y="([0-9.]+)"[^>]*>([^<]*)</text>')
_BOX = re.compile(r'<rect x="([0-9.]+)" y="[0-9.]+" width="([0-9.]+)"')


def test_no_label_of_a_curve_is_cut_off_at_the_top() -> None:
    picture = draw_distribution(
        {"A": [1.0, 2.0], "B": [1.0, 3.0], "C": [5.0, 6.0]}, "t", "s", "median"
    )
    labels = {text[0]: float(y) for _, y, text in _TEXT.findall(picture) if "median" in text}
    assert all(labels[name] >= 12 for name in "ABC")


def test_the_legend_has_each_median() -> None:
    picture = draw_distribution({"A": [1.0, 2.0, 9.0], "B": [4.0, 4.5]}, "t", "s", "mediana")
    texts = [text for _, _, text in _TEXT.findall(picture)]
    assert [text for text in texts if "mediana" in text] == ["A, mediana 2", "B, mediana 4.25"]


def flights(*operations: DrawnCall) -> list[tuple[float, float, str]]:
    """Left, right and kind of the bands of work that is not known to be done."""
    found = re.findall(
        r'<rect x="([0-9.]+)" y="[0-9.]+" width="([0-9.]+)"[^>]*class="(flight[^"]*)"',
        draw_streams(list(operations), "t", "calls"),
    )
    return [(float(x), float(x) + float(width), kind) for x, width, kind in found]


def test_work_is_in_flight_until_the_host_knows_that_it_is_done() -> None:
    launch = DrawnCall(1, "rope", "s", "operation", done_by=3)
    others = (DrawnCall(2, "hipMalloc", "host", "operation"), DrawnCall(3, "wait", "s", "blamed"))
    ((left, right, kind),) = flights(launch, *others)
    step = (860 - 130 - 10) / 3
    assert (left, kind) == (130, "flight")
    assert right == pytest.approx(130 + 2 * step, abs=0.2)


def test_work_that_nobody_waited_for_is_in_flight_to_the_end() -> None:
    launch = DrawnCall(1, "rope", "s", "cause", in_flight=True)
    assert flights(launch, DrawnCall(2, "x", "s", "blamed")) == [(130, 850, "flight open")]


def test_a_call_that_waits_for_its_own_work_leaves_none_in_flight() -> None:
    assert flights(DrawnCall(4, "hipMemcpy", "s", "cause", done_by=4)) == []


def test_the_order_that_a_race_lacks_is_a_line_between_its_two_sides() -> None:
    sides = [DrawnCall(1, "set", "a", "other"), DrawnCall(2, "copy", "b", "cause")]
    assert "missing" not in draw_streams(sides, "t", "calls")
    picture = draw_streams(sides, "t", "calls", (1, 2), "no order")
    (ends,) = re.findall(
        r'<line x1="([0-9.]+)" y1="([0-9.]+)" x2="([0-9.]+)" y2="([0-9.]+)" class="missing"/>',
        picture,
    )
    boxes = [(float(x), float(width)) for x, width in _BOX.findall(picture)]
    assert float(ends[0]) == pytest.approx(boxes[0][0] + boxes[0][1], abs=0.2)
    assert float(ends[2]) == pytest.approx(boxes[1][0], abs=0.2)
    assert float(ends[1]) < float(ends[3])


def test_memory_next_to_the_access_is_to_scale() -> None:
    buffer = DrawnAllocation(0x1000, 64, "positions", True, is_buffer=True)
    access = DrawnAccess(0x1000 + 64 + 32, 32, "reached", "32 B past the end")
    picture = draw_memory([buffer], access, "t")
    kinds = re.findall(
        r'<rect x="([0-9.]+)" y="([0-9.]+)" width="([0-9.]+)"[^>]*class="([^"]+)"', picture
    )
    below = {kind.split()[0]: (float(x), float(w)) for x, y, w, kind in kinds if float(y) > 100}
    (x, width), (at, wide) = below["live"], below["access"]
    assert width == pytest.approx(2 * wide, rel=0.02)
    assert at - (x + width) == pytest.approx(wide, rel=0.02)


@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_axis_has_room_for_its_name(lang: str) -> None:
    name = {str(one): words for one, words in LANGUAGES.items()}[lang]["axis_calls"]
    picture = draw_streams([DrawnCall(n, "rope", "host", "cause") for n in range(3)], "t", name)
    numbers = [float(x) for x, _, text in _TEXT.findall(picture) if text.isdecimal()]
    assert len(name) * _WIDEST_LETTER < min(numbers)


@pytest.mark.parametrize("count", [2, 5, 8, 12])
def test_names_stay_in_their_boxes(count: int) -> None:
    shown = [DrawnCall(n, "hipMemcpyHtoDAsync", "host", "operation") for n in range(count)]
    picture = draw_streams(shown, "t", "calls")
    boxes = [(float(x), float(width)) for x, width in _BOX.findall(picture)]
    names = [(float(x), text) for x, _, text in _TEXT.findall(picture) if text.startswith("hip")]
    assert len(boxes) == count
    for (left, width), (x, text) in zip(boxes, names, strict=False):
        assert x + len(text) * _CODE_LETTER <= left + width
