"""A token that the vocabulary does not have is looked up in the table of embeddings.

What is staged:
    The last token of a prompt is the number of tokens there are, one more than the last.

Why it happens:
    A tokenizer of another model, or an added special token that the table has no row for.

What must be found:
    upstream_kernel_fault: the launch of embed, and the table that it left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from greta.engine.forward import BlockScheduler
from greta.lab.drills.seams import replace
from greta.lab.drills.stage import Stage

SPANISH = "Se busca en la tabla de embeddings un token que el vocabulario no tiene."
HYPOTHESIS = "upstream_kernel_fault"
TRUTH = {"call": "hipModuleLaunchKernel"}
ENVIRONMENT = {"GRETA_SIM_PLACEMENT": "strict"}


def stage(stage: Stage) -> None:
    def make(original: Callable[..., None]) -> Callable[..., None]:
        def prefill(scheduler: BlockScheduler, sequence: int, prompt: Sequence[int]) -> None:
            if stage.is_time():
                table = scheduler._weights.embedding
                kernel = f"embed_{table.kernel_suffix}"
                stage.report("hipModuleLaunchKernel", kernel=kernel, buffer=table.buffer)
                prompt = [*prompt[:-1], table.rows]
            original(scheduler, sequence, prompt)

        return prefill

    replace(BlockScheduler, "_prefill_sequence", make)
