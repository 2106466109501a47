"""Reading recordings: from the files of a run to typed events in order.

    recording = open_recording("run")
    for process in recording.processes:
        for event in process.events():
            print(event.seq, event.call, event.arguments, event.result_name)

The format is fixed in contract/recording.h. A damaged recording gives what can be read of it, and
`problems` says what cannot.
"""

from greta.recording._contract import ENQUEUING, ERROR_NAMES, ERROR_TEXTS
from greta.recording._format import End, LiveKind, PayloadKind
from greta.recording.columns import Columns
from greta.recording.entries import (
    AnnotationEntry,
    CallEntry,
    KernelEntry,
    KernelParameter,
    LibraryEntry,
    ModuleEntry,
    ProcessEntry,
    ScriptEntry,
    ScriptFrame,
    Tables,
    WordEntry,
)
from greta.recording.errors import RecordingError
from greta.recording.events import Event
from greta.recording.header import Header
from greta.recording.identities import Allocation, Identity
from greta.recording.kernel_arguments import KernelArgument
from greta.recording.lanes import Lane
from greta.recording.live import LiveEntry, LiveTable
from greta.recording.payloads import Payload
from greta.recording.process import Ending, Process
from greta.recording.reader import Recording, open_recording, unrecorded_processes
from greta.recording.results import ORDINARY, can_fail, is_failure, result_name

__all__ = [
    "ENQUEUING",
    "ERROR_NAMES",
    "ERROR_TEXTS",
    "ORDINARY",
    "Allocation",
    "AnnotationEntry",
    "CallEntry",
    "Columns",
    "End",
    "Ending",
    "Event",
    "Header",
    "Identity",
    "KernelArgument",
    "KernelEntry",
    "KernelParameter",
    "Lane",
    "LibraryEntry",
    "LiveEntry",
    "LiveKind",
    "LiveTable",
    "ModuleEntry",
    "Payload",
    "PayloadKind",
    "Process",
    "ProcessEntry",
    "Recording",
    "RecordingError",
    "ScriptEntry",
    "ScriptFrame",
    "Tables",
    "WordEntry",
    "can_fail",
    "is_failure",
    "open_recording",
    "result_name",
    "unrecorded_processes",
]
