"""The case file: the audits of a case over days, what separates its failures, what a fix proved."""

from greta.lab.cases.factors import Factor, Observation, separating_factors
from greta.lab.cases.history import Change, KeptAudit, find_audits, history
from greta.lab.cases.verification import Verification, verify

__all__ = [
    "Change",
    "Factor",
    "KeptAudit",
    "Observation",
    "Verification",
    "find_audits",
    "history",
    "separating_factors",
    "verify",
]
