"""The recorder's view of Python frames, under every interpreter that is installed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from greta.symbols.sites import line_of_instruction
from tests.symbols.sites.conftest import version_of

SITES = ("python_site", "loaded_code", "python_description", "python_interpreter", "safe_read")
SOURCES = (*(f"sites/{name}" for name in SITES), "lanes/own_files")

CASES = {
    "module", "function", "lines", "class body", "init", "method", "property", "enter", "exit",
    "del", "compare", "getattr", "generator", "generator resumed", "decorator", "decorated",
    "context manager", "with", "recursion", "coroutine", "async generator", "sort key", "map",
    "ctypes callback", "exec", "made", "eval", "names", "thread", "with the GIL", "long",
    "same site", "traced", "no longer traced", "child", "comprehension", "generator expression",
    "lambda", "at the end", "before start", "foreign thread",
    "foreign callback", "notes ",
}  # fmt: skip


@pytest.fixture(scope="session")
def probe_library(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library that stands for the recorder, see python_site_probe.cpp."""
    compiler = shutil.which("g++") or shutil.which("c++")
    assert compiler, "the tests need a C++ compiler"
    library = tmp_path_factory.mktemp("probe") / "libprobe.so"
    sources = [root / "native" / "recorder" / f"{name}.cpp" for name in SOURCES]
    probe = root / "tests" / "native" / "recorder" / "python_site_probe.cpp"
    options = ["-std=c++17", "-O2", "-fPIC", "-shared", "-pthread", "-fvisibility=hidden"]
    arguments = [*options, f"-I{root / 'native'}", *map(str, sources), str(probe), "-ldl"]
    subprocess.run([compiler, *arguments, "-o", library], check=True)
    return library


def described(body: dict[str, Any]) -> list[list[Any]]:
    """What the description says, in the form the script expects it."""
    return [
        [
            frame["file"],
            frame["function"],
            line_of_instruction(
                body["python"],
                frame["first_line"],
                bytes.fromhex(frame["line_table"]),
                frame["instruction"],
            ),
        ]
        for frame in body["frames"]
    ]


def run_probes(interpreter: str, library: Path, root: Path) -> list[list[Any]]:
    script = root / "tests" / "native" / "recorder" / "python_site_script.py"
    run = subprocess.run(
        [interpreter, "-X", "utf8", script, library], capture_output=True, timeout=120
    )
    assert run.returncode == 0, run.stderr.decode()
    return [json.loads(line) for line in run.stdout.splitlines()]


def test_every_call_is_found_where_python_says_it_is(
    interpreter: str, probe_library: Path, root: Path
) -> None:
    reports = run_probes(interpreter, probe_library, root)
    wrong = [
        (case, expected, body and described(body))
        for case, expected, body in reports
        if (described(body) if body else []) != expected
    ]
    assert not wrong, f"{len(wrong)} of {len(reports)}: {wrong[:3]}"
    assert {case for case, _, _ in reports} == CASES


def test_layouts_are_those_of_the_interpreters_own_headers(
    interpreter: str, probe_library: Path, root: Path, tmp_path: Path
) -> None:
    program = (
        "import ctypes, sys, sysconfig\n"
        "lib = ctypes.CDLL(sys.argv[1])\n"
        "lib.probe_layout.restype = ctypes.c_char_p\n"
        "print(sysconfig.get_path('include'), lib.probe_layout().decode(), sep='\\n', end='')\n"
    )
    run = subprocess.run(
        [interpreter, "-c", program, probe_library], capture_output=True, text=True, check=True
    )
    include, used = run.stdout.split("\n", maxsplit=1)
    if not Path(include, "internal", "pycore_code.h").exists():
        pytest.skip(f"{include} is not installed")
    source = root / "tests" / "native" / "recorder" / "python_site_layout.c"
    dump = tmp_path / "layout"
    folders = [f"-I{include}", f"-I{include}/internal", f"-I{Path(include).parent}"]
    subprocess.run(["gcc", "-w", *folders, source, "-o", dump], check=True)
    declared = subprocess.run([dump], capture_output=True, text=True, check=True).stdout
    assert used.split("\n") == declared.split("\n")


@pytest.mark.parametrize("version", ["3.6", "3.7", "3.8"])
def test_a_version_that_is_not_known_is_left_alone(version: str, probe_library: Path) -> None:
    candidates = [
        *map(str, Path.home().glob(f".pyenv/versions/{version}.*/bin/python3")),
        *filter(None, [shutil.which(f"python{version}")]),
    ]
    found = [path for path in candidates if version_of(path)]
    if not found:
        pytest.skip(f"Python {version} is not installed")
    program = (
        "import ctypes, sys\n"
        "lib = ctypes.CDLL(sys.argv[1])\n"
        "lib.probe_notes.restype = ctypes.c_char_p\n"
        "lib.probe_start()\n"
        "print(lib.probe(), lib.probe(), lib.probe_notes().decode())\n"
    )
    run = subprocess.run(
        [found[0], "-c", program, probe_library], capture_output=True, text=True, check=True
    )
    assert run.stdout.split("\n")[0] == (
        f"0 0 the frames of this build of Python {version} are not known to the recorder; "
        "calls are recorded without their script lines"
    )


def test_a_shim_of_a_version_that_is_not_installed_is_no_interpreter(tmp_path: Path) -> None:
    shim = tmp_path / "python3.7"
    shim.write_text("#!/bin/sh\necho 'pyenv: python3.7: command not found' >&2\nexit 127\n")
    shim.chmod(0o755)
    assert version_of(str(shim)) is None
    assert version_of(sys.executable) == sys.version_info[:2]
