"""Prints how many of HIP's calls the simulated device supports, chapter by chapter (`make calls`).

python tools/calls.py            the counts
python tools/calls.py RUN        and which supported calls the tests did not try, by a recording:
                             greta run --device sim --out RUN -- python -m pytest tests/simdevice
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from contract import model
from greta.recording import Process, open_recording

NOT_READY = 600


def counts(contract: model.Contract) -> Iterable[str]:
    """A line for each chapter, and one for all; twins (_spt) are calls of their own."""
    for chapter in contract.chapters:
        calls = contract.in_chapter(chapter)
        yield f"{chapter:12} {sum(c.supported for c in calls):4} of {len(calls):4}"
    calls = contract.calls
    yield f"{'all':12} {sum(c.supported for c in calls):4} of {len(calls):4}"


def answered(processes: Iterable[Process]) -> tuple[set[str], set[str]]:
    """The calls that succeeded in a run, and those that were refused."""
    succeeded: set[str] = set()
    refused: set[str] = set()
    for process in processes:
        for lane in process.lanes:
            done = lane.scan.finished
            for wanted, found in (
                (done & (lane.scan.result == 0), succeeded),
                (done & (lane.scan.result != 0) & (lane.scan.result != NOT_READY), refused),
            ):
                ids = np.unique(lane.scan.call[wanted]).tolist()
                found.update(process.tables.call_name(one) for one in ids)
    return succeeded, refused


def untried(contract: model.Contract, run: Path) -> Iterable[str]:
    succeeded, refused = answered(open_recording(run).processes)
    supported = [call for call in contract.calls if call.supported]
    can_fail = [call for call in supported if call.returns == "hipError_t"]
    for title, calls, seen in (
        ("never succeeded", supported, succeeded),
        ("never refused", can_fail, refused),
    ):
        missing = [call.name for call in calls if call.name not in seen]
        yield f"{title}: {len(missing)} of {len(calls)}"
        yield from (f"  {name}" for name in missing)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="The calls of HIP that are supported.")
    parser.add_argument("run", type=Path, nargs="?", help="a recorded run of the tests")
    run: Path | None = parser.parse_args().run
    contract = model.load()
    for line in counts(contract) if run is None else untried(contract, run):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
