"""Events that nodes of graphs record and wait for, against an oracle: sets of what is over."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from greta.forensics.order import ConflictKind, completion, conflicts, ordered
from greta.trace.trace import NONE, BranchedGraph, GraphNode, Kind, Row, StreamKind, Trace, Waits
from tests.forensics.tracing import Buffer, TraceBuilder

STREAM_KINDS = (
    *(StreamKind.LEGACY, StreamKind.BLOCKING),
    *(StreamKind.NON_BLOCKING, StreamKind.NON_BLOCKING),
)
EVENTS, GRAPHS = 2, 2
SOME = settings(max_examples=150, deadline=None)


@dataclass(frozen=True)
class Node:
    """What a node does (WORK: sets memory of its own), and which earlier ones it waits for."""

    what: str
    event: int
    after: frozenset[int]


@dataclass(frozen=True)
class Step:
    what: str
    stream: int
    event: int
    graph: int


@dataclass(frozen=True)
class Program:
    graphs: tuple[tuple[Node, ...], ...]
    steps: tuple[Step, ...]


Piece = tuple[str, int, int]
"""A step that works, or a node of a graph: ("step", its number, 0) or ("node", graph, place)."""


@st.composite
def graphs(draw: st.DrawFn) -> tuple[Node, ...]:
    nodes: list[Node] = []
    for number in range(draw(st.integers(2, 5))):
        what = draw(st.sampled_from(("work", "work", "record", "wait"))) if number else "work"
        after = draw(st.frozensets(st.integers(0, number - 1), max_size=2)) if number else ()
        nodes.append(Node(what, draw(st.integers(0, EVENTS - 1)), frozenset(after)))
    if all(node.what == "work" for node in nodes):
        nodes.append(Node("record", 0, frozenset({len(nodes) - 1})))
    return tuple(nodes)


STEPS = st.builds(
    Step,
    what=st.sampled_from(
        ("work", "launch", "launch", "record", "wait", "wait_event", "wait_stream")
    ),
    stream=st.integers(0, len(STREAM_KINDS) - 1),
    event=st.integers(0, EVENTS - 1),
    graph=st.integers(0, GRAPHS - 1),
)
PROGRAMS = st.builds(
    Program,
    graphs=st.tuples(*[graphs()] * GRAPHS),
    steps=st.lists(STEPS, min_size=2, max_size=14).map(tuple),
)


@dataclass
class Told:
    """The trace of a program, and the rows of its steps."""

    trace: Trace
    rows: list[Row]


def told(program: Program, shared: tuple[Piece, Piece] | None = None) -> Told:
    """Every piece sets memory of its own; two of them may set the same."""
    build = TraceBuilder()
    for kind in STREAM_KINDS[1:]:
        build.add_stream(kind)
    for _ in range(EVENTS):
        build.event()
    common = build.allocate(16)
    own: dict[Piece, Buffer] = dict.fromkeys(shared or (), common)
    pieces = [piece for piece in all_pieces(program) if piece not in own]
    own |= {piece: build.allocate(16) for piece in pieces}
    nodes = [add_graph(build, number, graph, own) for number, graph in enumerate(program.graphs)]
    rows, launches = [], []
    for number, step in enumerate(program.steps):
        rows.append(len(build.operations))
        if step.what == "launch":
            graph = nodes[step.graph]
            named = {row for node in graph for row in node.rows}
            build.call(Kind.GRAPH_LAUNCH, stream=step.stream, event=step.graph)
            given = [one for one in build.accesses if one["operation"] in named]
            build.accesses += [{**one, "operation": rows[-1]} for one in given]
            launches.append(BranchedGraph(rows[-1], graph))
        elif step.what == "work":
            build.fill(own["step", number, 0][:], step.stream)
        elif step.what == "record":
            build.record(step.event, step.stream)
        elif step.what == "wait":
            build.stream_wait(step.stream, step.event)
        elif step.what == "wait_event":
            build.wait_event(step.event)
        else:
            build.wait_stream(step.stream)
    return Told(replace(build.build(), event_graphs=tuple(launches)), rows)


def all_pieces(program: Program) -> Iterator[Piece]:
    for number, step in enumerate(program.steps):
        if step.what == "work":
            yield "step", number, 0
    for number, graph in enumerate(program.graphs):
        yield from (("node", number, at) for at, n in enumerate(graph) if n.what == "work")


def add_graph(
    build: TraceBuilder, number: int, graph: tuple[Node, ...], own: dict[Piece, Buffer]
) -> tuple[GraphNode, ...]:
    made = []
    for at, node in enumerate(graph):
        if node.what == "work":
            row = build.fill(own["node", number, at][:], NONE, captured=True)
        elif node.what == "record":
            row = build.record(node.event, NONE, captured=True)
        else:
            row = build.stream_wait(NONE, node.event, captured=True)
        made.append(GraphNode((row,), tuple(sorted(node.after))))
    return tuple(made)


# --- the oracle

Id = tuple[int, int]
"""A step, and a node of the graph that it launches."""


@dataclass
class Oracle:
    """HIP's rules: for each piece of work, all that is over before it begins."""

    program: Program
    before: dict[Id, set[Id]] = field(default_factory=dict)
    begins: dict[int, set[Id]] = field(default_factory=dict)
    past: dict[int, set[Id]] = field(default_factory=lambda: defaultdict(set))
    events: dict[int, set[Id]] = field(default_factory=dict)
    launched: dict[int, set[Id]] = field(default_factory=dict)
    host: set[Id] = field(default_factory=set)

    def __post_init__(self) -> None:
        for number, step in enumerate(self.program.steps):
            self.take(number, step)

    def take(self, number: int, step: Step) -> None:
        self.begins[number] = set(self.host)
        if step.what == "wait_event":
            self.host |= self.events.get(step.event, set())
        elif step.what == "wait_stream":
            self.host |= self.past[step.stream]
            self.host |= self.of_others(step.stream) if step.stream == 0 else set()
        elif step.what != "wait" or step.event in self.events:
            self.put(number, step)

    def put(self, number: int, step: Step) -> None:
        before = self.begins[number] | self.past[step.stream] | self.of_others(step.stream)
        if step.what == "launch":
            before |= self.launched.get(step.graph, set())
        if step.what == "wait":
            before |= self.events[step.event]
        self.begins[number] = before
        own = self.run(number, step.graph) if step.what == "launch" else {(number, 0)}
        self.before.setdefault((number, 0), before)
        self.past[step.stream] = before.union(own, *(self.before[one] for one in own))
        if step.what == "launch":
            self.launched[step.graph] = set(self.past[step.stream])
        if step.what == "record":
            self.events[step.event] = set(self.past[step.stream])

    def of_others(self, stream: int) -> set[Id]:
        """The default stream and the blocking one wait for each other."""
        return set(self.past[1 - stream]) if stream < 2 else set()

    def run(self, number: int, graph: int) -> set[Id]:
        nodes = self.program.graphs[graph]
        for at, node in enumerate(nodes):
            before = set(self.begins[number])
            for one in node.after:
                before |= self.before[number, one] | {(number, one)}
            if node.what == "wait":
                before |= self.events.get(node.event, set())
            self.before[number, at] = before
            if node.what == "record":
                self.events[node.event] = before | {(number, at)}
        return {(number, at) for at in range(len(nodes))}

    def ids(self, number: int) -> set[Id]:
        """What a step is made of: a wait is over when what it waits for is."""
        step = self.program.steps[number]
        nodes = self.program.graphs[step.graph] if step.what == "launch" else (node("work"),)
        return {(number, at) for at, one in enumerate(nodes) if one.what != "wait"}

    def occurrences(self, piece: Piece) -> list[Id]:
        kind, owner, at = piece
        if kind == "step":
            return [(owner, 0)]
        steps = enumerate(self.program.steps)
        return [(n, at) for n, step in steps if step.what == "launch" and step.graph == owner]

    def meet(self, one: Piece, other: Piece) -> bool:
        """Whether two pieces may run at the same time."""
        return any(
            min(a, b) not in self.before[max(a, b)]
            for a in self.occurrences(one)
            for b in self.occurrences(other)
            if a[0] != b[0]
        )


@SOME
@given(PROGRAMS)
def test_the_order_is_that_of_the_oracle(program: Program) -> None:
    oracle, shown = Oracle(program), told(program)
    works = [n for n, step in enumerate(program.steps) if step.what in ("work", "launch")]
    pairs = [(a, b) for b in range(len(program.steps)) for a in works if a < b]
    answers = ordered(shown.trace, [(shown.rows[a], shown.rows[b]) for a, b in pairs])
    for (a, b), answer in zip(pairs, answers, strict=True):
        assert answer.ordered == (oracle.ids(a) <= oracle.begins[b]), (a, b)


@SOME
@given(PROGRAMS)
def test_what_is_known_to_be_done_is_what_the_oracle_knows(program: Program) -> None:
    oracle, shown = Oracle(program), told(program)
    known_by = completion(shown.trace).known_by
    for number, step in enumerate(program.steps):
        if step.what in ("work", "launch"):
            by = known_by[shown.rows[number]]
            assert (by != NONE) == (oracle.ids(number) <= oracle.host), number
            assert by == NONE or program.steps[shown.rows.index(by)].what.startswith("wait_")


@SOME
@given(PROGRAMS, st.data())
def test_two_pieces_conflict_exactly_if_nothing_orders_them(
    program: Program, data: st.DataObject
) -> None:
    pieces = list(all_pieces(program))
    if len(pieces) < 2:
        return
    one, other = data.draw(st.sampled_from(pieces)), data.draw(st.sampled_from(pieces))
    if one == other or (one[0] == other[0] == "node" and one[1] == other[1]):
        return  # of one graph: tests/forensics/test_graph_branches.py
    found = list(conflicts(told(program, (one, other)).trace))
    assert bool(found) == Oracle(program).meet(one, other)
    assert all(conflict.kind is ConflictKind.WRITE_AFTER_WRITE for conflict in found)


# --- by hand

WORK, RECORD, WAIT = "work", "record", "wait"


def relay(writer: tuple[Node, ...], reader: tuple[Node, ...]) -> Program:
    launches = (Step("launch", 2, 0, 0), Step("launch", 3, 0, 1))
    return Program((writer, reader), launches)


def node(what: str, *after: int) -> Node:
    return Node(what, 0, frozenset(after))


def found(program: Program, one: int, other: int) -> int:
    """Conflicts of a node of the first graph with one of the second."""
    return len(conflicts(told(program, (("node", 0, one), ("node", 1, other))).trace))


def test_a_record_covers_what_comes_before_it_and_no_more() -> None:
    writer = (node(WORK), node(RECORD, 0), node(WORK, 1), node(WORK))
    program = relay(writer, (node(WAIT), node(WORK, 0)))
    assert [found(program, place, 1) for place in (0, 2, 3)] == [0, 1, 1]


def test_a_wait_holds_up_what_comes_behind_it_and_no_more() -> None:
    reader = (node(WORK), node(WAIT, 0), node(WORK, 1), node(WORK))
    program = relay((node(WORK), node(RECORD, 0)), reader)
    assert [found(program, 0, place) for place in (0, 2, 3)] == [1, 0, 1]


def test_a_launch_that_the_host_waits_for_with_its_call_has_waited_for_all_of_it() -> None:
    program = Program(((node(WORK), node(RECORD)), ()), (Step("launch", 2, 0, 0),))
    shown = told(program)
    shown.trace.operations["waits"][shown.rows[0]] = Waits.FOR_IT
    assert completion(shown.trace).known_by[shown.rows[0]] == shown.rows[0]


def test_the_conflict_names_the_launches_and_what_they_access() -> None:
    program = relay((node(WORK), node(RECORD)), (node(WAIT), node(WORK)))
    shown = told(program, (("node", 0, 0), ("node", 1, 1)))
    (conflict,) = conflicts(shown.trace)
    assert [conflict.first, conflict.second] == shown.rows
    accesses = shown.trace.accesses[[conflict.first_access, conflict.second_access]]
    assert accesses["operation"].tolist() == shown.rows


# --- events that other processes wait for


def shared_with_others(*, recorded_first: bool) -> tuple[Trace, list[Row]]:
    """A stream writes, and another one reads; between them a record that another process sees."""
    build = TraceBuilder()
    first, second = build.stream(), build.stream()
    memory = build.allocate(16)
    early = build.record(NONE, first)
    fill = build.fill(memory[:], first)
    late = build.record(NONE, first)
    reads = build.launch(second, reads=[memory[:]])
    record = early if recorded_first else late
    return replace(build.build(), shared_records=(record,)), [fill, reads]


def test_what_another_process_may_have_waited_for_is_not_accused() -> None:
    trace, (fill, reads) = shared_with_others(recorded_first=False)
    assert not len(conflicts(trace))
    assert ordered(trace, [(fill, reads)])[0].ordered
    assert completion(trace).known_by[fill] == NONE  # nor is it known to be done


def test_what_comes_behind_the_record_nobody_can_have_waited_for() -> None:
    trace, _ = shared_with_others(recorded_first=True)
    assert len(conflicts(trace)) == 1
