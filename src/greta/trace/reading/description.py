"""One call as a person wants to see it, looked up when it is asked for."""

from __future__ import annotations

from greta.recording import CallEvent, Process
from greta.recording.tables_json import ScriptEntry
from greta.symbols.sites import SiteResolver, script_frames, user_frame
from greta.trace.trace import Call, Seq, Where

GRIDS = (
    ("gridDimX", "gridDimY", "gridDimZ"),
    ("numBlocks.x", "numBlocks.y", "numBlocks.z"),
    ("gridDim.x", "gridDim.y", "gridDim.z"),
)
BLOCKS = (
    ("blockDimX", "blockDimY", "blockDimZ"),
    ("dimBlocks.x", "dimBlocks.y", "dimBlocks.z"),
    ("blockDimX.x", "blockDimX.y", "blockDimX.z"),
    ("localWorkSizeX", "localWorkSizeY", "localWorkSizeZ"),
)
THREADS = ("globalWorkSizeX", "globalWorkSizeY", "globalWorkSizeZ")
# Structs with the grid: at which offsets grid and block are.
IN_STRUCTS = {"config": (0, 12), "pNodeParams": (32, 0)}

Size = tuple[int, int, int]


class Describer:
    """Describes the calls of one process; places are looked up once."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._sites = SiteResolver(process.tables.libraries)
        self._scripts: dict[int, Where] = {}

    def __call__(self, seq: Seq) -> Call:
        """The call with that number; IndexError if there is none."""
        event = self._process.event(seq)
        grid, block = grid_and_block(event)
        return Call(
            seq=seq,
            name=event.call,
            result=event.result,
            result_name=event.result_name,
            arguments=dict(event.arguments),
            where=self._where(event),
            kernel=event.kernel.name if event.kernel else None,
            kernel_arguments=_kernel_arguments(event),
            grid=grid,
            block=block,
            annotations=tuple(entry.text for entry in event.annotations),
        )

    def _where(self, event: CallEvent) -> Where:
        if event.script is not None:
            if event.script_id not in self._scripts:
                self._scripts[event.script_id] = _line_of(event.script)
            return self._scripts[event.script_id]
        site = self._sites.native(event.site, event.begin_ticks)
        if site is None:
            return Where()
        return Where(site.file or site.library, site.line, site.function)


def _line_of(script: ScriptEntry) -> Where:
    frames = script_frames(script)
    line = user_frame(frames) or next(iter(frames), None)
    return Where(line.file, line.line, line.function) if line else Where()


def _kernel_arguments(event: CallEvent) -> tuple[tuple[str, str, int | None], ...]:
    types = [parameter.type for parameter in event.kernel.arguments] if event.kernel else []
    types += [""] * (len(event.kernel_arguments) - len(types))
    return tuple(
        (argument.name, type_, argument.value if isinstance(argument.value, int) else None)
        for argument, type_ in zip(event.kernel_arguments, types, strict=False)
    )


def grid_and_block(event: CallEvent) -> tuple[Size | None, Size | None]:
    """Of a launch, in blocks and in threads."""
    for name, (grid_at, block_at) in IN_STRUCTS.items():
        if event.kernel_id and name in event.pointed:
            data = event.pointed[name].data
            return _sizes(data, grid_at), _sizes(data, block_at)
    block = _named(event, BLOCKS)
    threads = _named(event, (THREADS,))
    if threads and block:
        x, y, z = (-(-all_ // max(each, 1)) for all_, each in zip(threads, block, strict=True))
        return (x, y, z), block
    grid = _named(event, GRIDS)
    return (grid, block) if grid and block else (None, None)


def _named(event: CallEvent, choices: tuple[tuple[str, ...], ...]) -> Size | None:
    for names in choices:
        values = [event.arguments.get(name) for name in names]
        if all(isinstance(value, int) for value in values):
            x, y, z = (int(value or 0) for value in values)
            return x, y, z
    return None


def _sizes(data: bytes, at: int) -> Size | None:
    if len(data) < at + 12:
        return None
    x, y, z = (int.from_bytes(data[at + 4 * i : at + 4 * i + 4], "little") for i in range(3))
    return x, y, z
