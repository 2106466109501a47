"""Other tools' logs as evidence: the same tables as of a recording, and what they cannot know.

    for evidence in read_log(["stderr.log", "dmesg.txt"]):
        print(evidence.trace.pid, len(evidence.trace.operations), evidence.trace.gaps)

docs/logs.md lists the formats.
"""

from greta.ingest.read import read_log, read_stories

__all__ = ["read_log", "read_stories"]
