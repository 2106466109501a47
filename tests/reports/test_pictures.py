"""Text in pictures neither leaves its place nor runs into what stands beside it."""

from __future__ import annotations

import re

import pytest

from greta.reports.lang import LANGUAGES
from greta.reports.pictures import DrawnCall, draw_distribution, draw_streams

_WIDEST_LETTER = 7.5
"""Of the names of calls, on average."""
_TEXT = re.compile(r'<text x="([0-9.]+)" y="([0-9.]+)"[^>]*>([^<]*)</text>')
_BOX = re.compile(r'<rect x="([0-9.]+)" y="[0-9.]+" width="([0-9.]+)"')


def test_no_label_of_a_curve_is_cut_off_at_the_top() -> None:
    picture = draw_distribution({"A": [1.0, 2.0], "B": [1.0, 3.0], "C": [5.0, 6.0]}, "t", "s")
    labels = {text: float(y) for _, y, text in _TEXT.findall(picture)}
    assert all(labels[name] >= 12 for name in "ABC")


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
        assert x + len(text) * _WIDEST_LETTER <= left + width
