"""Kernels that are given other dimensions than the model has; models that contradict themselves."""

from tests.cases.truth import TINY, Case, Step

ODD_HEADS = "{odd_heads}"
"""A model with 3 heads on 2 key heads."""
LONG_ROTATION = "{long_rotation}"
"""A model that rotates more of a head than there is."""


def unlike(program: str, cause: Step, arguments: tuple[str, ...] = (TINY,)) -> Case:
    """`cause` is the first launch with wrong dimensions."""
    return Case("model_mismatch", program, arguments=arguments, fires=True, cause=cause)


def like(program: str, arguments: tuple[str, ...] = (TINY,)) -> Case:
    """The same with the model's own dimensions."""
    return Case("model_mismatch", program, arguments=arguments)


CASES = [
    unlike("rotation_eight_heads.py", Step("rope")),
    like("rotation_four_heads.py"),
    unlike("attention_of_all_heads.py", Step("attention")),
    like("attention_of_groups.py"),
    # All counts are halved: one of two devices that share a model.
    Case("model_mismatch", "attention_of_a_half.py", arguments=(TINY,), outcome="INCONCLUSIVE"),
    unlike("logits_of_llama.py", Step("project"), ("--model", TINY)),
    like("logits_of_tiny.py", ("--model", TINY)),
    unlike("hidden_of_other_model.py", Step("project"), ("-m", TINY)),
    like("hidden_of_model.py", ("-m", TINY)),
    unlike("wide_layer.cpp", Step("swiglu"), (f"--model={TINY}",)),
    like("layer.cpp", (f"--model={TINY}",)),
    Case("model_mismatch", "first_rows.py", arguments=(ODD_HEADS,), label="odd heads", fires=True),
    # No kernel was given a dimension, so there is nothing to compare.
    Case("model_mismatch", "first_rows.py", arguments=(TINY,), outcome="INCONCLUSIVE"),
    Case(
        "model_mismatch",
        "first_rows.py",
        arguments=(LONG_ROTATION,),
        label="long rotation",
        fires=True,
    ),
]
