"""Lines of Python instructions, against what each interpreter itself says about its own code."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from greta.symbols.sites import LINE_TABLE_LIMIT, line_of_instruction

# Prints, for each code object of some modules, its table and the line of every instruction.
DUMP = """
import dis, importlib.util, json, sys, types

def codes(code):
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes(constant)

def lines(code):
    if hasattr(code, "co_lines"):
        return [list(part) for part in code.co_lines()]
    starts = [*dis.findlinestarts(code), (len(code.co_code), None)]
    return [[a[0], b[0], a[1]] for a, b in zip(starts, starts[1:])]

for name in ("argparse", "dataclasses", "asyncio.tasks", "typing", "_pydecimal"):
    spec = importlib.util.find_spec(name)
    if spec is None:
        continue
    for code in codes(spec.loader.get_code(name)):
        table = code.co_linetable if hasattr(code, "co_lines") else code.co_lnotab
        print(json.dumps([code.co_firstlineno, table.hex(), lines(code)]))

# Lines without a location, long jumps forward and back.
source = "def f(x):\\n" + "\\n" * 300 + "    return [x,\\n"
source += "\\n" * 70000 + " f(x), [y\\n for y\\n in x]]"
for code in codes(compile(source, "jumps", "exec")):
    table = code.co_linetable if hasattr(code, "co_lines") else code.co_lnotab
    print(json.dumps([code.co_firstlineno, table.hex(), lines(code)]))
print(json.dumps("%d.%d" % sys.version_info[:2]))
"""


def test_lines_are_those_the_interpreter_names(interpreter: str) -> None:
    run = subprocess.run([interpreter, "-c", DUMP], capture_output=True, text=True, check=True)
    *codes, version = map(json.loads, run.stdout.splitlines())
    assert len(codes) > 100
    instructions = 0
    for first_line, table, ranges in codes:
        for begin, end, line in ranges:
            for instruction in {begin, (begin + end) // 4 * 2, end - 2} if end > begin else ():
                found = line_of_instruction(version, first_line, bytes.fromhex(table), instruction)
                assert found == line, (first_line, table, instruction)
                instructions += 1
    assert instructions > 10_000


@pytest.mark.parametrize(
    ("python", "table", "instruction", "line"),
    [
        ("3.9", "06010801", 0, 10),
        ("3.9", "06010801", 6, 11),
        ("3.9", "06010801", 200, 12),
        ("3.9", "0600ff00", 300, 10),
        ("3.9", "02ff", 2, 9),
        ("3.10", "040104ff", 2, 11),
        ("3.10", "04010480", 4, None),
        ("3.10", "0401", 4, None),
        ("3.11", "f803", 0, None),
        ("3.11", "8000d802", 2, 11),
        ("3.11", "e80b", 0, 5),
        ("3.12", "e8", 0, None),
        ("3.12", "00", 0, None),
        ("3.15", "8000", 0, None),
        ("", "8000", 0, None),
        ("3.11", "8000", -2, None),
    ],
)
def test_tables_written_by_hand(
    python: str, table: str, instruction: int, line: int | None
) -> None:
    assert line_of_instruction(python, 10, bytes.fromhex(table), instruction) == line


def test_beyond_the_cut_of_a_long_table_nothing_is_known() -> None:
    cut = bytes([2, 1]) * (LINE_TABLE_LIMIT // 2)
    assert line_of_instruction("3.9", 1, cut, 10) == 6
    assert line_of_instruction("3.9", 1, cut, LINE_TABLE_LIMIT + 2) is None
    assert line_of_instruction("3.9", 1, cut[:-2], LINE_TABLE_LIMIT + 2) == LINE_TABLE_LIMIT // 2


@given(
    python=st.sampled_from(["3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14", "x"]),
    first_line=st.integers(-(2**31), 2**31 - 1),
    table=st.binary(max_size=200),
    instruction=st.integers(-10, 2000),
)
def test_any_bytes_give_a_line_or_nothing(**arguments: Any) -> None:
    line = line_of_instruction(
        arguments["python"], arguments["first_line"], arguments["table"], arguments["instruction"]
    )
    assert line is None or 0 <= line < 2**31
