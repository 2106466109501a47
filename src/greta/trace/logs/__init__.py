"""Other tools' logs as evidence: the same tables as of a recording, and what they cannot know.

    for evidence in read_log(["stderr.log", "dmesg.txt"]):
        print(evidence.trace.pid, len(evidence.trace.operations), evidence.trace.gaps)

docs/logs.md lists the formats.
"""

from greta.trace.logs.read import (
    evidence_of,
    process_logs_if_any,
    process_logs_of_output,
    read_log,
    read_process_logs,
)

__all__ = [
    "evidence_of",
    "process_logs_if_any",
    "process_logs_of_output",
    "read_log",
    "read_process_logs",
]
