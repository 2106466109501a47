"""The contract is read strictly: a slip is an error with a name, never a wrong stub."""

from __future__ import annotations

from pathlib import Path

import pytest

from contract import model

ERRORS = 'errors = [{ code = 0, name = "hipSuccess", text = "no error" }]'
HEAD = 'nodes = ["4.2", "5.2"]\n[memory]\nsource = "hip_memory.cpp"\n[memory.supported]\n'


def load(tmp_path: Path, lines: str, errors: str = ERRORS) -> model.Contract:
    (tmp_path / "hip_api.toml").write_text(HEAD + lines)
    (tmp_path / "hip_errors.toml").write_text(errors)
    return model.load(tmp_path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("void** ptr", model.Parameter("void**", "ptr")),
        ("unsigned int flags = 0", model.Parameter("unsigned int", "flags", "0")),
        ("const char* const* names", model.Parameter("const char* const*", "names")),
    ],
)
def test_a_parameter_is_a_type_a_name_and_a_default(text: str, expected: model.Parameter) -> None:
    assert model.Parameter.parse(text) == expected


def test_spt_gives_a_twin_in_its_own_node(tmp_path: Path) -> None:
    contract = load(
        tmp_path, 'hipA = { node = "4.2", args = ["int a"], spt = "5.2", does = "query" }'
    )
    assert [(call.name, call.node, call.twin_of) for call in contract.calls] == [
        ("hipA", "4.2", None),
        ("hipA_spt", "5.2", "hipA"),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('hipA = { node = "4.2", args = [], nodes = 1 }', "hipA: unknown key nodes"),
        ('hipA = { node = "4.3", args = [], does = "query" }', "hipA: no node 4.3"),
        (
            'hipA = { node = "4.2", args = [], out = ["p"], does = "query" }',
            "hipA: `out` names p",
        ),
        ('hipA = { node = "4.2", args = ["?"], does = "query" }', "read the parameter '\\?'"),
        (
            'hipA = { node = "4.2", args = [], does = "query" }\n[memory.unsupported]\n'
            'hipA = { node = "4.2", args = [], does = "query" }',
            "hipA is listed twice",
        ),
    ],
)
def test_a_slip_is_named(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(model.ContractError, match=message):
        load(tmp_path, line)


def test_error_codes_rise(tmp_path: Path) -> None:
    twice = 'errors = [{ code = 1, name = "A", text = "" }, { code = 1, name = "B", text = "" }]'
    with pytest.raises(model.ContractError, match="must rise"):
        load(tmp_path, "", twice)
