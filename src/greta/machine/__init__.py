"""What this machine has, looked at one thing at a time; `greta doctor` prints it."""

from greta.machine.check import Check, State
from greta.machine.compiler import check_compiler
from greta.machine.cpu import check_cpu
from greta.machine.gpu import check_gpu
from greta.machine.rocm import check_choice, check_rocm
from greta.machine.simulated import check_selftest, check_sim_tree
from greta.machine.software import check_cache, check_python

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

__all__ = ["CHECKS", "Check", "State", "examine"]


def examine() -> list[Check]:
    """Every check's outcome, in the order in which a reader wants them."""
    return [check() for check in CHECKS]
