"""Native call sites, in programs compiled in the ways people compile them."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

import greta
from greta.recording.tables_json import LibraryEntry, ScriptEntry, ScriptFrame
from greta.symbols import sites
from greta.symbols.sites import (
    ScriptLine,
    SiteProblem,
    SiteResolver,
    is_library_code,
    script_frames,
)
from tests.symbols.sites.ran_program import (
    BUILD_ID,
    CALLER,
    addresses_of,
    build,
    damaged,
    resolver_of,
    run,
)

WAYS = {
    "plain": ("g++", ["-g"]),
    "optimized": ("g++", ["-g", "-O2"]),
    "fixed address": ("g++", ["-g", "-no-pie"]),
    "DWARF 4": ("g++", ["-gdwarf-4", "-O1"]),
    "DWARF 5": ("g++", ["-gdwarf-5", "-O1"]),
    "DWARF 3": ("g++", ["-gdwarf-3", "-gstrict-dwarf"]),
    "64-bit DWARF": ("g++", ["-g", "-gdwarf64"]),
    "compressed": ("g++", ["-g", "-gz"]),
    "split": ("g++", ["-g", "-gsplit-dwarf"]),
    "sections": ("g++", ["-g", "-O2", "-ffunction-sections", "-Wl,--gc-sections"]),
    "link time": ("g++", ["-g", "-O2", "-flto"]),
    "clang": ("clang++-19", ["-g"]),
    "clang, optimized": ("clang++-19", ["-g", "-O2"]),
    "clang, DWARF 4": ("clang++-19", ["-gdwarf-4", "-O2", "-ffunction-sections"]),
}


@pytest.mark.parametrize("way", WAYS)
def test_calls_are_found_with_function_file_and_line(way: str, tmp_path: Path) -> None:
    compiler, options = WAYS[way]
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    ran = run(build(tmp_path, *options, compiler=compiler))
    resolver = SiteResolver(ran.libraries)
    for call in ran.calls:
        site = resolver.native(call.address)
        assert site is not None
        assert site.problem is None
        assert (site.file, site.line) == (str(CALLER), call.line)
        assert site.function is not None
        # Compilers differ in how they name lambdas, and in clones of functions.
        if "lambda" not in call.function:
            assert site.function.split(" [clone")[0] == call.function


def test_a_call_in_a_shared_library_is_found_there(tmp_path: Path) -> None:
    library = build(tmp_path, "-g", "-fPIC", "-shared", "-DLIBRARY", name="libcaller.so")
    main = tmp_path / "main.c"
    main.write_text("void run_all(void); int main(void) { run_all(); }")
    program = tmp_path / "main"
    subprocess.run(["gcc", main, library, f"-Wl,-rpath,{tmp_path}", "-o", program], check=True)
    ran = run(program)
    resolver = SiteResolver(ran.libraries)
    for call in ran.calls:
        site = resolver.native(call.address)
        assert site is not None
        assert (site.library, site.file, site.line) == (str(library), str(CALLER), call.line)


def test_without_debug_information_there_is_the_function(tmp_path: Path) -> None:
    ran = run(build(tmp_path))
    resolver = SiteResolver(ran.libraries)
    for call in ran.calls:
        site = resolver.native(call.address)
        assert site is not None
        assert (site.file, site.line, site.problem) == (None, None, None)
        assert site.function is not None
        if "lambda" not in call.function:
            assert site.function == call.function


def test_of_a_stripped_program_only_exported_functions_are_known(tmp_path: Path) -> None:
    program = build(tmp_path, "-g", "-rdynamic")
    subprocess.run(["strip", program], check=True)
    ran = run(program)
    resolver = SiteResolver(ran.libraries)
    found = {call.function: resolver.native(call.address) for call in ran.calls}
    plain = found["plain_function"]
    assert plain is not None
    assert (plain.function, plain.line, plain.problem) == ("plain_function", None, None)
    hidden = found["last_act()"]
    assert hidden is not None
    assert (hidden.function, hidden.problem) == (None, None)


def test_debug_information_in_a_file_of_its_own_is_found_by_build_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = build(tmp_path, "-g", "-O2")
    ran = run(program)
    build_id = ran.library_of(ran.calls[0]).build_id
    debug = tmp_path / "debug" / build_id[:2] / f"{build_id[2:]}.debug"
    debug.parent.mkdir(parents=True)
    subprocess.run(["objcopy", "--only-keep-debug", program, debug], check=True)
    subprocess.run(["strip", program], check=True)
    monkeypatch.setattr(sites, "DEBUG_FOLDER", tmp_path / "debug")
    resolver = SiteResolver(ran.libraries)
    for call in ran.calls:
        site = resolver.native(call.address)
        assert site is not None
        assert (site.file, site.line, site.problem) == (str(CALLER), call.line, None)
        assert site.function is not None


def test_a_file_that_is_not_the_one_that_ran_is_not_asked(tmp_path: Path) -> None:
    program = build(tmp_path, "-g", "-O1")
    ran = run(program)
    build(tmp_path, "-g", "-O2")
    site = SiteResolver(ran.libraries).native(ran.calls[0].address)
    assert site is not None
    assert site.problem is SiteProblem.FILE_CHANGED
    assert (site.function, site.file, site.line) == (None, None, None)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, SiteProblem.FILE_MISSING),
        (b"", SiteProblem.FILE_UNREADABLE),
        (b"#!/bin/sh\n", SiteProblem.FILE_UNREADABLE),
        (b"\x7fELF\x02\x01\x01" + bytes(30), SiteProblem.FILE_UNREADABLE),
        (b"\x7fELF\x01\x01\x01" + bytes(60), SiteProblem.FILE_UNREADABLE),
    ],
)
def test_a_file_that_is_no_program_is_said_to_be_so(
    content: bytes | None, problem: SiteProblem, tmp_path: Path
) -> None:
    path = tmp_path / "library.so"
    if content is not None:
        path.write_bytes(content)
    site = SiteResolver([LibraryEntry(str(path), 0x1000, 0x2000, 0x1000)]).native(0x1500)
    assert site is not None
    assert (site.library, site.offset, site.problem) == (str(path), 0x500, problem)


def test_an_address_outside_of_all_libraries_is_nowhere() -> None:
    resolver = SiteResolver([LibraryEntry("/x", 0x1000, 0x2000, 0)])
    assert resolver.native(0) is None
    assert resolver.native(0x1000) is None  # the call before it is not in the library
    assert resolver.native(0x2001) is None
    assert resolver.native(0x2000) is not None


def test_a_library_loaded_where_another_was_counts(tmp_path: Path) -> None:
    old = LibraryEntry(str(tmp_path / "old"), 0x1000, 0x2000, 0)
    new = LibraryEntry(str(tmp_path / "new"), 0x1800, 0x3000, 0)
    resolver = SiteResolver([old, new])
    names = [Path(site.library).name for at in (0x1100, 0x1900) if (site := resolver.native(at))]
    assert names == ["old", "new"]


def test_a_library_counts_from_when_it_was_there(tmp_path: Path) -> None:
    names = {"first": 0, "second": 50, "third": 70}
    libraries = [
        LibraryEntry(str(tmp_path / name), 0x1000, 0x2000, 0, since=since)
        for name, since in names.items()
    ]
    resolver = SiteResolver(libraries)
    times = (10, 49, 50, 69, 70, 90, None)
    sites = [resolver.native(0x1100, ticks) for ticks in times]
    found = [Path(site.library).name for site in sites if site]
    assert found == ["first", "first", "second", "second", "third", "third", "third"]


@pytest.mark.skipif(shutil.which("addr2line") is None, reason="addr2line is not installed")
@pytest.mark.parametrize("optimized", ["-O0", "-O2"])
def test_lines_are_those_of_addr2line(optimized: str, tmp_path: Path) -> None:
    # Version 4: for some inlined functions of version 5, addr2line 2.40 names the wrong file.
    program = build(tmp_path, "-gdwarf-4", optimized)
    addresses = addresses_of(program, 300)
    asked = "\n".join(hex(address - 1) for address in addresses)
    output = subprocess.run(
        ["addr2line", "-e", program], input=asked, capture_output=True, text=True, check=True
    ).stdout
    resolver = resolver_of(program)
    for address, expected in zip(addresses, output.splitlines(), strict=True):
        site = resolver.native(address)
        assert site is not None
        found = f"{site.file}:{site.line}" if site.line else "??:?"
        assert found == expected.split(" ")[0].replace("??:0", "??:?")


@pytest.mark.slow
def test_a_thousand_sites_of_a_large_program_take_seconds(tmp_path: Path) -> None:
    # In assembly every instruction is a line: one unit with more than a million of them.
    body = "  addl $1000, %eax\n" * 99 + "  ret\n"
    functions = (
        f".globl f{n}\n.type f{n}, @function\nf{n}:\n{body}.size f{n}, .-f{n}\n"
        for n in range(16_000)
    )
    source = tmp_path / "large.s"
    source.write_text(
        ".text\n" + "".join(functions) + ".globl main\nmain: ret\n.section .note.GNU-stack\n"
    )
    program = tmp_path / "large"
    subprocess.run(["gcc", "-g", source, BUILD_ID, "-o", program], check=True)
    assert program.stat().st_size > 8_000_000
    addresses = addresses_of(program, 1000)
    resolver = resolver_of(program)
    found = [resolver.native(address) for address in addresses]
    assert sum(site is not None and site.line is not None for site in found) > 950


@pytest.mark.parametrize("options", [["-g"], ["-gdwarf-4", "-gz"]])
def test_a_damaged_program_costs_its_lines_and_nothing_else(
    options: list[str], tmp_path: Path
) -> None:
    program = build(tmp_path, *options)
    addresses = [*addresses_of(program, 20), 1, 1 << 62]
    notes = subprocess.run(["readelf", "-n", program], capture_output=True, text=True).stdout
    build_id = notes.split("Build ID: ")[1].split()[0]
    content = program.read_bytes()
    for seed in range(150):
        program.write_bytes(damaged(content, random.Random(seed)))  # noqa: S311
        resolver = resolver_of(program, build_id=build_id)
        for address in addresses:
            resolver.native(address)


@pytest.mark.parametrize(
    ("file", "library"),
    [
        ("/home/x/rocm/train.py", False),
        ("<stdin>", False),
        ("/usr/lib/python3/site-packages/rocm/bindings/hip.py", True),
        ("/home/x/.venv/lib/python3.12/site-packages/torch/nn/functional.py", True),
        ("/usr/lib/python3.11/contextlib.py", True),
        ("<frozen runpy>", True),
        (str(Path(greta.__file__).parent / "hip" / "buffer.py"), True),
    ],
)
def test_whose_code_a_python_file_is(file: str, library: bool) -> None:
    assert is_library_code(file) is library


def test_frames_of_a_script_have_their_lines() -> None:
    frames = (
        ScriptFrame("a.py", "f", 10, 2, "8000d802"),
        ScriptFrame("b.py", "g", 10, 2, "no hexadecimal"),
        ScriptFrame("c.py", "h", 10, 999, "8000"),
    )
    assert script_frames(ScriptEntry(1, "3.11", frames)) == [
        ScriptLine("a.py", "f", 11),
        ScriptLine("b.py", "g", None),
        ScriptLine("c.py", "h", None),
    ]
