"""Git trees with a compiled program, for tests about what ran."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

GIT = ("git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
BUILD_TIME = 1_700_000_000
"""When programs are said to have been built."""


@dataclass(frozen=True)
class Tree:
    """A work tree; times are seconds after the build."""

    folder: Path

    def write(self, name: str, text: str, at: int = -100) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return self.touch(path, at)

    def touch(self, path: Path, at: int) -> Path:
        os.utime(path, (BUILD_TIME + at, BUILD_TIME + at))
        return path

    def compile(self, source: str, program: str, *options: str, at: int = 0) -> Path:
        target = self.folder / program
        target.parent.mkdir(parents=True, exist_ok=True)
        command = [os.environ.get("CC", "cc"), *options, source, "-o", str(target)]
        subprocess.run(command, cwd=self.folder, check=True)
        return self.touch(target, at)

    def git(self, *words: str, at: int = -50) -> None:
        when = f"{BUILD_TIME + at} +0000"
        environment = {**os.environ, "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
        subprocess.run(
            [*GIT, *words], cwd=self.folder, env=environment, check=True, capture_output=True
        )

    def commit(self, at: int = -50) -> None:
        self.git("add", "-A", at=at)
        self.git("commit", "-m", "x", at=at)
