"""The variables that are kept of a program's environment.

An allow list, because environments hold secrets: only what changes how HIP, the loader, Python or
GRETA behave.
"""

from __future__ import annotations

from collections.abc import Mapping

from greta.masking import masked_variables

PREFIXES = (
    "HIP_",
    "HSA_",
    "ROCR_",
    "ROCM_",
    "AMD_",
    "GPU_",
    "GRETA_",
    "GCORE_",
    "LD_",
    "PYTHON",
    "OMP_",
)
NAMES = ("PATH",)


def kept_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables worth keeping, by name; secrets as ***."""
    kept = (name for name in environment if name in NAMES or name.startswith(PREFIXES))
    return masked_variables({name: environment[name] for name in sorted(kept)})
