"""What each HIP call does, as far as memory and order are concerned. To add a call, add a line.

Words are those of the call's entry in the recording, which are the parameters of the C function.
A twin NAME_spt means the same as NAME, on the calling thread's own default stream.

Whom a handle means is not said here, nor what becomes of a call whose stream is being captured:
see streams and graphs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from greta.trace.reading.ranges import Box, Rectangle, Run, Shape, WordName
from greta.trace.trace import Kind, Mode, Role, Space


class Wait(Enum):
    """When the host waits for what it enqueued; reading.waits has the rules."""

    NEVER = auto()
    LIKE_MEMCPY = auto()
    LIKE_MEMCPY_ASYNC = auto()
    LIKE_MEMSET = auto()
    LIKE_FREE = auto()
    FOR_DEVICE = auto()


class Step(Enum):
    """What a call does to a graph; reading.graphs follows them."""

    BEGIN_CAPTURE = auto()
    END_CAPTURE = auto()
    CREATE = auto()
    CLONE = auto()
    FIND_IN_CLONE = auto()
    DESTROY = auto()
    ADD_NODE = auto()
    ADD_CHILD = auto()
    ADD_EDGES = auto()
    REMOVE_EDGES = auto()
    CHANGE_NODE = auto()
    REMOVE_NODE = auto()
    INSTANTIATE = auto()
    UPDATE = auto()
    CHANGE_EXEC_NODE = auto()
    CHANGE_EXEC_CHILD = auto()
    ENABLE_EXEC_NODE = auto()
    LAUNCH = auto()


@dataclass(frozen=True)
class Touch:
    """A range of memory that the call names."""

    role: Role
    mode: Mode
    shape: Shape
    space: Space = Space.UNKNOWN
    writes_if: WordName = ""
    """The word that says whether it is written; otherwise it is read."""

    @property
    def names(self) -> tuple[WordName, ...]:
        """The words it needs."""
        return (*self.shape.names, *filter(None, (self.writes_if,)))

    @property
    def element(self) -> int:
        """Bytes that must be set together, of fills by numbers of 16 or 32 bits; 0 of others."""
        unit = 1 if isinstance(self.shape, Box) else self.shape.unit
        return unit if isinstance(unit, int) and unit > 1 else 0


@dataclass(frozen=True)
class Grid:
    """Where a launch says how many threads it has."""

    grid: tuple[WordName, ...]
    block: tuple[WordName, ...]
    counts_threads: bool = False
    """The grid is given in threads and not in blocks."""


@dataclass(frozen=True)
class GraphStep:
    """What the call does to a graph, and the words that hold the handles."""

    step: Step
    graph: WordName = ""
    node: WordName = ""
    other: WordName = ""
    """The graph that is cloned, instantiated, taken in; the node that is looked for."""
    after: WordName = ""
    """The array of nodes that come before the node; of edges, before each of `before`."""
    before: WordName = ""

    @property
    def names(self) -> tuple[WordName, ...]:
        """The words it needs."""
        counts = "numDependencies" if self.after else ""
        return (self.graph, self.node, self.other, self.after, self.before, counts)


@dataclass(frozen=True)
class Meaning:
    """Of a call."""

    kind: Kind
    stream: WordName = ""
    event: WordName = ""
    touches: tuple[Touch, ...] = ()
    copy_kind: WordName = ""
    wait: Wait = Wait.NEVER
    grid: Grid | None = None
    graph: GraphStep | None = None
    node_only: bool = False
    """It makes or changes a node of a graph, and runs when the graph is launched."""
    optional: frozenset[WordName] = field(default=frozenset())
    """Words that older recordings may not have."""

    @property
    def enqueues(self) -> bool:
        """Whether it puts something on a stream, the default one if it names none."""
        return self.kind in ENQUEUED and not self.node_only

    @property
    def names(self) -> set[WordName]:
        """The words it cannot be understood without."""
        shapes = [name for touch in self.touches for name in touch.names]
        sizes = [*self.grid.grid, *self.grid.block] if self.grid else []
        handles = self.graph.names if self.graph else ()
        own = [self.stream, self.event, self.copy_kind]
        return set(filter(None, [*own, *shapes, *sizes, *handles])) - self.optional


ENQUEUED: Final = frozenset(
    (
        *(Kind.COPY, Kind.FILL, Kind.LAUNCH, Kind.GRAPH_LAUNCH, Kind.HOST_FUNCTION),
        *(Kind.EVENT_RECORD, Kind.STREAM_WAIT_EVENT),
    )
)

# --- the words of a line --------------------------------------------------------------------------


def copies(
    to: Shape | None, source: Shape | None, direction: str, wait: Wait, stream: WordName = ""
) -> Meaning:
    """`direction` is such as "H2D", or the word that holds the hipMemcpyKind, or "" if unsaid."""
    spaces = {"H": Space.HOST, "D": Space.DEVICE}
    fixed = len(direction) == len("H2D") and direction[1] == "2"
    into = spaces[direction[2]] if fixed else Space.UNKNOWN
    out_of = spaces[direction[0]] if fixed else Space.UNKNOWN
    touches = [Touch(Role.DESTINATION, Mode.WRITE, to, into)] if to else []
    touches += [Touch(Role.SOURCE, Mode.READ, source, out_of)] if source else []
    kind = "" if fixed else direction
    return Meaning(Kind.COPY, stream, touches=tuple(touches), copy_kind=kind, wait=wait)


def fills(what: Shape, wait: Wait, stream: WordName = "") -> Meaning:
    """Sets memory."""
    touch = Touch(Role.DESTINATION, Mode.WRITE, what, Space.DEVICE)
    return Meaning(Kind.FILL, stream, touches=(touch,), wait=wait)


def launches(
    grid: str, block: str, stream: WordName, *, counts_threads: bool = False, stop: WordName = ""
) -> Meaning:
    """`grid` and `block` are patterns of three words, * standing for x, y and z or X, Y and Z.

    Or they are the place in a struct of the first of three numbers. `stop` is an event that is
    recorded behind the kernel.
    """
    size = Grid(_three(grid), _three(block), counts_threads)
    return Meaning(Kind.LAUNCH, stream, stop, grid=size, optional=frozenset((stop,)))


def _three(pattern: str) -> tuple[WordName, ...]:
    if "@" in pattern:
        struct, offset = pattern.split("@")
        return tuple(f"{struct}@{int(offset) + 4 * i}:4" for i in range(3))
    letters = "XYZ" if pattern.endswith("Dim*") or "Size" in pattern else "xyz"
    return tuple(pattern.replace("*", letter) for letter in letters)


def allocates(stream: WordName = "") -> Meaning:
    """What, greta.recording knows."""
    return Meaning(Kind.ALLOCATE, stream)


def frees(address: WordName, space: Space = Space.DEVICE, stream: WordName = "") -> Meaning:
    """Of a life that greta.recording knows."""
    touch = Touch(Role.FREED, Mode.WRITE, Run(address, unit=0), space)
    return Meaning(Kind.FREE, stream, touches=(touch,), wait=Wait.LIKE_FREE)


def node(meaning: Meaning, step: Step, graph: WordName = "", node: WordName = "") -> Meaning:
    """A call that makes or changes a node which does what `meaning` says."""
    fields = {name: getattr(meaning, name) for name in ("kind", "touches", "copy_kind", "grid")}
    rule = GraphStep(step, graph, node, after=DEPENDENCIES.get(node, ""))
    return Meaning(**fields, graph=rule, node_only=True)


def graph(
    step: Step, graph: WordName, node: WordName = "", other: WordName = "", stream: WordName = ""
) -> Meaning:
    """A call that only concerns graphs."""
    kind = Kind.GRAPH_LAUNCH if step is Step.LAUNCH else Kind.OTHER
    rule = GraphStep(step, graph, node, other, after=DEPENDENCIES.get(node, ""))
    return Meaning(kind, stream, graph=rule)


DEPENDENCIES: Final = {"pGraphNode": "pDependencies", "phGraphNode": "dependencies"}
"""The array that a call which adds a node has beside the node, by the name of that."""


# --- shapes that several calls share --------------------------------------------------------------

MEMCPY, ASYNC, MEMSET = Wait.LIKE_MEMCPY, Wait.LIKE_MEMCPY_ASYNC, Wait.LIKE_MEMSET
QUEUED = Wait.NEVER

TO, FROM = Run("dst", "sizeBytes"), Run("src", "sizeBytes")
TO_2D = Rectangle("dst", "dpitch", "width", "height")
FROM_2D = Rectangle("src", "spitch", "width", "height")
TO_SYMBOL = Run("symbol", "sizeBytes", offset="offset")
TO_COUNT, FROM_COUNT = Run("dst", "count"), Run("src", "count")
SYMBOL_COUNT = Run("symbol", "count", offset="offset")
BYTES = Run("dst", "sizeBytes")
RECTANGLE = Rectangle("dst", "pitch", "width", "height")
PITCHED = Box(
    *(("pitchedDevPtr.ptr",), "pitchedDevPtr.pitch", "pitchedDevPtr.ysize"),
    size=("extent.width", "extent.height", "extent.depth"),
)


def _copy_3d(p: WordName) -> tuple[Box, Box]:
    """hipMemcpy3DParms: where to and where from."""
    size = (f"{p}@128", f"{p}@136", f"{p}@144")
    out_of = Box((f"{p}@32",), f"{p}@40", f"{p}@56", (f"{p}@8", f"{p}@16", f"{p}@24"), size)
    into = Box((f"{p}@96",), f"{p}@104", f"{p}@120", (f"{p}@72", f"{p}@80", f"{p}@88"), size)
    return into, out_of


def _driver_3d(p: WordName) -> tuple[Box, Box]:
    """HIP_MEMCPY3D."""
    size = (f"{p}@160", f"{p}@168", f"{p}@176")
    start = (f"{p}@0", f"{p}@8", f"{p}@16")
    out_of = Box((f"{p}@40", f"{p}@48"), f"{p}@64", f"{p}@72", start, size)
    start = (f"{p}@80", f"{p}@88", f"{p}@96")
    into = Box((f"{p}@120", f"{p}@128"), f"{p}@144", f"{p}@152", start, size)
    return into, out_of


def _driver_2d(p: WordName) -> tuple[Box, Box]:
    """hip_Memcpy2D."""
    size = (f"{p}@112", f"{p}@120")
    out_of = Box((f"{p}@24", f"{p}@32"), f"{p}@48", "", (f"{p}@0", f"{p}@8"), size)
    into = Box((f"{p}@80", f"{p}@88"), f"{p}@104", "", (f"{p}@56", f"{p}@64"), size)
    return into, out_of


def _memset_node(p: WordName) -> Rectangle:
    """hipMemsetParams."""
    return Rectangle(f"{p}@0", f"{p}@24", f"{p}@40", f"{p}@16", unit=f"{p}@8:4")


TOUCHED = Touch(Role.HOST, Mode.READ, Run("address"), Space.HOST, writes_if="write")
COPY_3D = _copy_3d("p")
KERNEL_NODE = launches("pNodeParams@32", "pNodeParams@0", "")
COPY_NODE = copies(TO_COUNT, FROM_COUNT, "kind", QUEUED)
COPY_TO_SYMBOL_NODE = copies(SYMBOL_COUNT, FROM_COUNT, "kind", QUEUED)
COPY_FROM_SYMBOL_NODE = copies(TO_COUNT, SYMBOL_COUNT, "kind", QUEUED)
HOST_NODE = Meaning(Kind.HOST_FUNCTION)

# --- the table ------------------------------------------------------------------------------------

MEANINGS: Final[dict[str, Meaning]] = {
    # Memory. hipMalloc does not wait for anything, whatever else it is like.
    "hipMalloc": allocates(),
    "hipExtMallocWithFlags": allocates(),
    "hipMallocPitch": allocates(),
    "hipMemAllocPitch": allocates(),
    "hipMalloc3D": allocates(),
    "hipMallocManaged": allocates(),
    "hipHostMalloc": allocates(),
    "hipHostAlloc": allocates(),
    "hipMallocHost": allocates(),
    "hipMemAllocHost": allocates(),
    "hipHostRegister": allocates(),
    "hipMallocAsync": allocates("stream"),
    "hipMallocFromPoolAsync": allocates("stream"),
    "hipMemMap": allocates(),
    "hipFree": frees("ptr"),
    "hipFreeHost": frees("ptr", Space.HOST),
    "hipHostFree": frees("ptr", Space.HOST),
    "hipHostUnregister": frees("hostPtr", Space.HOST),
    "hipFreeAsync": frees("dev_ptr", stream="stream"),
    "hipMemUnmap": frees("ptr"),
    # Copies.
    "hipMemcpy": copies(TO, FROM, "kind", MEMCPY),
    "hipMemcpyWithStream": copies(TO, FROM, "kind", MEMCPY, "stream"),
    "hipMemcpyHtoD": copies(TO, FROM, "H2D", MEMCPY),
    "hipMemcpyDtoH": copies(TO, FROM, "D2H", MEMCPY),
    "hipMemcpyDtoD": copies(TO, FROM, "D2D", MEMCPY),
    "hipMemcpyHtoDAsync": copies(TO, FROM, "H2D", ASYNC, "stream"),
    "hipMemcpyDtoHAsync": copies(TO, FROM, "D2H", ASYNC, "stream"),
    "hipMemcpyDtoDAsync": copies(TO, FROM, "D2D", ASYNC, "stream"),
    "hipMemcpyAsync": copies(TO, FROM, "kind", ASYNC, "stream"),
    "hipMemcpy2D": copies(TO_2D, FROM_2D, "kind", MEMCPY),
    "hipMemcpy2DAsync": copies(TO_2D, FROM_2D, "kind", ASYNC, "stream"),
    "hipMemcpyPeer": copies(TO, FROM, "D2D", MEMCPY),
    "hipMemcpyPeerAsync": copies(TO, FROM, "D2D", ASYNC, "stream"),
    "hipMemcpyParam2D": copies(*_driver_2d("pCopy"), "", MEMCPY),
    "hipMemcpyParam2DAsync": copies(*_driver_2d("pCopy"), "", ASYNC, "stream"),
    "hipDrvMemcpy2DUnaligned": copies(*_driver_2d("pCopy"), "", MEMCPY),
    "hipMemcpy3D": copies(*COPY_3D, "p@152:4", MEMCPY),
    "hipMemcpy3DAsync": copies(*COPY_3D, "p@152:4", ASYNC, "stream"),
    "hipDrvMemcpy3D": copies(*_driver_3d("pCopy"), "", MEMCPY),
    "hipDrvMemcpy3DAsync": copies(*_driver_3d("pCopy"), "", ASYNC, "stream"),
    # A symbol is told by the address of its shadow in the program; reading.allocations knows more.
    "hipMemcpyToSymbol": copies(TO_SYMBOL, FROM, "kind", MEMCPY),
    "hipMemcpyToSymbolAsync": copies(TO_SYMBOL, FROM, "kind", ASYNC, "stream"),
    "hipMemcpyFromSymbol": copies(TO, TO_SYMBOL, "kind", MEMCPY),
    "hipMemcpyFromSymbolAsync": copies(TO, TO_SYMBOL, "kind", ASYNC, "stream"),
    # Fills.
    "hipMemset": fills(BYTES, MEMSET),
    "hipMemsetAsync": fills(BYTES, QUEUED, "stream"),
    "hipMemsetD8": fills(Run("dest", "count"), MEMSET),
    "hipMemsetD8Async": fills(Run("dest", "count"), QUEUED, "stream"),
    "hipMemsetD16": fills(Run("dest", "count", unit=2), MEMSET),
    "hipMemsetD16Async": fills(Run("dest", "count", unit=2), QUEUED, "stream"),
    "hipMemsetD32": fills(Run("dest", "count", unit=4), MEMSET),
    "hipMemsetD32Async": fills(Run("dst", "count", unit=4), QUEUED, "stream"),
    "hipMemset2D": fills(RECTANGLE, MEMSET),
    "hipMemset2DAsync": fills(RECTANGLE, QUEUED, "stream"),
    "hipMemset3D": fills(PITCHED, MEMSET),
    "hipMemset3DAsync": fills(PITCHED, QUEUED, "stream"),
    "hipMemsetD2D8": fills(Rectangle("dst", "dstPitch", "width", "height"), MEMSET),
    "hipMemsetD2D8Async": fills(Rectangle("dst", "dstPitch", "width", "height"), QUEUED, "stream"),
    "hipMemsetD2D16": fills(Rectangle("dst", "dstPitch", "width", "height", 2), MEMSET),
    "hipMemsetD2D16Async": fills(
        Rectangle("dst", "dstPitch", "width", "height", 2), QUEUED, "stream"
    ),
    "hipMemsetD2D32": fills(Rectangle("dst", "dstPitch", "width", "height", 4), MEMSET),
    "hipMemsetD2D32Async": fills(
        Rectangle("dst", "dstPitch", "width", "height", 4), QUEUED, "stream"
    ),
    # Launches.
    "hipModuleLaunchKernel": launches("gridDim*", "blockDim*", "stream"),
    "hipModuleLaunchCooperativeKernel": launches("gridDim*", "blockDim*", "stream"),
    "hipExtModuleLaunchKernel": launches(
        *("globalWorkSize*", "localWorkSize*", "hStream"), counts_threads=True, stop="stopEvent"
    ),
    "hipHccModuleLaunchKernel": launches(
        *("globalWorkSize*", "localWorkSize*", "hStream"), counts_threads=True, stop="stopEvent"
    ),
    "hipLaunchKernel": launches("numBlocks.*", "dimBlocks.*", "stream"),
    "hipExtLaunchKernel": launches("numBlocks.*", "dimBlocks.*", "stream", stop="stopEvent"),
    "hipLaunchCooperativeKernel": launches("gridDim.*", "blockDimX.*", "stream"),
    "hipLaunchKernelExC": launches("config@0", "config@12", "config@32"),
    "hipDrvLaunchKernelEx": launches("config@0", "config@12", "config@32"),
    "hipLaunchHostFunc": Meaning(Kind.HOST_FUNCTION, "stream"),
    "hipStreamAddCallback": Meaning(Kind.HOST_FUNCTION, "stream"),
    # Order.
    "hipStreamCreate": Meaning(Kind.STREAM_CREATE, "stream"),
    "hipStreamCreateWithFlags": Meaning(Kind.STREAM_CREATE, "stream"),
    "hipStreamCreateWithPriority": Meaning(Kind.STREAM_CREATE, "stream"),
    "hipExtStreamCreateWithCUMask": Meaning(Kind.STREAM_CREATE, "stream"),
    "hipStreamDestroy": Meaning(Kind.STREAM_DESTROY, "stream"),  # its work goes on
    "hipStreamSynchronize": Meaning(Kind.WAIT_STREAM, "stream"),
    "hipStreamQuery": Meaning(Kind.QUERY_STREAM, "stream"),
    "hipStreamWaitEvent": Meaning(Kind.STREAM_WAIT_EVENT, "stream", "event"),
    "hipEventRecord": Meaning(Kind.EVENT_RECORD, "stream", "event"),
    "hipEventRecordWithFlags": Meaning(Kind.EVENT_RECORD, "stream", "event"),
    "hipEventSynchronize": Meaning(Kind.WAIT_EVENT, event="event"),
    "hipEventQuery": Meaning(Kind.QUERY_EVENT, event="event"),
    "hipEventElapsedTime": Meaning(Kind.QUERY_EVENT, event="stop"),  # fails if it is not complete
    "hipDeviceSynchronize": Meaning(Kind.WAIT_DEVICE),
    "hipCtxSynchronize": Meaning(Kind.WAIT_DEVICE),
    "hipDeviceReset": Meaning(Kind.RESET, wait=Wait.FOR_DEVICE),
    # What the recorder itself writes: the host touched memory of a copy that is in flight, and a
    # wait that was added in place of one the program lacks.
    "greta_host_touch": Meaning(Kind.HOST_TOUCH, touches=(TOUCHED,)),
    "greta_added_sync": Meaning(Kind.WAIT_STREAM, "stream"),
    # Graphs.
    "hipStreamBeginCapture": graph(Step.BEGIN_CAPTURE, "", stream="stream"),
    "hipStreamBeginCaptureToGraph": graph(Step.BEGIN_CAPTURE, "graph", stream="stream"),
    "hipStreamEndCapture": graph(Step.END_CAPTURE, "pGraph", stream="stream"),
    "hipGraphCreate": graph(Step.CREATE, "pGraph"),
    "hipGraphClone": graph(Step.CLONE, "pGraphClone", other="originalGraph"),
    "hipGraphNodeFindInClone": graph(Step.FIND_IN_CLONE, "clonedGraph", "pNode", "originalNode"),
    "hipGraphDestroy": graph(Step.DESTROY, "graph"),
    "hipGraphDestroyNode": graph(Step.REMOVE_NODE, "", "node"),
    "hipGraphInstantiate": graph(Step.INSTANTIATE, "pGraphExec", other="graph"),
    "hipGraphInstantiateWithFlags": graph(Step.INSTANTIATE, "pGraphExec", other="graph"),
    "hipGraphInstantiateWithParams": graph(Step.INSTANTIATE, "pGraphExec", other="graph"),
    "hipGraphExecUpdate": graph(Step.UPDATE, "hGraphExec", other="hGraph"),
    "hipGraphNodeSetEnabled": graph(Step.ENABLE_EXEC_NODE, "hGraphExec", "hNode", "isEnabled"),
    "hipGraphLaunch": graph(Step.LAUNCH, "graphExec", stream="stream"),
    "hipGraphAddChildGraphNode": graph(Step.ADD_CHILD, "graph", "pGraphNode", "childGraph"),
    "hipGraphExecChildGraphNodeSetParams": graph(
        Step.CHANGE_EXEC_CHILD, "hGraphExec", "node", "childGraph"
    ),
    "hipGraphAddEmptyNode": graph(Step.ADD_NODE, "graph", "pGraphNode"),
    "hipGraphAddDependencies": Meaning(
        Kind.OTHER, graph=GraphStep(Step.ADD_EDGES, "graph", after="from", before="to")
    ),
    "hipGraphRemoveDependencies": graph(Step.REMOVE_EDGES, "graph"),
    "hipGraphAddKernelNode": node(KERNEL_NODE, Step.ADD_NODE, "graph", "pGraphNode"),
    "hipGraphKernelNodeSetParams": node(KERNEL_NODE, Step.CHANGE_NODE, "", "node"),
    "hipGraphExecKernelNodeSetParams": node(
        KERNEL_NODE, Step.CHANGE_EXEC_NODE, "hGraphExec", "node"
    ),
    "hipGraphAddMemcpyNode1D": node(COPY_NODE, Step.ADD_NODE, "graph", "pGraphNode"),
    "hipGraphMemcpyNodeSetParams1D": node(COPY_NODE, Step.CHANGE_NODE, "", "node"),
    "hipGraphExecMemcpyNodeSetParams1D": node(
        COPY_NODE, Step.CHANGE_EXEC_NODE, "hGraphExec", "node"
    ),
    "hipGraphAddMemcpyNodeToSymbol": node(
        COPY_TO_SYMBOL_NODE, Step.ADD_NODE, "graph", "pGraphNode"
    ),
    "hipGraphMemcpyNodeSetParamsToSymbol": node(COPY_TO_SYMBOL_NODE, Step.CHANGE_NODE, "", "node"),
    "hipGraphExecMemcpyNodeSetParamsToSymbol": node(
        COPY_TO_SYMBOL_NODE, Step.CHANGE_EXEC_NODE, "hGraphExec", "node"
    ),
    "hipGraphAddMemcpyNodeFromSymbol": node(
        COPY_FROM_SYMBOL_NODE, Step.ADD_NODE, "graph", "pGraphNode"
    ),
    "hipGraphMemcpyNodeSetParamsFromSymbol": node(
        COPY_FROM_SYMBOL_NODE, Step.CHANGE_NODE, "", "node"
    ),
    "hipGraphExecMemcpyNodeSetParamsFromSymbol": node(
        COPY_FROM_SYMBOL_NODE, Step.CHANGE_EXEC_NODE, "hGraphExec", "node"
    ),
    "hipGraphAddMemcpyNode": node(
        copies(*_copy_3d("pCopyParams"), "pCopyParams@152:4", QUEUED),
        *(Step.ADD_NODE, "graph", "pGraphNode"),
    ),
    "hipGraphMemcpyNodeSetParams": node(
        copies(*_copy_3d("pNodeParams"), "pNodeParams@152:4", QUEUED),
        *(Step.CHANGE_NODE, "", "node"),
    ),
    "hipGraphExecMemcpyNodeSetParams": node(
        copies(*_copy_3d("pNodeParams"), "pNodeParams@152:4", QUEUED),
        *(Step.CHANGE_EXEC_NODE, "hGraphExec", "node"),
    ),
    "hipDrvGraphAddMemcpyNode": node(
        copies(*_driver_3d("copyParams"), "", QUEUED), Step.ADD_NODE, "hGraph", "phGraphNode"
    ),
    "hipDrvGraphMemcpyNodeSetParams": node(
        copies(*_driver_3d("nodeParams"), "", QUEUED), Step.CHANGE_NODE, "", "hNode"
    ),
    "hipDrvGraphExecMemcpyNodeSetParams": node(
        copies(*_driver_3d("copyParams"), "", QUEUED),
        *(Step.CHANGE_EXEC_NODE, "hGraphExec", "hNode"),
    ),
    "hipGraphAddMemsetNode": node(
        fills(_memset_node("pMemsetParams"), QUEUED), Step.ADD_NODE, "graph", "pGraphNode"
    ),
    "hipGraphMemsetNodeSetParams": node(
        fills(_memset_node("pNodeParams"), QUEUED), Step.CHANGE_NODE, "", "node"
    ),
    "hipGraphExecMemsetNodeSetParams": node(
        fills(_memset_node("pNodeParams"), QUEUED), Step.CHANGE_EXEC_NODE, "hGraphExec", "node"
    ),
    "hipDrvGraphAddMemsetNode": node(
        fills(_memset_node("memsetParams"), QUEUED), Step.ADD_NODE, "hGraph", "phGraphNode"
    ),
    "hipDrvGraphExecMemsetNodeSetParams": node(
        fills(_memset_node("memsetParams"), QUEUED), Step.CHANGE_EXEC_NODE, "hGraphExec", "hNode"
    ),
    "hipGraphAddHostNode": node(HOST_NODE, Step.ADD_NODE, "graph", "pGraphNode"),
    "hipGraphHostNodeSetParams": node(HOST_NODE, Step.CHANGE_NODE, "", "node"),
    "hipGraphExecHostNodeSetParams": node(HOST_NODE, Step.CHANGE_EXEC_NODE, "hGraphExec", "node"),
}


def meaning_of(call: str) -> Meaning | None:
    """The line of a call; of a twin with its own default stream, that of the call."""
    return MEANINGS.get(call.removesuffix("_spt"))
