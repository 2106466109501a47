"""Everything that is known of a run, from its files: a list of evidence, one for each process.

    for evidence in gather("greta-runs/20260101-120000-app", Expectations(texts=("[D2H_CHECK]",))):
        ...

A path may be a run folder, a recording, a log, or a folder of logs; several paths are one run.
"""

from greta.runs.gather.paths import gather
from greta.trace.evidence import Expectations

__all__ = ["Expectations", "gather"]
