"""Programs that say where they make their calls, compiled and run, to be asked about."""

from __future__ import annotations

import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

from greta.recording.tables_json import LibraryEntry
from greta.symbols.sites import SiteResolver

CALLER = Path(__file__).with_name("caller.cpp")
BUILD_ID = "-Wl,--build-id"


@dataclass(frozen=True)
class Call:
    """A call the program made: what it returns to, and where it says it was."""

    address: int
    line: int
    function: str


@dataclass(frozen=True)
class Ran:
    """What a program said about itself when it ran."""

    libraries: list[LibraryEntry]
    calls: list[Call]

    def library_of(self, call: Call) -> LibraryEntry:
        return next(each for each in self.libraries if each.begin <= call.address < each.end)


def build(
    folder: Path,
    *options: str,
    compiler: str = "g++",
    name: str = "program",
    source: Path = CALLER,
) -> Path:
    program = folder / name
    subprocess.run([compiler, source, BUILD_ID, *options, "-o", program], check=True, cwd=folder)
    return program


def run(program: Path, calls_made: int = 5) -> Ran:
    output = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    libraries, calls = [], []
    for line in output.splitlines():
        match line.split(maxsplit=1)[0] if line.strip() else "":
            case "library":
                _, begin, end, base, build_id, path = line.split(maxsplit=5)
                identity = "" if build_id == "-" else build_id
                library = LibraryEntry(path, int(begin, 16), int(end, 16), int(base, 16), identity)
                libraries.append(library)
            case "site":
                _, address, at, function = line.split(maxsplit=3)
                calls.append(Call(int(address, 16), int(at), function))
    assert len(calls) == calls_made
    return Ran(libraries, calls)


def build_id_of(program: Path) -> str:
    notes = subprocess.run(["readelf", "-n", program], capture_output=True, text=True).stdout
    return notes.split("Build ID: ")[1].split()[0]


def addresses_of(program: Path, count: int) -> list[int]:
    """Return addresses that lie anywhere in the program's functions."""
    output = subprocess.run(
        ["nm", "--defined-only", "-S", program], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split() for line in output.splitlines()]
    functions = [row for row in rows if len(row) == 4 and row[2] in "tTwW"]
    chance = random.Random(1)  # noqa: S311
    chosen = [chance.choice(functions) for _ in range(count)]
    return [int(row[0], 16) + 1 + chance.randrange(int(row[1], 16)) for row in chosen]


def resolver_of(program: Path, *, build_id: str | None = None) -> SiteResolver:
    if build_id is None:
        build_id = build_id_of(program)
    return SiteResolver([LibraryEntry(str(program), 0, 1 << 63, 0, build_id)])


def damaged(content: bytes, chance: random.Random) -> bytes:
    """The same program with some bytes changed, most of them where they matter."""
    changed = bytearray(content)
    headers = int.from_bytes(content[40:48], "little")
    for _ in range(chance.choice([1, 3, 20, 200])):
        begin = chance.choice([0, headers, headers // 2, chance.randrange(len(content))])
        end = min(len(content), begin + chance.choice([64, 2000, 40000]))
        changed[chance.randrange(begin, end)] = chance.choice([0, 1, 127, 128, 255])
    return bytes(changed[: chance.randrange(len(content)) if chance.random() < 0.1 else None])
