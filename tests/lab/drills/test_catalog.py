"""Every drill says what it is, and nothing below knows of drills."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from greta.errors import UsageError
from greta.forensics.verdict import HYPOTHESES
from greta.lab.drills.catalog import Drill, all_drills, find_drills, is_due

DRILLS = all_drills()


def test_there_are_twenty_and_two_for_each_hypothesis() -> None:
    count = Counter(drill.hypothesis for drill in DRILLS)
    assert len(DRILLS) >= 20
    assert set(count) == set(HYPOTHESES)
    assert min(count.values()) >= 2


def test_some_show_only_sometimes() -> None:
    assert {drill.rate for drill in DRILLS} == {1.0, 0.05}


@pytest.mark.parametrize("drill", DRILLS, ids=lambda drill: drill.name)
def test_a_drill_states_its_truth_and_why_it_happens(drill: Drill, root: Path) -> None:
    for heading in ("What is staged:", "Why it happens:", "What must be found:"):
        assert heading in drill.description
    assert drill.hypothesis in drill.description.partition("What must be found:")[2]
    assert "call" in drill.truth
    staged = root / f"src/greta/lab/drills/staged/{drill.like or drill.name}.py"
    tree = ast.parse(staged.read_text())
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert (drill.program is None) == ("stage" in names)


@pytest.mark.parametrize("drill", DRILLS, ids=lambda drill: drill.name)
def test_a_drill_has_a_title_in_both_languages(drill: Drill) -> None:
    english, spanish = drill.title("en"), drill.title("es")
    assert english.endswith(".")
    assert spanish.endswith(".")
    titles = [other.title("es") for other in DRILLS]
    assert titles.count(spanish) == 1
    assert spanish != english


def test_nothing_that_a_drill_works_on_knows_of_drills(root: Path) -> None:
    below = ("engine", "d2h", "hip", "model", "workload", "forensics", "recording", "gather")
    files = [path for part in below for path in (root / "src/greta" / part).rglob("*.py")]
    native = [path for path in (root / "native").rglob("*") if path.suffix in (".h", ".cpp")]
    assert len(files) > 50
    assert [path for path in (*files, *native) if "drill" in path.read_text().lower()] == []


def test_the_list_needs_no_engine() -> None:
    code = """
import sys
from greta.lab.drills.catalog import all_drills
assert len(all_drills()) >= 20
print([name for name in sys.modules if name.startswith(("greta.engine", "greta.hip", "numpy"))])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no drill 'rope'"):
        find_drills(["rope"])


def test_a_fault_of_one_in_twenty_is_due_as_often() -> None:
    assert sum(is_due(0.05, seed) for seed in range(4000)) == pytest.approx(200, abs=45)
    assert not any(is_due(0.0, seed) for seed in range(100))
    assert all(is_due(1.0, seed) for seed in range(100))
