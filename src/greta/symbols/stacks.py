"""Stacks: who made a call, native frames and Python frames together, and which of them to name.

    stacks = CallStacks(process)
    stacks.frames(event)   # innermost first
    stacks.named(event)    # the frame that a person wants to hear of first

That is the innermost one of the user's own code which is no launch helper: a function with one line
that launches (or allocates, or copies ...) and with several lines that call it says less of what
went wrong than those lines do.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, pairwise
from pathlib import PurePath
from typing import Final

from greta.recording import EFFECTS, CallEvent, Process, StackEntry
from greta.symbols.sites import (
    NativeSite,
    ScriptLine,
    SiteResolver,
    is_library_code,
    is_wrapper,
    script_frames,
)

_MOST_STACKS: Final = 4096
"""That helpers are looked for in."""
_INTERPRETER: Final = re.compile(r"(lib)?python3|_ctypes\.|libffi\.")
_SYSTEM: Final = re.compile(r"/(usr/)?lib(32|64)?/|/opt/rocm|\[vdso\]|linux-vdso")
_OUTERMOST: Final = ("main", "<module>")
STUB: Final = "__device_stub__"
"""What a compiler makes of kernel<<<...>>>: a call of a function of its own, which has no line."""

Function = tuple[str | None, str | None]


@dataclass(frozen=True)
class StackFrame:
    """One frame, as far as it is known. `own`: of the user's code."""

    file: str | None
    line: int | None
    function: str | None
    own: bool = False
    in_python: bool = False

    @property
    def _function(self) -> Function:
        return self.file, self.function


class CallStacks:
    """The stacks of one recorded process; each is looked up once."""

    def __init__(self, process: Process) -> None:
        self._tables = process.tables
        self.sites = SiteResolver(process.tables.libraries)
        self._program = process.tables.process.executable
        self._helpers = cache(self._find_helpers)
        self._scripts = cache(self._script)
        self._natives = cache(self._native)

    def kept(self, event: CallEvent) -> tuple[StackFrame, ...]:
        """The frames of a call whose stack was kept; of others their place is all there is."""
        return self.frames(event) if event.stack_id in self._tables.stacks else ()

    def frames(self, event: CallEvent) -> tuple[StackFrame, ...]:
        """All that is known of who made the call, innermost first."""
        era = self.sites.era(event.begin_ticks)
        native = self._natives(event.frames, era, bool(event.script))
        return (*native, *self._scripts(event.stack_id))

    def named(self, event: CallEvent) -> StackFrame | None:
        """The frame of the user's own code, or the one that comes nearest to it."""
        return self._named(self.frames(event), self._kind(event.call_id))

    def script_line(self, stack: int) -> StackFrame | None:
        """The same for the Python frames of a stack; None if there are none."""
        entry = self._tables.stacks.get(stack)
        return self._named(self._scripts(stack), self._kind(entry.call if entry else 0))

    def _named(self, frames: Sequence[StackFrame], kind: str) -> StackFrame | None:
        frames = [one for one in frames if one.in_python] or frames
        own = [one for one in frames if one.own]
        if not own:
            useful = (one for one in frames if not one.in_python or not is_wrapper(one.file or ""))
            return next(useful, next(iter(frames), None))
        helpers = self._helpers(kind) if len(own) > 1 else frozenset()
        return next((one for one in own if one._function not in helpers), own[-1])

    def _kind(self, call: int) -> str:
        effect = EFFECTS.get(self._tables.call_name(call))
        return effect.kind.value if effect else ""

    def _script(self, stack: int) -> tuple[StackFrame, ...]:
        entry = self._tables.script(stack)
        return tuple(_of_script(line) for line in script_frames(entry)) if entry else ()

    def _native(self, addresses: tuple[int, ...], era: int, python: bool) -> tuple[StackFrame, ...]:
        frames = []
        for address in addresses:
            site = self.sites.in_era(address, era)
            if site is None or (python and _is_plumbing(site.library)):
                continue
            frames.append(self._of_site(site))
            if site.function == "main":
                break
        return tuple(replace(one, own=False) for one in frames) if python else tuple(frames)

    def _of_site(self, site: NativeSite) -> StackFrame:
        own = site.library == self._program or (
            site.line is not None
            and not _SYSTEM.match(site.library)
            and not is_library_code(site.library)
        )
        is_stub = STUB in (site.function or "")
        return StackFrame(site.file or site.library, site.line, site.function, own and not is_stub)

    def _find_helpers(self, kind: str) -> frozenset[Function]:
        """Functions of the user's through one line of which several others make such calls."""
        lines: dict[Function, set[int | None]] = defaultdict(set)
        callers: dict[Function, set[StackFrame]] = defaultdict(set)
        for frame, outer in self._own_pairs(kind):
            lines[frame._function].add(frame.line)
            callers[frame._function].add(outer)
        return frozenset(
            function
            for function, called_at in lines.items()
            if len(called_at) == 1 and len(callers[function]) > 1 and function[1] not in _OUTERMOST
        )

    def _own_pairs(self, kind: str) -> Iterable[tuple[StackFrame, StackFrame]]:
        stacks = (one for one in self._tables.stacks.values() if self._kind(one.call) == kind)
        for stack in islice(stacks, _MOST_STACKS):
            yield from pairwise(one for one in self._all_frames(stack) if one.own)

    def _all_frames(self, stack: StackEntry) -> tuple[StackFrame, ...]:
        return self._scripts(stack.id) or self._natives(stack.frames, self.sites.era(None), False)


def _is_plumbing(library: str) -> bool:
    """What lies between Python code and the library that it calls."""
    return bool(_INTERPRETER.match(PurePath(library).name)) or is_wrapper(library)


def _of_script(line: ScriptLine) -> StackFrame:
    own = not is_library_code(line.file)
    return StackFrame(line.file, line.line, line.function, own, in_python=True)
