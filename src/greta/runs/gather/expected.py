"""What was meant to run, as --expect-build says it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from greta.errors import UsageError
from greta.runs.elf import read_elf
from greta.runs.files import sha256_of
from greta.trace.evidence import Expectations
from greta.trace.run_facts import ExpectedBuild

_DIGEST: Final = re.compile(r"[0-9a-fA-F]{6,64}")


def require_sense(expectations: Expectations) -> None:
    """Raises UsageError for expectations that nothing could meet."""
    build = expectations.build
    if build is not None and not Path(build).is_file() and not _DIGEST.fullmatch(build):
        raise UsageError(
            f"--expect-build: {build!r} is neither a file nor a hash or build id "
            "(6 to 64 hexadecimal digits); build it first, or correct the path"
        )
    if any(not text for text in expectations.texts):
        raise UsageError("--expect-text: the text is empty; say what the program must contain")


def expected_build(expectations: Expectations) -> ExpectedBuild | None:
    """The file that is meant, or the beginning of its hash or build id; None if nothing is."""
    build = expectations.build
    if build is None:
        return None
    path = Path(build)
    if not path.is_file():
        return ExpectedBuild(digits=build.lower())
    try:
        elf = read_elf(path)
        build_id = elf.build_id if elf else None
        return ExpectedBuild(str(path.absolute()), sha256_of(path), build_id)
    except OSError as error:
        raise UsageError(f"--expect-build: {path} cannot be read: {error.strerror}") from None
