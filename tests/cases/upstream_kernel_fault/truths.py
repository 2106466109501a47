"""Kernels that reach outside the memory they were given; the error surfaces somewhere else."""

from tests.cases.truth import Case, Step

ABORT = {"HIP_SKIP_ABORT_ON_GPU_ERROR": "0"}


def outside(
    program: str,
    cause: Step,
    buffer: Step,
    options: tuple[str, ...] = (),
    blamed: Step | None = None,
) -> Case:
    """`buffer` is the one whose end was passed."""
    return Case(
        "upstream_kernel_fault",
        program,
        options=options,
        fires=True,
        fails=True,
        cause=cause,
        buffer=buffer,
        blamed=blamed,
    )


def aborted(program: str, cause: Step, buffer: Step) -> Case:
    """As before HIP 7: a line on stderr and an abort."""
    return Case(
        "upstream_kernel_fault",
        program,
        label="aborts",
        variables=ABORT,
        fires=True,
        aborts=True,
        cause=cause,
        buffer=buffer,
    )


def inside(program: str, options: tuple[str, ...] = ()) -> Case:
    """The same within its memory."""
    return Case("upstream_kernel_fault", program, options=options)


LOGITS = Step("hipMemcpyAsync")

CASES = [
    outside("rope_positions.py", Step("rope"), Step("hipMalloc", 4), blamed=LOGITS),
    inside("rope_positions_all.py"),
    outside("rope_in_a_layer.py", Step("rope"), Step("hipMalloc", 4), blamed=LOGITS),
    inside("rope_in_a_layer_all.py"),
    aborted("rope_in_a_layer.py", Step("rope"), Step("hipMalloc", 4)),
    outside("output_of_old_vocabulary.cpp", Step("matvec"), Step("hipMalloc", 3)),
    inside("output_of_vocabulary.cpp"),
    aborted("output_of_old_vocabulary.cpp", Step("matvec"), Step("hipMalloc", 3)),
    outside("cache_position_far.py", Step("kv_append", 4), Step("hipMalloc", 2)),
    inside("cache_position_last.py"),
    outside("tokens_of_other_vocabulary.py", Step("embed"), Step("hipMalloc", 3)),
    inside("tokens_of_vocabulary.py"),
    outside("whole_blocks.py", Step("negate"), Step("hipMalloc"), options=("--strict",)),
    inside("whole_blocks_padded.py", options=("--strict",)),
    outside("view_too_tall.cpp", Step("scale_view"), Step("hipMalloc")),
    inside("view_of_all_rows.cpp"),
    outside("graph_of_longer_prompt.py", Step("hipGraphLaunch"), Step("hipMalloc", 2)),
    inside("graph_of_prompt.py"),
    outside("other_stream_reports.cpp", Step("set"), Step("hipMalloc")),
    inside("other_stream_reads.cpp"),
    outside("best_of_too_many.py", Step("argmax"), Step("hipMalloc")),
    inside("best_of_all.py"),
]
