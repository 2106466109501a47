"""Programs that are not the one that was meant. The labels are those of scenarios.py."""

from tests.cases.truth import Case

NOT_MEANT = (
    "another_path",
    "another_hash",
    "without_wrapper",
    "edited_since",
    "committed_since",
    "trace_not_compiled_in",
    "audit_not_compiled_in",
    "tracked_program",
    "tracked_before_source",
)
MEANT = (
    "same_path",
    "copy_of_build",
    "same_hash",
    "with_wrapper",
    "built_since",
    "notes_committed_since",
    "trace_compiled_in",
    "audit_compiled_in",
    "untracked_program",
    "tracked_with_source",
)

CASES = [
    *(Case("wrong_binary", "transfers.c", label=name, fires=True) for name in NOT_MEANT),
    *(Case("wrong_binary", "transfers.c", label=name) for name in MEANT),
]
