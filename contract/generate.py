"""Write everything that follows from the contract. The build calls it; nothing it writes is in git.

    python contract/generate.py FOLDER    write below FOLDER the files that changed

What it writes is laid out as it is included: `recorder/generated/calls.h`, `api/generated/impl.h`,
`include/hip/hip_functions.h` for programs, and `greta/`, which is installed into the package.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # this file is run by its path

from contract import (
    emit_format,
    emit_headers,
    emit_reader,
    emit_recorder,
    emit_secrets,
    emit_stubs,
    emit_tables,
    emit_trace,
)
from contract.c_headers import CHeaders
from contract.model import FOLDER, Contract, load

ROOT = FOLDER.parent
HAND_WRITTEN = ROOT / "native/simdevice/include/hip"
INCLUDE = Path("include/hip")
DEVICE = Path("api/generated")
HOOKS = Path("recorder/generated")
ORDER = Path("order/generated")
PACKAGE = Path("greta")

NOTICE = "Generated from contract/ by contract/generate.py; do not edit."


def outputs(contract: Contract) -> dict[Path, str]:
    """Every generated file, by its path below the folder of generated files."""
    headers = CHeaders(list(HAND_WRITTEN.glob("*_types.h")))
    trace = emit_trace.load_trace()
    files = {
        INCLUDE / "hip_error_codes.h": _c(emit_headers.error_codes(contract)),
        INCLUDE / "hip_functions.h": _c(emit_headers.functions(contract, headers)),
        INCLUDE / "hip_per_thread_stream.h": _c(emit_headers.per_thread_stream(contract)),
        DEVICE / "call_ids.h": _cpp(emit_tables.call_ids(contract)),
        DEVICE / "error_table.inc": _cpp(emit_tables.error_table(contract)),
        DEVICE / "hip.map": _script(emit_tables.version_script(contract)),
        DEVICE / "impl.h": _cpp(emit_stubs.implementations(contract)),
        DEVICE / "proc_table.cpp": _cpp(emit_tables.proc_table(contract)),
        DEVICE / "shim.map": _script(emit_tables.shim_version_script(contract)),
        HOOKS / "calls.h": _cpp(emit_recorder.call_ids(contract)),
        HOOKS / "hook_table.cpp": _cpp(emit_recorder.hook_table(contract)),
        HOOKS / "secret_words.h": _cpp(emit_secrets.header()),
        ORDER / "trace_tables.h": _c(emit_trace.structs(trace)),
        ORDER / "trace_enums.h": _cpp(emit_trace.words(trace)),
        PACKAGE / "forensics/_answers.py": _python(emit_trace.answers_module(trace)),
        PACKAGE / "recording/_contract.py": _python(emit_reader.tables(contract)),
        PACKAGE / "recording/_format.py": _python(emit_format.format_module()),
        PACKAGE / "runs/_secrets.py": _python(emit_secrets.module()),
        PACKAGE / "trace/_tables.py": _python(emit_trace.trace_module(trace)),
    }
    for chapter in contract.chapters:
        files[DEVICE / f"stubs_{chapter}.cpp"] = _cpp(emit_stubs.stubs(contract, chapter))
        files[HOOKS / f"hooks_{chapter}.cpp"] = _cpp(emit_recorder.hooks(contract, chapter))
    return files


def _c(body: str) -> str:
    return f"/* {NOTICE} */\n{body}"


def _cpp(body: str) -> str:
    return f"// {NOTICE}\n{body}"


def _script(body: str) -> str:
    return f"/* {NOTICE} */\n{body}"


def _python(body: str) -> str:
    return f"# {NOTICE}\n{body}"


def write(files: dict[Path, str], folder: Path) -> list[Path]:
    """Write what differs, so that only that is compiled again, and remove what is left over."""
    changed = [path for path, text in files.items() if _current(folder / path) != text]
    for path in changed:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(files[path], encoding="utf-8")
    leftover = [
        path
        for file in folder.rglob("*")
        if file.is_file() and (path := file.relative_to(folder)) not in files
    ]
    for path in leftover:
        (folder / path).unlink()
    return changed + leftover


def _current(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Generate code from the contract.")
    parser.add_argument("folder", type=Path, help="where to; holds nothing else")
    folder: Path = parser.parse_args().folder
    for path in write(outputs(load()), folder):
        print(f"generated {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
