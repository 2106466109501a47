"""The first page of a lane."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from greta.recording import _format as f
from greta.recording.problems import Problems

FARTHEST = 1 << 62  # no lane has as many records


@dataclass(frozen=True)
class LaneFacts:
    """What a lane says about itself."""

    number: int
    thread_id: int
    thread_name: str
    ring_records: int
    written: int
    start_ticks: int

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"lane.{self.number}"

    def offset(self, index: int) -> int:
        """The byte at which a record begins."""
        slot = index % self.ring_records if self.ring_records else index
        return f.PAGE_BYTES + slot * f.RECORD_BYTES


def read_facts(struct: np.void, number: int, problems: Problems) -> LaneFacts | None:
    """What the first page says, or None if it is not that of a lane."""
    file = f"lane.{number}"
    if struct["magic"] != f.LANE_MAGIC:
        problems.add(file, 0, "does not begin as a lane does; left out")
        return None
    if struct["version"] != f.VERSION:
        problems.add(file, 8, f"is of version {struct['version']}, not {f.VERSION}; left out")
        return None
    if struct["lane"] != number:
        problems.add(file, 12, f"says that it is lane {struct['lane']}")
    written, ring_records = int(struct["written"]), int(struct["ring_records"])
    if written > FARTHEST or ring_records > FARTHEST:
        problems.add(file, 24, f"counts {max(written, ring_records)} records, which cannot be")
    return LaneFacts(
        number=number,
        thread_id=int(struct["thread_id"]),
        thread_name=bytes(struct["thread_name"]).decode("utf-8", "replace"),
        ring_records=min(ring_records, FARTHEST),
        written=min(written, FARTHEST),
        start_ticks=int(struct["start_ticks"]),
    )
