"""Logs of other tools. What is blamed there is blamed; without evidence there is no cause.

A step's number is that of its line.
"""

from tests.cases.truth import Case, Step


def blamed(program: str, line: int, faulty: bool = True) -> Case:
    """A failure, and nothing that shows what made it."""
    return Case(
        "",
        program,
        folder="logs",
        faulty=faulty,
        verdict="REPRODUCED",
        blamed=Step("line", line),
    )


def found(hypothesis: str, program: str, line: int) -> Case:
    """The lines themselves show what is wrong."""
    return Case(
        hypothesis, program, folder="logs", fires=True, cause=Step("line", line), anyone=True
    )


def open_still(program: str, **outcomes: str) -> Case:
    """Nothing failed in what the log shows, and it does not show all."""
    return Case("", program, folder="logs", verdict="INCONCLUSIVE", outcomes=outcomes)


def reported(program: str) -> Case:
    """The device's runtime tells of a fault, and no line of a call is there to be blamed."""
    return Case("", program, folder="logs", faulty=True, verdict="REPRODUCED", anyone=True)


def refused(program: str) -> Case:
    """Quotes an error, and is no log."""
    return Case("", program, folder="logs", verdict="REFUSED")


CASES = [
    blamed("audit_illegal.log", 1),
    open_still("audit_success.log"),
    blamed("async_failed.log", 1),
    open_still("async_succeeded.log"),
    blamed("trace_fatal.log", 1),
    open_still("trace_after.log"),
    blamed("sync_failed.log", 2),
    open_still("sync_succeeded.log"),
    blamed("fatal_alone.log", 2),
    blamed("second_failed.log", 3),
    open_still("both_succeeded.log"),
    blamed("source_tells_which.log", 5),
    blamed("launch_failed.log", 2),
    open_still("launched.log"),
    found("byte_size_mismatch", "range_past_end.log", 2),
    found("bad_pointer", "range_outside.log", 2),
    open_still("range_inside.log", byte_size_mismatch="INCONCLUSIVE"),
    open_still("whole_run.log"),
    blamed("whole_run_failed.log", 6),
    refused("letter.log"),
    blamed("copy_failed_plainly.log", 2),
    blamed("fatal_in_one_line.log", 1),
    blamed("call_with_error.log", 1),
    open_still("call_with_success.log"),
    refused("mail.log"),
    blamed("answer_then_error.log", 13),
    refused("quoted_source.log"),
    refused("did_not_occur.log"),
    reported("did_occur.log"),
    open_still("guard_rail.log"),
    Case(
        "model_mismatch",
        "guard_rail_ignored.log",
        folder="logs",
        fires=True,
        blamed=Step("line", 3),
    ),
    # The failed call may be named; it is nobody's fault.
    Case("", "not_simulated.log", folder="logs", verdict="INCONCLUSIVE", anyone=True),
    blamed("not_supported.log", 1),
    open_still("llama_2_of_other_vocabulary.log", model_mismatch="INCONCLUSIVE"),
    open_still("llama_3.log", model_mismatch="INCONCLUSIVE"),
    blamed("thrown.log", 3),
    open_still("explained.log"),
    blamed("checked_copy.log", 2),
    refused("checked_copy_well.log"),
    blamed("out_of_memory.log", 2),
    open_still("out_of_memory_handled.log"),
    blamed("collective_given_up.log", 2),
    refused("collective_ended.log"),
    blamed("first_rank_that_failed.log", 2),
    reported("ring_timeout.log"),
    refused("ring_ready.log"),
    reported("rocgdb_wave.log"),
    refused("rocgdb_breakpoint.log"),
    reported("json_logger.log"),
    refused("json_rules.log"),
    reported("fault_in_an_answer.log"),
    refused("fault_in_a_chat.log"),
    blamed("llama_in_journal.log", 3),
    refused("llama_in_journal_well.log"),
    reported("queue_of_an_older_runtime.log"),
    refused("fault_in_a_patch.log"),
    blamed("library_status.log", 2),
    open_still("library_status_handled.log"),
    blamed("check_over_lines.log", 3),
    refused("check_that_passed.log"),
    blamed("number_of_an_error.log", 2),
    refused("number_of_devices.log"),
    blamed("assertion.log", 2),
    refused("assertion_of_something_else.log"),
    blamed("task_of_a_launcher.log", 3),
    refused("chat_with_times.log"),
    reported("queue_not_removed.log"),
    refused("reset_alone.log"),
    blamed("warned_in_vain.log", 3),
    open_still("warned_and_went_on.log"),
    blamed("retried_in_vain.log", 4),
    open_still("retried.log"),
    blamed("json_fields.log", 2),
    refused("json_probe.log"),
    blamed("table_then_error.log", 6),
    refused("table_of_errors.log"),
    blamed("cudas_words.log", 5),
    refused("of_cuda.log"),
    blamed("assertion_in_a_kernel.log", 2),
    refused("assertion_in_a_passed_test.log"),
    blamed("number_behind_a_call.log", 2),
    refused("count_behind_a_call.log"),
    reported("interrupted_code.log"),
    refused("fault_in_a_fence.log"),
    blamed("launcher_json.log", 2),
    refused("dataset_json.log"),
]
