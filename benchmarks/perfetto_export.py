"""CPU time of `greta export --format perfetto` for each call, of a run folder.

python benchmarks/perfetto_export.py RUN
"""

from __future__ import annotations

import io
import sys
import time
from pathlib import Path

from greta.recording import open_recording
from greta.reports.export import write


def main() -> None:
    recording = open_recording(Path(sys.argv[1]))
    calls = sum(len(process) for process in recording.processes)
    for _ in range(3):
        file = io.BytesIO()
        started = time.process_time()
        write(recording, "perfetto", file)
        spent = time.process_time() - started
        size = len(file.getvalue()) / calls
        print(f"{calls} calls, {spent / calls * 1e6:.1f} us and {size:.0f} bytes a call")


if __name__ == "__main__":
    main()
