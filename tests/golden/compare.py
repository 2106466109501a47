"""What is said of the frozen runs now, against what was said when it was last accepted.

make golden                       a unified diff for each run of which something else is said
make golden GOLDEN_ARGS=--brief   each kind of change once, with the number of its runs
make golden GOLDEN_ARGS='--only missing_sync'
make golden-accept                what is said now is right: writes expected.tar.xz
python tests/golden/compare.py --since main    what has been accepted since a commit
python tests/golden/compare.py --show 'cases/missing_sync/event_waited_first.py'
"""

from __future__ import annotations

import argparse
import difflib
import gc
import io
import os
import re
import subprocess
import sys
import tarfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.golden.place import EXPECTED, Frozen, unpacked
from tests.golden.saying import said_of

Texts = dict[str, str]
_NUMBER = re.compile(r"0x[0-9a-f]+|\d+")


def main(words: list[str]) -> int:
    """1 if something else is said than was accepted."""
    options = _parser().parse_args(words)
    expected = read_expected(EXPECTED.read_bytes()) if EXPECTED.is_file() else {}
    if options.show:
        print(expected[options.show])
        return 0
    if options.since:
        before, now = read_expected(_as_of(options.since)), expected
    else:
        before, now = expected, said_now(options.only, options.jobs)
        if options.accept:
            write_expected(expected | now if options.only else now)
    before = {name: text for name, text in before.items() if options.only in name}
    now = {name: text for name, text in now.items() if options.only in name}
    differing = differences(before, now)
    if expected:
        for line in brief(differing) if options.brief else whole(differing):
            print(line)
    print(f"{len(now)} runs, of {len(differing)} something else is said")
    return 1 if differing and not (options.accept or options.since) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--accept", action="store_true")
    parser.add_argument("--brief", action="store_true")
    parser.add_argument("--only", default="", metavar="TEXT", help="runs with this in their name")
    parser.add_argument("--since", metavar="COMMIT")
    parser.add_argument("--show", metavar="NAME")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    return parser


def said_now(only: str = "", jobs: int = 1, each: int = 1) -> Texts:
    """What is said of the frozen runs with `only` in their names, or of each third, fourth ..."""
    with unpacked() as (folder, everything), _working_in(folder):
        chosen = [one for one in everything if only in one.name][::each]
        if jobs == 1:
            return dict(_said((one, folder)) for one in chosen)
        with ProcessPoolExecutor(jobs, initializer=gc.disable) as pool:
            return dict(pool.map(_said, [(one, folder) for one in chosen], chunksize=4))


@contextmanager
def _working_in(folder: Path) -> Iterator[None]:
    """Paths are said as they look from the working folder."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _said(asked: tuple[Frozen, Path]) -> tuple[str, str]:
    frozen, folder = asked
    return frozen.name, said_of(frozen, folder)


def read_expected(data: bytes) -> Texts:
    """By the names of the runs."""
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        members = [(info.name, archive.extractfile(info)) for info in archive]
        return {name: file.read().decode() for name, file in members if file}


def write_expected(texts: Texts) -> None:
    """The same texts give the same bytes."""
    with tarfile.open(EXPECTED, "w:xz", preset=9) as archive:
        for name, text in sorted(texts.items()):
            info, data = tarfile.TarInfo(name), text.encode()
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))


def _as_of(commit: str) -> bytes:
    name = f"{commit}:./{EXPECTED.name}"
    return subprocess.run(
        ["git", "show", name], cwd=EXPECTED.parent, check=True, stdout=subprocess.PIPE
    ).stdout


def differences(before: Texts, now: Texts) -> dict[str, list[str]]:
    """A unified diff for each name of which another text is said."""
    return {
        name: list(_diff(name, before.get(name, ""), now.get(name, "")))
        for name in sorted({*before, *now})
        if before.get(name) != now.get(name)
    }


def _diff(name: str, before: str, now: str) -> Iterator[str]:
    lines = (before.splitlines(), now.splitlines())
    return difflib.unified_diff(*lines, f"expected: {name}", f"now: {name}", lineterm="", n=2)


def whole(differing: dict[str, list[str]]) -> Iterator[str]:
    """All the diffs."""
    for diff in differing.values():
        yield from (*diff, "")


def brief(differing: dict[str, list[str]]) -> Iterator[str]:
    """Changes that are equal but for their numbers: one of them, and of how many runs."""
    kinds: dict[str, dict[str, str]] = defaultdict(dict)
    for name, diff in differing.items():
        for change in _changes(diff):
            kinds[_NUMBER.sub("N", change)].setdefault(name, change)
    for names in sorted(kinds.values(), key=len, reverse=True):
        name, change = next(iter(names.items()))
        yield f"in {len(names)} runs, such as {name}:\n{change}\n"


def _changes(diff: Iterable[str]) -> Iterator[str]:
    """Lines that are taken away and put in together."""
    change: list[str] = []
    for line in [*list(diff)[2:], "@@"]:
        if line.startswith(("+", "-")):
            change.append(line)
        elif change:
            yield "\n".join(change)
            change = []


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
