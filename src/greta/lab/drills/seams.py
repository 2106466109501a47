"""Where a drill gets between the engine and the device. Nothing in the engine knows of it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import Any, TypeAlias

from greta import hip
from greta.engine.d2h.flight import Flight
from greta.engine.forward import BlockScheduler
from greta.hip import Buffer, Event, Launch, Stream
from greta.hip._bindings import call
from greta.hip.launch import Argument
from greta.lab.drills.stage import Stage

Go: TypeAlias = Callable[[], None]
LaunchAction: TypeAlias = Callable[[Launch, Go], None]
FlightAction: TypeAlias = Callable[[Flight, Go], None]
PrefillAction: TypeAlias = Callable[[BlockScheduler, Go], None]
Change: TypeAlias = AbstractContextManager[None]
"""Of a launch; it is as it was when the context ends."""

_BLOCKS, _THREADS, _STREAM = 1, 4, 8  # among the arguments of hipModuleLaunchKernel
_PATIENCE = 4  # seconds


def replace(owner: Any, name: str, make: Callable[[Any], Any]) -> None:
    """Puts something in the place of an attribute: `make` is given what is there."""
    setattr(owner, name, make(getattr(owner, name)))


def on_call(function: str, action: Callable[..., Any]) -> None:
    """Calls `action(original, *arguments)` in the place of a HIP function."""

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *arguments: action(original, *arguments)

    hip.replace_call(function, make)


def on_launch(kernel: str, action: LaunchAction, *, captured: bool = False) -> None:
    """Calls `action(launch, go)` in the place of launches of kernels whose names begin so.

    Either those that run at once or, `captured`, those that become nodes of a graph.
    """
    capturing = _capturing()

    def make(original: Callable[[Launch], None]) -> Callable[[Launch], None]:
        def called(launch: Launch) -> None:
            if name_of(launch).startswith(kernel) and capturing() == captured:
                action(launch, lambda: original(launch))
            else:
                original(launch)

        return called

    replace(Launch, "__call__", make)


def change_launch(
    stage: Stage,
    kernel: str,
    commit: Callable[[Launch], Change],
    *,
    occasions: int = 1,
    captured: bool = False,
) -> None:
    """Changes one of the first launches of a kernel as `commit` says, when it is time."""

    def action(launch: Launch, go: Go) -> None:
        with commit(launch) if stage.is_time(occasions) else nullcontext():
            go()

    on_launch(kernel, action, captured=captured)


def on_transfer(action: FlightAction) -> None:
    """Calls `action(flight, go)` where a copy to the host would be queued; it may change it."""
    replace(Flight, "queue", lambda go: lambda flight: action(flight, lambda: go(flight)))


def on_prefill(action: PrefillAction) -> None:
    def make(prefill: Callable[..., None]) -> Callable[..., None]:
        return lambda scheduler, request: action(scheduler, lambda: prefill(scheduler, request))

    replace(BlockScheduler, "prefill", make)


def after_prefill(stage: Stage, commit: Callable[[BlockScheduler], None]) -> None:
    """Calls `commit` behind a prefill, when it is time."""

    def action(scheduler: BlockScheduler, go: Go) -> None:
        go()
        if stage.is_time():
            commit(scheduler)

    on_prefill(action)


def _capturing() -> Callable[[], bool]:
    depth = 0

    def counted(step: int, original: Callable[..., Any], *arguments: Any) -> Any:
        nonlocal depth
        depth += step
        return original(*arguments)

    on_call("hipStreamBeginCapture", partial(counted, 1))
    on_call("hipStreamEndCapture", partial(counted, -1))
    return lambda: depth > 0


def name_of(launch: Launch) -> str:
    return launch._kernel.name


def stream_of(launch: Launch) -> Stream:
    return Stream._borrowed(launch._submit.args[_STREAM])


def argument_of(launch: Launch, index: int) -> Any:
    return launch._arguments[index]


@contextmanager
def changed(launch: Launch, index: int, argument: Argument) -> Iterator[None]:
    before = argument_of(launch, index)
    launch.set(index, argument)
    try:
        yield
    finally:
        launch.set(index, before)


def moved(launch: Launch, stream: Stream) -> Change:
    return _submitted_with(launch, _STREAM, stream.native)


def resized(launch: Launch, blocks: int | None = None, threads: int | None = None) -> Change:
    """With so many blocks, or threads in a block, in the first dimension."""
    if threads is not None:
        return _submitted_with(launch, _THREADS, threads)
    return _submitted_with(launch, _BLOCKS, blocks)


@contextmanager
def _submitted_with(launch: Launch, place: int, value: Any) -> Iterator[None]:
    before = launch._submit
    arguments = list(before.args)
    arguments[place] = value
    launch._submit = partial(before.func, *arguments)
    try:
        yield
    finally:
        launch._submit = before


def free_behind(buffer: Buffer, *, stream: Stream | None = None) -> None:
    """Frees its memory; the object goes on as if it were there, as a pointer in C would."""
    buffer._give_back.detach()
    if stream is None:
        call("hipFree", buffer.native)
    else:
        call("hipFreeAsync", buffer.native, stream.native)


def destroy_behind(owned: Event | Stream, function: str) -> Any:
    """Destroys it, and gives the handle, as a pointer in C would be left."""
    owned._give_back.detach()
    call(function, owned.native)
    return owned.native


def lose_patience() -> None:
    """The process is asked to end in a while that is long beside every wait of the engine."""
    words = ["sh", "-c", f"sleep {_PATIENCE} && kill -TERM {os.getpid()}"]
    keep(subprocess.Popen(words, stdin=subprocess.DEVNULL, close_fds=True))


def join(into: Stream, from_: Stream) -> None:
    """Work of `into` waits for what `from_` has now."""
    event = Event(timing=False)
    event.record(from_)
    into.wait(event)
    _kept.append(event)


_kept: list[object] = []


def keep(thing: Any) -> Any:
    """Keeps it until the process ends: its end must not wait for the device, nor free anything."""
    _kept.append(thing)
    return thing
