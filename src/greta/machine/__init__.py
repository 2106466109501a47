"""What this machine has, looked at one thing at a time; `greta doctor` prints it."""

from greta.machine.check import MachineCheck, State
from greta.machine.devices import (
    check_choice,
    check_gpu,
    check_rocm,
    check_selftest,
    check_sim_tree,
)
from greta.machine.host import check_cache, check_compiler, check_cpu, check_python

CHECKS = [
    check_gpu,
    check_rocm,
    check_choice,
    check_sim_tree,
    check_compiler,
    check_selftest,
    check_cpu,
    check_python,
    check_cache,
]

__all__ = ["CHECKS", "MachineCheck", "State", "examine"]


def examine() -> list[MachineCheck]:
    """Every check's outcome, in the order in which a reader wants them."""
    return [check() for check in CHECKS]
