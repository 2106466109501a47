"""What is known of what ran: run.json, as an object.

Every field may be missing in a file: an older or a damaged run.json says less. A field that is not
known has its default. greta.runs.folder reads and writes it.
"""

from __future__ import annotations

import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

SCHEMA: Final = 1
IF_ANY: Final = {"if_any": True}
"""The metadata of a field that is written only where it says something."""


@dataclass(frozen=True)
class GitFacts:
    tree: str | None = None
    commit: str | None = None
    branch: str | None = None
    clean: bool | None = None
    changed_files: int | None = None
    tracked: bool | None = None
    problem: str | None = field(default=None, metadata=IF_ANY)


@dataclass(frozen=True)
class NewerSource:
    """A source file that is newer than the program that is made from it."""

    path: str = ""
    modified: str | None = None
    as_compiled: bool | None = None
    """Whether its content is what was compiled, where the compiler noted the hash."""
    changed: bool | None = None
    """Whether it differs from its last commit."""
    committed: str | None = None
    program_committed: str | None = field(default=None, metadata=IF_ANY)
    """When git got the program, as it ran, where the source is another since."""


@dataclass(frozen=True)
class SourceFacts:
    known_by: str = "nothing"
    """debug information, symbol table, name, nothing."""
    examined: int = 0
    complete: bool | None = None
    newer: tuple[NewerSource, ...] = ()


@dataclass(frozen=True)
class NewerBuild:
    """Another build of the same name, newer and not tracked."""

    path: str = ""
    sha256: str | None = None
    build_id: str | None = None
    bytes: int | None = None
    modified: str | None = None


@dataclass(frozen=True)
class Provenance:
    """Whether a compiled program can be what its sources say."""

    sources: SourceFacts | None = None
    newer_builds: tuple[NewerBuild, ...] = ()
    problem: str | None = field(default=None, metadata=IF_ANY)


@dataclass(frozen=True)
class FileFacts:
    """What tells a file that ran from every other of its name."""

    path: str = ""
    """As it was found."""
    real_path: str = ""
    """Without symbolic links; empty if the file is not known."""
    bytes: int | None = None
    modified: str | None = None
    sha256: str | None = None
    build_id: str | None = None
    git: GitFacts | None = None
    problem: str | None = field(default=None, metadata=IF_ANY)
    provenance: Provenance | None = field(default=None, metadata=IF_ANY)
    """Set for a program that another one started."""


@dataclass(frozen=True)
class ModelShape:
    title: str = ""
    architecture: str = ""
    layers: int = 0
    width: int = 0
    heads: int = 0
    kv_heads: int = 0
    feed_forward: int = 0
    vocabulary: int = 0
    parameters: int = 0
    quantization: str = ""
    """The type that most of its weights have."""


@dataclass(frozen=True)
class ModelFile:
    argument: str | None = None
    path: str = ""
    bytes: int | None = None
    modified: str | None = None
    hash: str | None = None
    hash_method: str | None = None
    problem: str | None = field(default=None, metadata=IF_ANY)
    shape: ModelShape | None = field(default=None, metadata=IF_ANY)
    """Set if the file could be read as a model."""


@dataclass(frozen=True)
class HostFacts:
    name: str | None = None
    kernel: str | None = None
    kernel_build: str | None = None
    machine: str | None = None
    cpu: str | None = None
    cores: int | None = None
    cores_usable: int | None = None
    memory_bytes: int | None = None
    gpu_driver: str | None = None


@dataclass(frozen=True)
class ExitFacts:
    """How the program ended: one of code and signal is None."""

    code: int | None = None
    signal: str | None = None
    """Such as SIGTERM, or "signal 40", which has no name."""
    core_dumped: bool = False

    @property
    def exit_code(self) -> int | None:
        """As a shell tells it: 128 + N if signal N ended the program."""
        if not self.signal:
            return self.code
        number = self.signal.rpartition(" ")[2]
        if self.signal in signal.Signals.__members__:
            return 128 + int(signal.Signals[self.signal])
        return 128 + int(number) if number.isdecimal() else 128


@dataclass(frozen=True)
class LogFacts:
    bytes: int = 0
    terminal: bool = False
    left_open: bool = False
    """Children that outlived the program still held it."""
    followed: bool = False
    """What they write later is passed on and kept all the same."""
    problem: str | None = None


@dataclass(frozen=True)
class ProcessFacts:
    pid: int | None = None
    parent_pid: int | None = None
    executable: str | None = None
    arguments: tuple[str, ...] = ()
    folder: str | None = None
    recorder: str | None = None
    hip_library: str | None = None
    hip_libraries: tuple[str, ...] = ()
    calls: int = 0
    end: str | None = None
    end_code: int | None = None
    complete: bool | None = None


@dataclass(frozen=True)
class LibraryFacts:
    """A library that was loaded, or the recorder that wrote."""

    path: str = ""
    build_id: str | None = None


@dataclass(frozen=True)
class DeviceFacts:
    """Which HIP library was meant, and why that one."""

    asked: str | None = None
    kind: str | None = None
    reason: str | None = None
    library: str | None = None
    obstacle: str | None = field(default=None, metadata=IF_ANY)
    """Why the GPU that was asked for cannot be used."""
    name: str | None = field(default=None, metadata=IF_ANY)
    memory_bytes: int | None = field(default=None, metadata=IF_ANY)


@dataclass(frozen=True)
class UnfollowedProcess:
    """A process that was not recorded and may have used HIP."""

    pid: int | None = None
    by_pid: int | None = None
    command: str | None = None
    why: str | None = None
    reach: str | None = None


@dataclass(frozen=True)
class RunFacts:
    """run.json: what ran, so that it can never be in doubt later."""

    schema: int = SCHEMA
    greta: str | None = None
    finished: bool = False
    """False until the program has ended: a run whose parent was killed leaves it so."""
    command: tuple[str, ...] = ()
    masked: tuple[str, ...] = ()
    """The names of what is written as *** in command and environment."""
    folder: str | None = None
    """The working folder."""
    started: str | None = None
    """ISO 8601 with the offset, as `ended` is."""
    ended: str | None = None
    seconds: float | None = None
    exit: ExitFacts | None = None
    resources: Mapping[str, float] | None = None
    program: FileFacts | None = None
    """The machine code; `script` and `module` are what it interpreted."""
    script: FileFacts | None = None
    module: str | None = None
    provenance: Provenance | None = None
    """Set unless the program is a script."""
    models: tuple[ModelFile, ...] = ()
    host: HostFacts | None = None
    logs: Mapping[str, LogFacts] = field(default_factory=dict)
    processes: tuple[ProcessFacts, ...] = ()
    """This and the next three: what the recording says was really there."""
    executables: tuple[FileFacts, ...] = ()
    libraries: tuple[LibraryFacts, ...] = ()
    versions: Mapping[str, int] = field(default_factory=dict)
    device: DeviceFacts | None = None
    ring: int | None = None
    disk_budget: int | None = None
    """Bytes that the recording may take; then the last calls of each thread are kept."""
    guard: str | None = None
    """LEAST:MOST:BUDGET of allocations that are placed before an unmapped page."""
    watch_host: bool = False
    checks: tuple[str, ...] = ()
    """The tools of `greta check` that it was run for."""
    sync: str | None = None
    recorder: LibraryFacts | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    unfollowed: tuple[UnfollowedProcess, ...] | None = None
    """None: nobody has looked."""


LEAKCHECK: Final = "leakcheck"
"""The tool that finds what is not freed: most programs that are not run for it leave that to the
end of the process."""


def notes_footprints(run: RunFacts) -> bool:
    """Whether --footprints was asked for."""
    return run.environment.get("GRETA_SIM_FOOTPRINTS") == "1"


@dataclass(frozen=True)
class ExpectedBuild:
    """The build that was meant to run: a file, or the beginning of its hash or build id."""

    path: str | None = None
    sha256: str | None = None
    build_id: str | None = None
    digits: str | None = None


@dataclass(frozen=True)
class BinaryFacts:
    """What was found in a program's file and beside it, for wrong_binary."""

    subject: FileFacts
    """The program, or the script that it interpreted."""
    unchanged: bool = False
    """Whether the file is still the one that ran."""
    expected: ExpectedBuild | None = None
    loaded: tuple[LibraryFacts, ...] = ()
    """Libraries with the name of the build that is expected."""
    texts: Mapping[str, bool | None] = field(default_factory=dict)
    """Whether each is in the file; None: not in what could be looked at."""
    asked: Mapping[str, bool | None] = field(default_factory=dict)
    """The same of instrumentation that the environment asks for."""
    provenance: Provenance | None = None
