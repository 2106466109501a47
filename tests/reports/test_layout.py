"""What is printed fits the screen, and nothing of it is lost."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from greta.reports.blocks import Cell, Table
from greta.reports.layout import TitledLine, command_line, rows_of, screen_width, table_rows

SENTENCE = "Ninguna escritura se solapa con otra sin orden (examinadas: 65\u202f536)."
LONG_TITLE = "Los streams alrededor del fallo"


def printed(lines: list[TitledLine], width: int = 80) -> list[str]:
    return [f"{row.left}{row.right}".rstrip() for row in rows_of(lines, width)]


def table(name: str) -> Table:
    rows = tuple((Cell(str(seq), number=True), Cell(name), Cell("hipSuccess")) for seq in (9, 10))
    return Table(("call", "operation", "result"), rows)


def texts_of(made: Table, room: int) -> list[str]:
    return [text for text, _ in table_rows(made, room)]


def test_a_row_of_a_table_has_the_tone_of_its_cell() -> None:
    rows = ((Cell("rope"), Cell("cause", tone="bad")), (Cell("embed"), Cell("")))
    made = Table(("operation", "part"), rows)
    shown = rows_of([TitledLine("streams", "", table=made)], 80)
    assert [row.tone for row in shown] == ["plain", "bad", "plain"]


def test_text_goes_on_under_itself() -> None:
    lines = [TitledLine("REFUTED", SENTENCE), TitledLine("confianza", "90 %")]
    assert printed(lines, 50) == [
        "REFUTED    Ninguna escritura se solapa con otra",
        "           sin orden (examinadas: 65 536).",
        "confianza  90 %",
    ]


def test_a_number_is_not_broken_between_its_thousands() -> None:
    for width in range(40, 90):
        assert any("65 536" in one for one in printed([TitledLine("REFUTED", SENTENCE)], width))


def test_a_long_title_does_not_push_all_others_aside() -> None:
    lines = [TitledLine("REFUTED", "No."), TitledLine(LONG_TITLE, "", table=table("rope"))]
    assert printed(lines) == [
        "REFUTED  No.",
        LONG_TITLE,
        "  call  operation  result",
        "     9  rope       hipSuccess",
        "    10  rope       hipSuccess",
    ]


def test_a_wide_screen_has_tables_beside_their_titles() -> None:
    assert printed([TitledLine(LONG_TITLE, "", table=table("rope"))], 200)[0].startswith(
        f"{LONG_TITLE}  call  operation"
    )


def test_a_path_that_does_not_fit_beside_its_title_stands_below() -> None:
    path = "/data/" + "very/" * 11 + "long/path"
    assert printed([TitledLine("reservado por la llamada", path)]) == [
        "reservado por la llamada",
        f"  {path}",
    ]


def test_numbers_are_not_broken_even_if_the_table_is_too_wide() -> None:
    numbers = Table(("calls", "bytes"), ((Cell("12345", number=True), Cell("67890", number=True)),))
    assert texts_of(numbers, 8) == ["calls  bytes", "12345  67890"]


def test_a_column_may_be_empty_everywhere() -> None:
    empty = Table(("call", ""), ((Cell("rope"), Cell("")), (Cell("add"), Cell(""))))
    assert texts_of(empty, 80) == ["call", "rope", "add"]


@given(st.text(max_size=300), st.text(max_size=60), st.integers(40, 120))
def test_nothing_is_wider_than_the_screen_and_nothing_is_lost(
    text: str, name: str, width: int
) -> None:
    lines = [TitledLine("title", text), TitledLine("table", "", table=table(name))]
    rows = printed(lines, width)
    assert max(map(len, rows)) <= width
    letters = [letter for letter in text if letter.isprintable() and letter != " "]
    seen = iter("".join(rows))
    assert all(letter in seen for letter in letters)


def test_a_command_can_be_pasted_however_narrow_the_screen_is() -> None:
    words = ["greta", "run", "--strict", "--", "./a b", "--text", "it's", "x" * 30, "y" * 30]
    rows = printed(
        [TitledLine("steps", "Run it."), command_line("", tuple(map(shlex.quote, words)))], 50
    )
    command = "\n".join(rows[1:])
    assert max(map(len, rows)) <= 50
    assert shlex.split(command.replace("\\\n", "")) == words


@pytest.mark.parametrize("columns", ["80", "132"])
def test_columns_says_how_wide_the_screen_is(monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert screen_width() == int(columns)


def test_words_in_a_table_are_broken_only_where_nothing_else_helps() -> None:
    rows = ((Cell("hipModuleLaunchKernel"), Cell("hipErrorIllegalAddress"), Cell("reported it")),)
    made = Table(("operation", "result", "part"), rows)
    for room in range(55, 60):
        shown = texts_of(made, room)
        assert max(map(len, shown)) <= room
        assert all(word in shown[1] for word in ("hipModuleLaunchKernel", "hipErrorIllegalAddress"))
    assert max(map(len, texts_of(made, 40))) <= 40
