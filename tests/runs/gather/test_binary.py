"""What is known of the program that ran, and what wrong_binary makes of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from greta.errors import UsageError
from greta.forensics.case import Case
from greta.forensics.checks.wrong_binary import examine
from greta.forensics.verdict import Outcome, Ruling
from greta.runs.gather import gather
from greta.trace.evidence import Expectations
from tests.runs.gather.conftest import RunFolders
from tests.runs.trees import Tree

MAIN = '#include <stdio.h>\nint main(void) { puts("[D2H_SAFE_WRAPPER] engaged"); return 0; }\n'


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    tree = Tree(tmp_path / "tree")
    tree.write("main.c", MAIN)
    tree.git("init", "-q")
    tree.commit()
    return tree


def ruled(run: Path, build: str | None = None, *texts: str) -> Ruling:
    (evidence,) = gather(run, Expectations(build, texts))
    return examine(Case(evidence))


def code_of(ruling: Ruling) -> str:
    (finding,) = ruling.findings
    assert ruling.outcome is Outcome.CONFIRMED
    return finding.code


def test_the_build_that_was_meant(runs: RunFolders, tree: Tree) -> None:
    program = tree.compile("main.c", "build/app", "-Wl,--build-id")
    run = runs.make([str(program)])
    assert ruled(run, str(program)).outcome is Outcome.REFUTED
    other = tree.compile("main.c", "build/other", "-O2", "-g", "-Wl,--build-id")
    assert code_of(ruled(run, str(other))) == "other_build"


def test_a_stripped_copy_is_the_same_build(runs: RunFolders, tree: Tree) -> None:
    program = tree.compile("main.c", "build/app", "-Wl,--build-id")
    stripped = tree.folder / "build" / "stripped"
    subprocess.run(["strip", "-o", stripped, program], check=True)
    assert stripped.read_bytes() != program.read_bytes()
    assert ruled(runs.make([str(program)]), str(stripped)).outcome is Outcome.REFUTED


def test_a_build_may_be_given_by_the_start_of_its_hash(runs: RunFolders, tree: Tree) -> None:
    run = runs.make([str(tree.compile("main.c", "build/app"))])
    (evidence,) = gather(run)
    assert evidence.binary
    assert ruled(run, str(evidence.binary.subject.sha256)[:10]).outcome is Outcome.REFUTED
    assert code_of(ruled(run, "0123456789")) == "other_build"


@pytest.mark.parametrize("build", ["no/such/file", "abc", "xyz123456"])
def test_a_build_that_cannot_be_meant_is_refused(runs: RunFolders, tree: Tree, build: str) -> None:
    run = runs.make([str(tree.compile("main.c", "build/app"))])
    with pytest.raises(UsageError, match="--expect-build"):
        ruled(run, build)


def test_texts_are_looked_for_in_the_file(runs: RunFolders, tree: Tree) -> None:
    run = runs.make([str(tree.compile("main.c", "build/app"))])
    assert ruled(run, None, "[D2H_SAFE_WRAPPER]").outcome is Outcome.REFUTED
    assert code_of(ruled(run, None, "[D2H_SAFE_WRAPPER]", "[D2H_CHECK]")) == "text_not_in_file"


def test_what_a_program_prints_is_not_what_its_file_contains(runs: RunFolders, tree: Tree) -> None:
    run = runs.make([str(tree.compile("main.c", "build/app"))])
    (run / "stdout.log").write_text("sum=1000\n")
    assert code_of(ruled(run, None, "sum=1000")) == "text_not_in_file"


def test_of_a_file_that_is_gone_the_output_tells(runs: RunFolders, tree: Tree) -> None:
    program = tree.compile("main.c", "build/app")
    run = runs.make([str(program)])
    program.unlink()
    (run / "stdout.log").write_text("[D2H_SAFE_WRAPPER] engaged\n")
    assert ruled(run, None, "[D2H_SAFE_WRAPPER]").outcome is Outcome.REFUTED
    assert ruled(run, None, "[D2H_CHECK]").outcome is Outcome.INCONCLUSIVE


def test_a_file_that_has_changed_since_tells_nothing(runs: RunFolders, tree: Tree) -> None:
    program = tree.compile("main.c", "build/app")
    run = runs.make([str(program)])
    tree.compile("main.c", "build/app", "-O2", "-g")
    assert ruled(run, None, "[D2H_CHECK]").outcome is Outcome.INCONCLUSIVE


def test_a_source_that_was_changed_after_the_build(runs: RunFolders, tree: Tree) -> None:
    program = tree.compile("main.c", "build/app")
    tree.write("main.c", MAIN + "// more\n", at=10)
    assert code_of(ruled(runs.make([str(program)]))) == "source_newer"


def test_a_build_after_the_last_change(runs: RunFolders, tree: Tree) -> None:
    tree.write("main.c", MAIN + "// more\n", at=-10)
    program = tree.compile("main.c", "build/app")
    tree.commit(at=100)  # committed when it was found to work
    assert ruled(runs.make([str(program)])).outcome is Outcome.REFUTED


def test_a_tracked_program_in_place_of_the_build(runs: RunFolders, tree: Tree) -> None:
    tracked = tree.compile("main.c", "app")
    tree.commit()
    tree.compile("main.c", "build/app", "-O2", "-g", at=100)
    assert code_of(ruled(runs.make([str(tracked)]))) == "tracked_file"


def test_instrumentation_that_is_asked_for_and_not_there(runs: RunFolders, tree: Tree) -> None:
    program = tree.compile("main.c", "build/app")
    run = runs.make([str(program)], environment={"GCORE_D2H_AUDIT": "1", "GRETA_D2H_DEBUG": "1"})
    ruling = ruled(run)
    assert code_of(ruling) == "instrumentation_absent"
    assert ruling.findings[0].data["variable"] == "GCORE_D2H_AUDIT"


def test_instrumentation_that_is_seen_in_the_output(runs: RunFolders, tree: Tree) -> None:
    program = tree.compile("main.c", "build/app")
    run = runs.make([str(program)], environment={"GCORE_D2H_AUDIT": "1"})
    (run / "stderr.log").write_text("[D2H_AUDIT_START] op_id=0\n")
    assert ruled(run).outcome is Outcome.REFUTED


def test_a_variable_that_is_0_asks_for_nothing(runs: RunFolders, tree: Tree) -> None:
    program = tree.compile("main.c", "build/app")
    run = runs.make([str(program)], environment={"GCORE_D2H_AUDIT": "0"})
    assert ruled(run).outcome is Outcome.REFUTED


def test_of_a_script_the_script_counts_and_not_the_interpreter(
    runs: RunFolders, tree: Tree
) -> None:
    script = tree.write("run.py", "print('[D2H_SAFE_WRAPPER]')\n")
    other = tree.write("other.py", "print('something else')\n")
    run = runs.make([sys.executable, str(script)])
    assert ruled(run).outcome is Outcome.NOT_EXERCISED
    assert ruled(run, str(script)).outcome is Outcome.REFUTED
    assert ruled(run, None, "[D2H_SAFE_WRAPPER]").outcome is Outcome.REFUTED
    assert code_of(ruled(run, str(other))) == "other_build"


def test_what_a_script_imports_is_part_of_it(runs: RunFolders, tree: Tree) -> None:
    tree.write("audited/__init__.py", "")
    tree.write("audited/lines.py", "START = '[D2H_AUDIT_START]'\n")
    script = tree.write("run.py", "import os\nimport audited\n")
    asked = {"GCORE_D2H_AUDIT": "1"}
    run = runs.make([sys.executable, str(script)], environment=asked)
    assert ruled(run).outcome is Outcome.REFUTED
    (tree.folder / "audited" / "lines.py").unlink()
    assert code_of(ruled(run)) == "instrumentation_absent"


def test_an_import_that_is_not_found_leaves_it_open(runs: RunFolders, tree: Tree) -> None:
    script = tree.write("run.py", "import somewhere_else_entirely\n")
    run = runs.make([sys.executable, str(script)], environment={"GCORE_D2H_AUDIT": "1"})
    assert ruled(run).outcome is Outcome.INCONCLUSIVE


def test_code_that_is_in_no_file_cannot_be_another_file(runs: RunFolders) -> None:
    run = runs.make([sys.executable, "-c", "pass"])
    assert ruled(run).outcome is Outcome.NOT_EXERCISED
    assert ruled(run, "0123456789").outcome is Outcome.INCONCLUSIVE
