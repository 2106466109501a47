"""The entries of tables.jsonl, one class for each kind."""

from __future__ import annotations

from dataclasses import dataclass, field

DEEPEST = 1024  # ranges within ranges; a chain that is longer is damage


@dataclass(frozen=True)
class ProcessEntry:
    """The program that was recorded. What is not known is empty."""

    pid: int = 0
    executable: str = ""
    arguments: tuple[str, ...] = ()
    folder: str = ""
    recorder: str = ""
    hip_library: str = ""
    hip_libraries: tuple[str, ...] = ()
    """All that were in the process, by their numbers; the first is hip_library."""
    bypassed_by: tuple[str, ...] = ()
    """Code whose calls may have gone past the recorder, or libraries whose calls may have."""


@dataclass(frozen=True)
class LibraryEntry:
    """Code that was loaded between two addresses; `base` is what to subtract from an address."""

    path: str
    begin: int
    end: int
    base: int
    build_id: str = ""
    since: int = 0  # ticks; before them something else may have been there


@dataclass(frozen=True)
class WordEntry:
    """One argument of a call: its name, its C type, and whether the call fills it."""

    name: str
    type: str
    out: bool = False
    holds: str = ""  # "struct", "array" or "text"


@dataclass(frozen=True)
class CallEntry:
    """A call, and how its words are to be read."""

    id: int
    name: str
    words: tuple[WordEntry, ...] = ()


@dataclass(frozen=True)
class ModuleEntry:
    """A code object that was loaded."""

    id: int
    handle: int
    bytes: int
    kind: str = ""
    targets: tuple[str, ...] = ()
    file: str = ""
    problem: str = ""


@dataclass(frozen=True)
class KernelParameter:
    """A parameter of a kernel, and where its value lies among the argument bytes."""

    offset: int
    bytes: int
    kind: str
    name: str = ""
    type: str = ""
    access: str = ""


@dataclass(frozen=True)
class KernelEntry:
    """A kernel of a module."""

    id: int
    module: int
    function: int
    name: str
    kernarg_bytes: int
    arguments: tuple[KernelParameter, ...] = ()


@dataclass(frozen=True)
class ScriptFrame:
    """A frame of a Python stack; `line_table` is CPython's, in hexadecimal."""

    file: str
    function: str
    first_line: int
    instruction: int
    line_table: str = ""


@dataclass(frozen=True)
class ScriptEntry:
    """A place in a Python program: its stack, innermost frame first."""

    id: int
    python: str
    frames: tuple[ScriptFrame, ...] = ()


@dataclass(frozen=True)
class AnnotationEntry:
    """A range that the program named; `parent` is the id of the one around it, 0 if none."""

    id: int
    text: str
    parent: int = 0


@dataclass
class Tables:
    """Everything tables.jsonl says."""

    process: ProcessEntry = field(default_factory=ProcessEntry)
    environment: dict[str, str] = field(default_factory=dict)
    libraries: list[LibraryEntry] = field(default_factory=list)
    calls: dict[int, CallEntry] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)
    modules: dict[int, ModuleEntry] = field(default_factory=dict)
    kernels: dict[int, KernelEntry] = field(default_factory=dict)
    scripts: dict[int, ScriptEntry] = field(default_factory=dict)
    annotations: dict[int, AnnotationEntry] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def call_name(self, call: int) -> str:
        """The name of a call, or its number if the tables do not name it."""
        entry = self.calls.get(call)
        return entry.name if entry else f"call {call}"

    def annotation_chain(self, annotation: int) -> tuple[AnnotationEntry, ...]:
        """An annotation and those around it, the outermost first."""
        chain: dict[int, AnnotationEntry] = {}
        while annotation in self.annotations and annotation not in chain and len(chain) < DEEPEST:
            chain[annotation] = self.annotations[annotation]
            annotation = chain[annotation].parent
        return tuple(reversed(chain.values()))
