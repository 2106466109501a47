"""Reading recordings: from the files of a run to typed events in order.

    recording = open_recording("run")
    for process in recording.processes:
        for event in process.events():
            print(event.seq, event.call, event.arguments, event.result_name)

The format is fixed in contract/recording.h. A damaged recording gives what can be read of it, and
`problems` says what cannot.
"""

from greta.recording._contract import (
    EFFECTS,
    ERROR_NAMES,
    ERROR_TEXTS,
    UNKNOWN_STREAM,
    CallKind,
    Effects,
    GraphEffect,
    HostWait,
    Launch,
    Mapped,
    MemoryRange,
    Missing,
    Sharing,
    Step,
)
from greta.recording._format import End, LiveKind, PayloadKind
from greta.recording.columns import Columns
from greta.recording.events import (
    ANNOUNCEMENTS,
    ORDINARY,
    PART_LAUNCHED,
    TELLS_OF_OTHERS,
    Block,
    CallEvent,
    KernelArgument,
    Payload,
    can_fail,
    effects_of,
    is_failure,
    on_own_stream,
    result_name,
)
from greta.recording.files import RecordingError
from greta.recording.header import LiveEntry, LiveTable, ProcessHeader
from greta.recording.identities import Allocation, Identity
from greta.recording.lanes import Lane
from greta.recording.notes import AccessedRanges, DeviceNote, DeviceVariable, Footprint
from greta.recording.process import (
    Process,
    ProcessEnd,
    Recording,
    is_recording,
    open_recording,
    unrecorded_processes,
)
from greta.recording.tables_json import (
    AnnotationEntry,
    CallEntry,
    KernelEntry,
    KernelParameter,
    LibraryEntry,
    ModuleEntry,
    ProcessEntry,
    ScriptEntry,
    ScriptFrame,
    StackEntry,
    Tables,
    WordEntry,
)

__all__ = [
    "ANNOUNCEMENTS",
    "EFFECTS",
    "ERROR_NAMES",
    "ERROR_TEXTS",
    "ORDINARY",
    "PART_LAUNCHED",
    "TELLS_OF_OTHERS",
    "UNKNOWN_STREAM",
    "AccessedRanges",
    "Allocation",
    "AnnotationEntry",
    "Block",
    "CallEntry",
    "CallEvent",
    "CallKind",
    "Columns",
    "DeviceNote",
    "DeviceVariable",
    "Effects",
    "End",
    "Footprint",
    "GraphEffect",
    "HostWait",
    "Identity",
    "KernelArgument",
    "KernelEntry",
    "KernelParameter",
    "Lane",
    "Launch",
    "LibraryEntry",
    "LiveEntry",
    "LiveKind",
    "LiveTable",
    "Mapped",
    "MemoryRange",
    "Missing",
    "ModuleEntry",
    "Payload",
    "PayloadKind",
    "Process",
    "ProcessEnd",
    "ProcessEntry",
    "ProcessHeader",
    "Recording",
    "RecordingError",
    "ScriptEntry",
    "ScriptFrame",
    "Sharing",
    "StackEntry",
    "Step",
    "Tables",
    "WordEntry",
    "can_fail",
    "effects_of",
    "is_failure",
    "is_recording",
    "on_own_stream",
    "open_recording",
    "result_name",
    "unrecorded_processes",
]
