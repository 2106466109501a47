"""Write everything that follows from the contract, or check that it is fresh.

    python contract/generate.py           write the files that changed
    python contract/generate.py --check   exit 1 and name the stale files

The output is committed, so that building needs no Python and a reviewer sees what a line of the
contract changes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # this file is run by its path

from contract import emit_headers, emit_reader, emit_recorder, emit_stubs, emit_tables
from contract.c_headers import CHeaders
from contract.model import FOLDER, Contract, load

ROOT = FOLDER.parent
SIMDEVICE = Path("native/simdevice")
INCLUDE = SIMDEVICE / "include/hip"
GENERATED = SIMDEVICE / "api/generated"
HOOKS = Path("native/recorder/generated")

NOTICE = "Generated from contract/ by contract/generate.py; do not edit."


def outputs(contract: Contract) -> dict[Path, str]:
    """Every generated file, by its path from the root of the repository."""
    headers = CHeaders(list((ROOT / INCLUDE).glob("*_types.h")))
    files = {
        INCLUDE / "hip_error_codes.h": _c(emit_headers.error_codes(contract)),
        INCLUDE / "hip_functions.h": _c(emit_headers.functions(contract, headers)),
        INCLUDE / "hip_per_thread_stream.h": _c(emit_headers.per_thread_stream(contract)),
        GENERATED / "call_ids.h": _cpp(emit_tables.call_ids(contract)),
        GENERATED / "error_table.inc": _cpp(emit_tables.error_table(contract)),
        GENERATED / "hip.map": _script(emit_tables.version_script(contract)),
        GENERATED / "impl.h": _cpp(emit_stubs.implementations(contract)),
        GENERATED / "proc_table.cpp": _cpp(emit_tables.proc_table(contract)),
        HOOKS / "calls.h": _cpp(emit_recorder.call_ids(contract)),
        HOOKS / "hook_table.cpp": _cpp(emit_recorder.hook_table(contract)),
        SIMDEVICE / "shims/shim.map": _script(emit_tables.shim_version_script(contract)),
        Path("src/greta/recording/_contract.py"): _python(emit_reader.tables(contract)),
    }
    for chapter in contract.chapters:
        path = GENERATED / f"stubs_{chapter}.cpp"
        files[path] = _cpp(emit_stubs.stubs(contract, chapter))
        files[HOOKS / f"hooks_{chapter}.cpp"] = _cpp(emit_recorder.hooks(contract, chapter))
    return files


def _c(body: str) -> str:
    return f"/* {NOTICE} */\n/* clang-format off */\n{body}"


def _cpp(body: str) -> str:
    return f"// {NOTICE}\n// clang-format off\n{body}"


def _script(body: str) -> str:
    return f"/* {NOTICE} */\n{body}"


def _python(body: str) -> str:
    return f"# {NOTICE}\n{body}"


def stale(files: dict[Path, str]) -> list[Path]:
    """The files that are missing, differ, or are left over from a chapter that is gone."""
    differing = [p for p, text in files.items() if _current(ROOT / p) != text]
    leftover = [
        path.relative_to(ROOT)
        for folder in (GENERATED, HOOKS)
        for path in (ROOT / folder).glob("*")
        if path.relative_to(ROOT) not in files
    ]
    return sorted(differing + leftover)


def _current(path: Path) -> str | None:
    return path.read_text() if path.exists() else None


def write(files: dict[Path, str]) -> None:
    """Write what is stale, remove what is left over, and name each file."""
    for path in stale(files):
        target = ROOT / path
        if path in files:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(files[path])
        else:
            target.unlink()
        print(path)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Generate code from the contract.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if stale")
    arguments = parser.parse_args()
    files = outputs(load())
    if not arguments.check:
        write(files)
        return 0
    names = stale(files)
    for path in names:
        print(f"stale: {path}; run python contract/generate.py", file=sys.stderr)
    return 1 if names else 0


if __name__ == "__main__":
    sys.exit(main())
