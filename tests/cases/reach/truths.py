"""Which bytes a kernel uses: known from footprints, else a guess, which convicts nobody.

Every program is judged twice: with footprints it is decided, to the byte. Without them the two
operations are named in a doubt and the run is INCONCLUSIVE, of the faulty one as of its twin: what
was recorded of them is alike.
"""

from tests.cases.truth import DEVICE_POINTERS, OVERLAP, Case, Doubt, Step


def meets(
    program: str,
    variant: str,
    cause: Step,
    other: Step,
    buffer: Step,
    hypothesis: str = "missing_sync",
    may: tuple[str, ...] = (),
) -> Case:
    """By footprints: `cause` came too early for `other`."""
    return Case(
        hypothesis,
        program,
        arguments=(variant,),
        label=f"{variant}, footprints",
        folder="reach",
        fires=True,
        cause=cause,
        other=other,
        buffer=buffer,
        may=may,
        footprints=True,
    )


def apart(program: str, variant: str = "right", hypothesis: str = "missing_sync") -> Case:
    """By footprints: they never meet."""
    return Case(
        hypothesis,
        program,
        arguments=(variant,),
        label=f"{variant}, footprints",
        folder="reach",
        footprints=True,
    )


def undecided(
    program: str,
    variant: str,
    faulty: bool,
    *operations: Step,
    hypothesis: str = "missing_sync",
) -> Case:
    """Without footprints."""
    return Case(
        hypothesis,
        program,
        arguments=(variant,),
        label=f"{variant}, no footprints",
        folder="reach",
        faulty=faulty,
        verdict="INCONCLUSIVE",
        outcome="INCONCLUSIVE",
        doubts=(Doubt(OVERLAP, operations),),
        footprints=False,
    )


def pair(program: str, wrong: str, cause: Step, other: Step, buffer: Step) -> list[Case]:
    """Two kernels that write one buffer: four cases."""
    return [
        meets(program, wrong, cause, other, buffer),
        apart(program),
        undecided(program, wrong, True, cause, other),
        undecided(program, "right", False, cause, other),
    ]


def kernels(name: str) -> tuple[Step, Step]:
    """The second launch of a kernel, and the first."""
    return Step(name, 2), Step(name, 1)


COPY = Step("hipMemcpyAsync")
ALONE = "pointer_left_alone.cpp"
FREE = Step("hipFreeAsync")
FREED = "use_after_free"


def left_alone(way: str, kernel: Step, *, is_told: bool) -> list[Case]:
    """A kernel that may leave its pointer alone; `is_told`: also where it does not, for all that
    its arguments tell.
    """
    name, right = ALONE, f"{way}_right"
    return [
        meets(name, way, kernel, COPY, Step("hipMalloc")),
        apart(name, right),
        undecided(name, right, False, kernel, COPY),
        *([undecided(name, way, True, kernel, COPY)] if is_told else []),
    ]


MALLOC_2, GRAPH_2 = Step("hipMalloc", 2), Step("hipGraphLaunch", 2)
# Of two processes; the numbers are of the calls of the child.
PUT, GET = Step("put_row", 7), Step("get_row", 9)

CASES = [
    Case(
        "missing_sync",
        "variable_of_parent.cpp",
        arguments=("races",),
        label="races, footprints",
        folder="reach",
        fires=True,
        cause=GET,
        other=PUT,
        footprints=True,
    ),
    apart("variable_of_parent.cpp"),
    meets("graphs_share.cpp", "early", GRAPH_2, Step("hipGraphLaunch"), MALLOC_2),
    apart("graphs_share.cpp"),
    undecided("graphs_share.cpp", "early", True, GRAPH_2, Step("hipGraphLaunch")),
    meets(
        *("buffers_alike.cpp", "early", Step("hipMemsetAsync"), Step("gather"), MALLOC_2),
        hypothesis="staging_reuse",
    ),
    apart("buffers_alike.cpp", hypothesis="staging_reuse"),
    *pair("cache_slots.cpp", "overlapping", *kernels("kv_append"), Step("hipMalloc", 3)),
    *pair("offset_argument.cpp", "overlapping", *kernels("write_at"), Step("hipMalloc")),
    *pair("keys_and_values.cpp", "overlapping", *kernels("write_half"), Step("hipMalloc")),
    *pair("alternate_rows.cpp", "overlapping", *kernels("write_rows"), Step("hipMalloc")),
    *pair("scattered.cpp", "overlapping", *kernels("scatter"), Step("hipMalloc", 3)),
    *pair("slot_downloaded.cpp", "overlapping", COPY, Step("write_at"), Step("hipMalloc")),
    *left_alone("mode", Step("biased"), is_told=True),
    *left_alone("pages", Step("paged"), is_told=True),
    *left_alone("range", Step("tail"), is_told=False),
    *left_alone("beta", Step("blend"), is_told=False),
    apart(ALONE, "free_right", FREED),
    undecided(ALONE, "free_right", False, FREE, Step("biased"), hypothesis=FREED),
    undecided(ALONE, "free", True, FREE, Step("biased"), hypothesis=FREED),
    # Counting at once is a race unless it is atomic; the two kernels look alike from outside.
    meets("histogram.cpp", "plain", *kernels("count_alone"), Step("hipMalloc", 3)),
    apart("histogram.cpp"),
    undecided("histogram.cpp", "plain", True, *kernels("count_alone")),
    undecided("histogram.cpp", "right", False, *kernels("count_atomically")),
    meets("error_flag.cpp", "early", COPY, Step("check"), Step("hipMalloc", 3)),
    apart("error_flag.cpp"),
    undecided("error_flag.cpp", "early", True, COPY, Step("check")),
    undecided("error_flag.cpp", "right", False, *kernels("check")),
    meets("weights_not_const.cpp", "written", *kernels("weigh_and_decay"), Step("hipMalloc")),
    apart("weights_not_const.cpp"),
    undecided("weights_not_const.cpp", "written", True, *kernels("weigh_and_decay")),
    undecided("weights_not_const.cpp", "right", False, *kernels("weigh")),
    # A kernel with a count of zero uses nothing: that needs no footprints.
    meets("count_of_zero.cpp", "full", Step("scale"), COPY, Step("hipMalloc")),
    apart("count_of_zero.cpp"),
    Case(
        "missing_sync",
        "count_of_zero.cpp",
        label="right, no footprints",
        folder="reach",
        footprints=False,
    ),
    # Nothing is noticed without footprints: the output is in no argument.
    meets(
        "outputs_in_table.cpp",
        "early",
        COPY,
        Step("fill_through_table"),
        Step("hipMalloc", 2),
    ),
    apart("outputs_in_table.cpp"),
    *(
        Case(
            "missing_sync",
            "outputs_in_table.cpp",
            arguments=(variant,),
            label=f"{variant}, no footprints",
            folder="reach",
            faulty=variant == "early",
            outcome="INCONCLUSIVE",
            limits=(("missing_sync", DEVICE_POINTERS),),
            footprints=False,
        )
        for variant in ("early", "right")
    ),
    meets(
        "view_of_some_rows.cpp",
        "overlapping",
        COPY,
        Step("scale_view"),
        Step("hipMalloc"),
        hypothesis="overlapping_copies",
        may=("staging_reuse",),
    ),
    apart("view_of_some_rows.cpp", hypothesis="overlapping_copies"),
    undecided(
        "view_of_some_rows.cpp",
        "overlapping",
        True,
        COPY,
        Step("scale_view"),
        hypothesis="overlapping_copies",
    ),
    undecided(
        "view_of_some_rows.cpp",
        "right",
        False,
        COPY,
        Step("scale_view"),
        hypothesis="overlapping_copies",
    ),
]
