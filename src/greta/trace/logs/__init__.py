"""Other tools' logs as evidence: the same tables as of a recording, and what they cannot know.

    for evidence in read.read_log(["stderr.log", "dmesg.txt"]):
        print(evidence.trace.pid, len(evidence.trace.operations), evidence.trace.gaps)

docs/logs.md lists the formats.
"""
