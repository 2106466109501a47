"""Ways to run what was not meant: a small repository, what is built in it, and what is run.

Each scenario is a function that prepares a repository and says what is to be run and expected.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from greta.hip import SimTree

SOURCE = Path(__file__).with_name("transfers.c")
HOUR = 3600
WRAPPER = "[D2H_SAFE_WRAPPER]"


@dataclass(frozen=True)
class Prepared:
    """What to run, and what the user says of it."""

    program: Path
    expected: tuple[str, ...] = ()
    """Options of `greta analyze`."""
    variables: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Workshop:
    """A repository with src/transfers.c, committed three hours ago; builds are two hours old."""

    folder: Path
    tree: SimTree

    def __post_init__(self) -> None:
        (self.folder / "src").mkdir(parents=True)
        shutil.copy(SOURCE, self.source)
        _age(self.source, 3)
        (self.folder / ".gitignore").write_text("/build/\n")
        self._git("init", "--quiet")
        self.commit("first", age=3)

    @property
    def source(self) -> Path:
        """The one source file."""
        return self.folder / "src" / "transfers.c"

    def build(self, *defines: str, to: str = "build/transfers", age: float = 2) -> Path:
        """The program, compiled `age` hours ago."""
        program = self.folder / to
        program.parent.mkdir(exist_ok=True)
        options = ["-g", f"-I{self.tree.include}", *(f"-D{name}" for name in defines)]
        libraries = [f"-L{self.tree.lib}", "-lamdhip64"]
        compiler = os.environ.get("CC", "gcc")
        command = [compiler, *options, "src/transfers.c", "-o", str(program), *libraries]
        subprocess.run(command, cwd=self.folder, check=True)
        _age(program, age)
        return program

    def edit(self, age: float) -> None:
        """A change of the source, `age` hours ago."""
        text = self.source.read_text().replace("STATUS=OK", "STATUS=DONE")
        self.source.write_text(text)
        _age(self.source, age)

    def commit(self, message: str, age: float) -> None:
        """Commits all there is, `age` hours ago."""
        when = f"{int(time.time() - age * HOUR)} +0000"
        self._git("add", "--all")
        self._git("commit", "--quiet", "-m", message, when=when)

    def _git(self, *words: str, when: str = "") -> None:
        someone = {
            f"GIT_{role}_{part}": value
            for role in ("AUTHOR", "COMMITTER")
            for part, value in (("NAME", "Someone"), ("EMAIL", "someone@example.com"))
        }
        dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when} if when else {}
        environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
        subprocess.run(
            ["git", "-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false", *words],
            cwd=self.folder,
            env={**environment, **someone, **dates},
            check=True,
        )


def _age(path: Path, hours: float) -> None:
    then = time.time() - hours * HOUR
    os.utime(path, (then, then))


def another_path(shop: Workshop) -> Prepared:
    """Two builds; the one that is not meant is run."""
    meant = shop.build("ROUNDS=2", to="build/release")
    return Prepared(shop.build(to="build/debug"), expected=("--expect-build", str(meant)))


def same_path(shop: Workshop) -> Prepared:
    """Two builds; the one that is meant is run."""
    shop.build("ROUNDS=2", to="build/release")
    meant = shop.build(to="build/debug")
    return Prepared(meant, expected=("--expect-build", str(meant)))


def copy_of_build(shop: Workshop) -> Prepared:
    """The same bytes at another place are the same build."""
    meant = shop.build()
    copy = shutil.copy2(meant, shop.folder / "build" / "deployed")
    return Prepared(Path(copy), expected=("--expect-build", str(meant)))


def another_hash(shop: Workshop) -> Prepared:
    """The hash that is expected is that of another build."""
    meant = shop.build("ROUNDS=3", to="build/ci")
    return Prepared(shop.build(), expected=("--expect-build", _hash(meant)[:16]))


def same_hash(shop: Workshop) -> Prepared:
    """The hash that is expected is its own."""
    program = shop.build("ROUNDS=3")
    return Prepared(program, expected=("--expect-build", _hash(program)[:16]))


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def without_wrapper(shop: Workshop) -> Prepared:
    """The source has the wrapper; the build was made without it."""
    return Prepared(shop.build(), expected=("--expect-text", WRAPPER))


def with_wrapper(shop: Workshop) -> Prepared:
    """The build was made with the wrapper."""
    return Prepared(shop.build("WRAPPED"), expected=("--expect-text", WRAPPER))


def edited_since(shop: Workshop) -> Prepared:
    """The source was edited after the build."""
    program = shop.build(age=2)
    shop.edit(age=1)
    return Prepared(program)


def built_since(shop: Workshop) -> Prepared:
    """The source was edited before the build."""
    shop.edit(age=2)
    return Prepared(shop.build(age=1))


def committed_since(shop: Workshop) -> Prepared:
    """A change of the source arrived by a commit after the build."""
    program = shop.build(age=2)
    shop.edit(age=1)
    shop.commit("another status", age=1)
    return Prepared(program)


def notes_committed_since(shop: Workshop) -> Prepared:
    """What was committed after the build is no source."""
    program = shop.build(age=2)
    (shop.folder / "NOTES.md").write_text("Measured on Monday.\n")
    shop.commit("notes", age=1)
    return Prepared(program)


def trace_not_compiled_in(shop: Workshop) -> Prepared:
    """The environment asks for a trace; the build has none."""
    return Prepared(shop.build(), variables={"GRETA_TRACE_MEMCPY": "1"})


def trace_compiled_in(shop: Workshop) -> Prepared:
    """The environment asks for a trace and gets it."""
    return Prepared(shop.build("TRACED"), variables={"GRETA_TRACE_MEMCPY": "1"})


def audit_not_compiled_in(shop: Workshop) -> Prepared:
    """The environment asks for the audit; the build has none."""
    return Prepared(shop.build("TRACED"), variables={"GCORE_D2H_AUDIT": "1"})


def audit_compiled_in(shop: Workshop) -> Prepared:
    """The environment asks for the audit and gets it."""
    return Prepared(shop.build("AUDITED"), variables={"GCORE_D2H_AUDIT": "1"})


def tracked_program(shop: Workshop) -> Prepared:
    """An old build was committed, and is run in place of the new one."""
    old = shop.build(to="dist/transfers", age=2.5)
    shop.commit("a build for those without a compiler", age=2.5)
    shop.build("ROUNDS=2", age=2)
    return Prepared(old)


def untracked_program(shop: Workshop) -> Prepared:
    """An old build was committed; the new one is run."""
    shop.build(to="dist/transfers", age=2.5)
    shop.commit("a build for those without a compiler", age=2.5)
    return Prepared(shop.build("ROUNDS=2", age=2))


def tracked_before_source(shop: Workshop) -> Prepared:
    """A build was committed, then its source; a checkout gave both the same time."""
    program = shop.build(to="dist/transfers", age=2.5)
    shop.commit("a build for those without a compiler", age=2.5)
    shop.edit(age=2)
    shop.commit("another status", age=2)
    _age(program, 1)
    _age(shop.source, 1)
    return Prepared(program)


def tracked_with_source(shop: Workshop) -> Prepared:
    """The same, committed in the other order; and notes later."""
    shop.edit(age=2.5)
    program = shop.build(to="dist/transfers", age=2.4)
    shop.commit("another status, and a build", age=2.4)
    (shop.folder / "NOTES.md").write_text("Measured on Monday.\n")
    shop.commit("notes", age=2)
    _age(program, 1)
    _age(shop.source, 1)
    return Prepared(program)


SCENARIOS: dict[str, Callable[[Workshop], Prepared]] = {
    scenario.__name__: scenario
    for scenario in (
        another_path,
        same_path,
        copy_of_build,
        another_hash,
        same_hash,
        without_wrapper,
        with_wrapper,
        edited_since,
        built_since,
        committed_since,
        notes_committed_since,
        trace_not_compiled_in,
        trace_compiled_in,
        audit_not_compiled_in,
        audit_compiled_in,
        tracked_program,
        untracked_program,
        tracked_before_source,
        tracked_with_source,
    )
}
