"""The variables that are kept of a program's environment.

An allow list, because environments hold secrets: only what changes how HIP, the loader, Python or
GRETA behave.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

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
HIDDEN = "(not kept: its name speaks of a secret)"
_SECRET = re.compile(r"TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|API_?KEY", re.IGNORECASE)


def kept_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables worth keeping, by name."""
    kept = (name for name in environment if name in NAMES or name.startswith(PREFIXES))
    return {name: HIDDEN if _SECRET.search(name) else environment[name] for name in sorted(kept)}
