"""Sources that are newer than a program, and builds that are newer than the file that runs."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from greta.runs.files import file_facts
from greta.runs.provenance import provenance_facts
from greta.trace.run_facts import SourceFacts
from tests.runs.trees import Tree

MAIN = '#include "answer.h"\nint main(void) { return answer(); }\n'
CLANG = next(filter(None, map(shutil.which, ("clang", "clang-19", "clang-18"))), None)
HEADER = "static int answer(void) { return 0; }\n"


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    tree = Tree(tmp_path)
    tree.git("init", "-q")
    tree.write("main.c", MAIN)
    tree.write("answer.h", HEADER)
    tree.write("unrelated.c", "int f(void) { return 1; }\n")
    tree.write(".gitignore", "build/\n")
    tree.commit()
    return tree


def sources(program: Path) -> SourceFacts:
    facts = provenance_facts(file_facts(program))
    assert facts is not None
    assert facts.sources is not None
    return facts.sources


def names(found: SourceFacts) -> list[str]:
    return [Path(one.path).name for one in found.newer]


def test_debug_information_names_sources_and_headers(tree: Tree) -> None:
    program = tree.compile("main.c", "build/app", "-g")
    found = sources(program)
    assert (found.known_by, found.examined) == ("debug information", 2)
    assert found.newer == ()
    tree.write("answer.h", HEADER + "\n", at=10)
    (newer,) = sources(program).newer
    assert Path(newer.path).name == "answer.h"
    assert newer.changed is True


@pytest.mark.skipif(not CLANG, reason="only clang notes the hash of what it compiles")
def test_a_compiler_may_have_noted_what_it_compiled(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", str(CLANG))
    program = tree.compile("main.c", "build/app", "-gdwarf-5")
    tree.touch(tree.folder / "main.c", 10)
    tree.write("answer.h", HEADER + "\n", at=10)
    newer = {Path(one.path).name: one.as_compiled for one in sources(program).newer}
    assert newer == {"main.c": True, "answer.h": False}


def test_symbols_name_compiled_files(tree: Tree) -> None:
    program = tree.compile("main.c", "build/app")
    assert sources(program).known_by == "symbol table"
    tree.write("unrelated.c", "int g;\n", at=10)
    assert names(sources(program)) == []
    tree.write("main.c", MAIN + "\n", at=10)
    assert names(sources(program)) == ["main.c"]


def test_a_stripped_program_has_only_its_name(tree: Tree) -> None:
    assert sources(tree.compile("main.c", "build/app", "-s")).known_by == "nothing"
    program = tree.compile("main.c", "build/main", "-s")
    tree.write("main.c", MAIN + "\n", at=10)
    assert names(sources(program)) == ["main.c"]


def test_a_checkout_leaves_the_file_as_it_was_committed(tree: Tree) -> None:
    program = tree.compile("main.c", "build/app")
    tree.touch(tree.folder / "main.c", 10)
    (newer,) = sources(program).newer
    assert newer.changed is False
    assert newer.committed is not None


def test_outside_git_sources_beside_the_program_count(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    tree.write("main.c", MAIN)
    tree.write("answer.h", HEADER)
    program = tree.compile("main.c", "app")
    tree.touch(tree.folder / "main.c", 10)
    (newer,) = sources(program).newer
    assert (newer.changed, newer.committed) == (None, None)


def test_a_newer_build_beside_a_tracked_program_is_noted(tree: Tree) -> None:
    tracked = tree.compile("main.c", "app")
    tree.commit()
    built = tree.compile("main.c", "build/app", "-O2", "-DX", "-g", at=100)
    facts = provenance_facts(file_facts(tracked))
    assert facts is not None
    assert [one.path for one in facts.newer_builds] == [str(built)]
    untracked = provenance_facts(file_facts(built))
    assert untracked is not None
    assert untracked.newer_builds == ()


def test_the_same_build_or_an_older_one_is_not_noted(tree: Tree) -> None:
    tracked = tree.compile("main.c", "app")
    tree.commit()
    copy = tree.folder / "build" / "app"
    copy.parent.mkdir()
    copy.write_bytes(tracked.read_bytes())
    tree.compile("main.c", "build/old/app", "-O2", "-g", at=-10)
    facts = provenance_facts(file_facts(tracked))
    assert facts is not None
    assert facts.newer_builds == ()


def test_a_newer_file_that_is_tracked_too_is_no_build(tree: Tree) -> None:
    tracked = tree.compile("main.c", "app")
    tree.compile("main.c", "fixtures/app", "-O2", "-g", at=100)
    tree.commit()
    facts = provenance_facts(file_facts(tracked))
    assert facts is not None
    assert facts.newer_builds == ()


def test_headers_of_others_are_not_the_programs(tree: Tree, tmp_path_factory: Any) -> None:
    other = Tree(tmp_path_factory.mktemp("installed") / "include")
    other.write("other.h", "static int other(void) { return 0; }\n", at=10)
    tree.write("main.c", '#include "other.h"\n' + MAIN.replace("answer()", "other()"))
    found = sources(tree.compile("main.c", "build/app", "-g", "-I", str(other.folder)))
    assert (found.known_by, names(found)) == ("debug information", [])


def test_interpreters_and_scripts_have_no_provenance(tree: Tree) -> None:
    assert provenance_facts(file_facts(Path("/bin/sh"))) is None
    assert provenance_facts(file_facts(tree.write("run.py", "pass\n"))) is None
