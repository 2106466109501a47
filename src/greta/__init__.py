"""GRETA: what made a HIP program fail, in which buffer and why; with or without a GPU.

    import greta

    run = greta.run(["./a.out"])
    print(run.verdict().cause)

docs/python.md shows all of it. Nothing is loaded before it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from greta.api import CompletedAudit, Run, analyze, audit, open_run, run
    from greta.errors import GretaError
    from greta.forensics.verdict import Verdict
    from greta.lab.session import AuditStep
    from greta.lab.summary import Summary
    from greta.trace.run_facts import RunFacts

__all__ = [
    "AuditStep",
    "CompletedAudit",
    "GretaError",
    "Run",
    "RunFacts",
    "Summary",
    "Verdict",
    "__version__",
    "analyze",
    "audit",
    "open_run",
    "run",
]

_HOMES = {
    "AuditStep": "greta.lab.session",
    "GretaError": "greta.errors",
    "RunFacts": "greta.trace.run_facts",
    "Summary": "greta.lab.summary",
    "Verdict": "greta.forensics.verdict",
}
"""Where names are that greta.api does not have."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(_HOMES.get(name, "greta.api")), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
