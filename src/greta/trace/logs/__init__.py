"""Other tools' logs as evidence: the same tables as of a recording, and what they cannot know.

    for evidence in read.evidence_of(read.read_process_logs(path), [path]):
        print(evidence.trace.pid, len(evidence.trace.operations), evidence.trace.gaps)

docs/logs.md lists the formats.
"""
