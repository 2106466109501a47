"""Where the recorder is, and the environment in which a program loads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from greta.errors import UsageError
from greta.native_library import find_native_library
from greta.runs.preload_link import preloadable

RECORDER_VARIABLE = "GRETA_RECORDER"
_NAME = "libgreta_recorder.so"
_WATCH_NAME = "libgreta_hostwatch.so"


def find_recorder() -> Path:
    """The recorder's library; raises UsageError when there is none."""
    return find_native_library(_NAME, RECORDER_VARIABLE)


@dataclass(frozen=True)
class Recording:
    """How a run is to be recorded, and into which folder.

    `ring` None: all is kept. `watch_host`: pinned memory is watched while copies are in flight.
    `sync`: which operations the recorder waits for, as in native/recorder/watch/added_sync.h.
    """

    folder: Path
    ring: int | None = None
    watch_host: bool = False
    sync: str | None = None

    @property
    def variables(self) -> dict[str, str | None]:
        """What says so to the recorder; None: the variable must not be there."""
        return {
            "GRETA_RECORD": str(self.folder),
            "GRETA_RECORD_RING": None if self.ring is None else str(self.ring),
            "GRETA_RECORD_WATCH_HOST": "1" if self.watch_host else None,
            "GRETA_RECORD_SYNC": self.sync,
        }


def recording_environment(
    base: Mapping[str, str], recorder: Path, recording: Recording
) -> dict[str, str]:
    """`base` with what makes a program, and its children, load the recorder and write there."""
    ours = [recorder, recorder.with_name(_WATCH_NAME)][: 2 if recording.watch_host else 1]
    known = {_NAME, _WATCH_NAME, recorder.name}
    given = base.get("LD_PRELOAD", "").replace(":", " ").split()
    others = [word for word in given if Path(word).name not in known]
    environment = {**base, "LD_PRELOAD": ":".join([*map(str, ours), *others])}
    for name, value in recording.variables.items():
        environment.pop(name, None)
        if value is not None:
            environment[name] = value
    return environment


def require_watch(recorder: Path) -> None:
    """Raises UsageError where the recorder's companion for --watch-host is not there."""
    companion = recorder.with_name(_WATCH_NAME)
    if not companion.is_file():
        raise UsageError(
            f"--watch-host needs {companion}, which is not there; run `pip install .` in the "
            "source folder"
        )


def preloadable_recorder(recorder: Path) -> Path:
    """A path of it that LD_PRELOAD can hold, and its companion beside it."""
    return preloadable(recorder, _NAME, recorder.with_name(_WATCH_NAME))
