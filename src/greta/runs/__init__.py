"""Running a program under the recorder, and keeping what says what ran.

    request = RunRequest(command=["./a.out"], environment=dict(os.environ), device=..., ...)
    run = record(request)
    run.ending.exit_code, run.folder.path
    for line in review(run):
        print(line.title, line.text)

`greta run` is the command.
"""

from greta.runs.child import Ending
from greta.runs.folder import RunFolder
from greta.runs.record import Run, RunRequest, record
from greta.runs.recorder import find_recorder, require_watch
from greta.runs.review import review
from greta.runs.summary import Line

__all__ = [
    "Ending",
    "Line",
    "Run",
    "RunFolder",
    "RunRequest",
    "find_recorder",
    "record",
    "require_watch",
    "review",
]
