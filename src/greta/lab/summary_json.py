"""summary.json, a contract with other tools: a summary as JSON, and back; rerun.json beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, get_type_hints

from greta.errors import NotJsonError, OutsideError, UsageError
from greta.forensics.verdict import Saying, Verdict
from greta.forensics.verdict_json import (
    READERS,
    SCHEMA,
    Say,
    dump_data,
    dump_parts,
    load_data,
    load_verdict,
    optional,
    said,
)
from greta.lab.summary import (
    CallError,
    EnvironmentFacts,
    IterationSummary,
    ModelFacts,
    ObserverCost,
    ObserverSlowdown,
    OutputKinds,
    ProgramEnding,
    ProgramFacts,
    RanWith,
    RatedCause,
    RerunFacts,
    SeenEnding,
    Summary,
)
from greta.outside import read_object
from greta.trace.run_facts import DeviceFacts
from greta.typed_json import Json, JsonField, Readers, Writers, decode, encode, require_object


class SummaryError(UsageError):
    """A file that is no summary of an audit."""


def dump_summary(summary: Summary, say: Say) -> Json:
    """As in summary.json; `say` puts codes into words."""
    parts = dump_parts(summary.verdict, say)
    problem, seen = summary.problem, summary.seen
    return {
        "case": summary.case,
        "schema": SCHEMA,
        "verdict": parts["verdict"],
        "partial": summary.partial,
        "tests": encode(summary.tests),
        "statistics": encode(summary.statistics),
        "observer": _observer(summary.observer),
        **{name: part for name, part in parts.items() if name != "verdict"},
        "causes": encode(summary.causes, _WRITERS),
        "seen": seen and {**_ending(seen.ending), "code": seen.code, "run": seen.run},
        "programs": encode(summary.programs),
        "outputs": encode(summary.outputs),
        "profiles": encode(summary.profiles),
        "profile_evidence": summary.profile_evidence,
        "devices": encode(summary.devices),
        "lost": encode(summary.lost),
        "unwatched": encode(summary.unrecorded),
        "factor_sets": encode(summary.factor_sets),
        "iterations": encode(summary.iterations, _WRITERS),
        "problem": said(problem, say) if problem else None,
        "problem_code": problem.code if problem else None,
        "problem_data": dump_data(problem.data) if problem else None,
        "started": summary.started,
        "ended": summary.ended,
        "seconds": summary.seconds,
        **dump_ran_with(summary.ran),
        "files": encode(summary.files),
        "parts": encode(summary.parts),
    }


def dump_ran_with(ran: RanWith) -> Json:
    return {
        "device": _known(ran.device) if ran.device else None,
        "environment": encode(ran.environment),
        "model": _known(ran.model) if ran.model else {},
        "program": _known(ran.program) if ran.program else {},
        "rerun": dump_rerun(ran.rerun) if ran.rerun else None,
    }


def dump_rerun(rerun: RerunFacts) -> Json:
    written = encode(rerun)
    if not rerun.recorder:
        del written["recorder"]
    return {name: part for name, part in written.items() if part is not None}


def _known(facts: Any) -> Json:
    return {name: value for name, value in encode(facts).items() if value is not None}


def _ending(ending: ProgramEnding) -> Json:
    absent = ("early", "stderr")
    return {name: part for name, part in _known(ending).items() if part or name not in absent}


def _observer(observer: ObserverCost) -> Json:
    audit = encode(observer.audit) or {"slowdown": None, "interval_95": None}
    return {**audit, "recorder": encode(observer.recorder)}


_WRITERS: Final[Writers] = {
    ProgramEnding: _ending,
    CallError: _known,
    RatedCause: lambda cause: {**encode(cause), "data": dump_data(cause.data)},
}


def read_summary(path: Path) -> Summary | None:
    """Of a file; None if it is none, raises OutsideError for one that cannot be trusted."""
    try:
        data = read_object(path)
    except (NotJsonError, OSError):
        return None
    if data.get("schema") != SCHEMA:
        return None
    return load_summary({"verdict": "INCONCLUSIVE", **data}, JsonField(path))


def read_summary_or_verdict(path: Path) -> Summary | Verdict:
    """By what the file holds; raises UsageError with one sentence for anything else."""
    try:
        data = read_object(path)
    except OSError as error:
        raise SummaryError(f"cannot read {path}: {error.strerror}") from None
    except NotJsonError:
        raise SummaryError(f"{path} is not JSON; name a run folder or a summary.json") from None
    if data.get("schema") != SCHEMA or data.get("verdict") is None:
        raise SummaryError(
            f"{path} is no summary of schema 1; name what `greta audit` or `greta analyze` wrote"
        )
    field = JsonField(path)
    return load_summary(data, field) if is_summary(data) else load_verdict(data, field)


def is_summary(data: Json) -> bool:
    return any(name in data for name in ("tests", "iterations", "case"))


def load_summary(data: Json, field: JsonField) -> Summary:
    """Raises OutsideError that names a field which is wrong."""
    unrecorded, kind = _HINTS["unrecorded"], _HINTS["outputs"]
    readers: Readers = {
        **_READERS,
        Verdict: lambda *_: load_verdict(data, field),
        RanWith: lambda *_: load_ran_with(data, field),
        ObserverCost: _load_observer,
        kind: lambda value, at: optional(OutputKinds, value, at),
        unrecorded: lambda *_: decode(unrecorded, data.get("unwatched"), field.at("unwatched")),
        _HINTS["seen"]: _load_seen,
        _HINTS["problem"]: lambda *_: _load_problem(data, field),
    }
    # Their readers take them from elsewhere.
    present: Json = {"ran": {}, "unrecorded": [], "problem": {}}
    summary = decode(Summary, {**data, **present}, field, readers)
    for one in summary.iterations:
        # What is run or written by that name lies in the folder of the audit.
        if one.run.startswith("/") or ".." in one.run.split("/"):
            raise OutsideError(f"{field.file}: the field iterations.run leads out of the folder")
    return summary


def load_ran_with(data: Json, field: JsonField) -> RanWith:
    kinds = {
        "device": DeviceFacts,
        "environment": EnvironmentFacts,
        "model": ModelFacts,
        "program": ProgramFacts,
        "rerun": RerunFacts,
    }
    found: dict[str, Any] = {
        name: optional(kind, data.get(name), field.at(name)) for name, kind in kinds.items()
    }
    return RanWith(**found)


def _load_ending(value: Any, field: JsonField) -> ProgramEnding | None:
    data = require_object(value, field)
    return decode(ProgramEnding, data, field) if data.get("how") is not None else None


def _load_seen(value: Any, field: JsonField) -> SeenEnding | None:
    data = require_object(value, field)
    if not data:
        return None
    code, run = (decode(str, data.get(name), field.at(name)) for name in ("code", "run"))
    return SeenEnding(code, run, decode(ProgramEnding, data, field))


def _load_observer(value: Any, field: JsonField) -> ObserverCost:
    data = require_object(value, field)
    return ObserverCost(
        _load_slowdown(data, field), _load_slowdown(data.get("recorder"), field.at("recorder"))
    )


def _load_slowdown(value: Any, field: JsonField) -> ObserverSlowdown | None:
    data = require_object(value, field)
    if data.get("slowdown") is None or data.get("interval_95") is None:
        return None
    return decode(ObserverSlowdown, data, field)


def _load_problem(data: Json, field: JsonField) -> Saying | None:
    code, text = (decode(str, data.get(n), field.at(n)) for n in ("problem_code", "problem"))
    known = load_data(data.get("problem_data"), field.at("problem_data"))
    return Saying(code, known, text) if code or text else None


_HINTS: Final = get_type_hints(Summary)
_READERS: Final[Readers] = {**READERS, get_type_hints(IterationSummary)["ending"]: _load_ending}
