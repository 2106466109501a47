"""A graph holds a launch of RoPE that reads past the end of the positions.

What is staged:
    While the graph of a decode step is captured, rope_kv of one layer is launched for two
    sequences. There is one, and one position. Every replay of the graph reads behind it.

Why it happens:
    A graph keeps the arguments that it was captured with, also those of a batch that was larger.

What must be found:
    upstream_kernel_fault: the launch of the graph, and in it rope_kv; the buffer of positions.
"""

from __future__ import annotations

from greta.hip import Launch
from greta.lab.drills.seams import Change, argument_of, change_launch, resized
from greta.lab.drills.stage import Stage

SPANISH = "Un grafo contiene un lanzamiento de RoPE que lee más allá del final de las posiciones."
HYPOTHESIS = "upstream_kernel_fault"
TRUTH = {"call": "hipGraphLaunch", "kernel": "rope_kv"}
ENVIRONMENT = {"GRETA_SIM_PLACEMENT": "strict"}

_POSITIONS = 5  # of rope_kv's arguments
_LAYERS = 2


def stage(stage: Stage) -> None:
    def commit(launch: Launch) -> Change:
        positions = argument_of(launch, _POSITIONS)
        stage.report("hipGraphLaunch", kernel="rope_kv", buffer=positions)
        return resized(launch, 2)

    change_launch(stage, "rope_kv", commit, occasions=_LAYERS, captured=True)
