"""verdict.json, a contract with other tools: a verdict as JSON, and back.

The sentences in it are for readers of the file; what reads it back goes by codes and data, and by a
sentence only where a file has no code that is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeVar, get_type_hints

from greta.forensics.verdict import (
    BlamedCall,
    Cause,
    Coverage,
    Doubt,
    Finding,
    LackedCall,
    Outcome,
    Ruling,
    Saying,
    Surroundings,
    Value,
    Verdict,
    VerdictWord,
)
from greta.outside import read_object
from greta.typed_json import (
    Json,
    JsonField,
    Readers,
    decode,
    encode,
    require_list,
    require_object,
)

T = TypeVar("T")
SCHEMA: Final = 1
Say = Callable[[str, Mapping[str, Value]], str]
"""Puts a code and its data into words."""


def dump_verdict(verdict: Verdict, say: Say) -> Json:
    return {"schema": SCHEMA, **dump_parts(verdict, say)}


def dump_parts(verdict: Verdict, say: Say) -> Json:
    """All but the schema; an audit has the same in summary.json."""
    return {
        "verdict": verdict.word.value,
        **dump_reason(verdict.reason, say),
        "coverage": dump_coverage(verdict.coverage),
        "doubts": [_doubt(one, say) for one in verdict.doubts],
        "hypotheses": [dump_ruling(ruling, say) for ruling in verdict.rulings],
        "blamed": _without_absent(encode(verdict.blamed), "pid", "run") if verdict.blamed else None,
        "cause": _cause(verdict.cause) if verdict.cause else None,
        "next_steps": [said(step, say) for step in verdict.next_steps],
        "next_step_codes": [dump_saying(step) for step in verdict.next_steps],
        "around": encode(verdict.around),
        **({"lacks": [_lack(one, say) for one in verdict.lacks]} if verdict.lacks else {}),
    }


def dump_reason(reason: Saying | None, say: Say) -> Json:
    """Nothing where there is none."""
    if reason is None:
        return {}
    code, data = reason.code, dump_data(reason.data)
    return {"reason": said(reason, say), "reason_code": code, "reason_data": data}


def said(saying: Saying | Ruling, say: Say) -> str:
    return say(saying.code, saying.data) if saying.code else saying.text


def dump_saying(saying: Saying) -> Json:
    return {"code": saying.code, "data": dump_data(saying.data)}


def dump_data(data: Mapping[str, Value]) -> Json:
    return {name: encode(value, {Saying: dump_saying}) for name, value in data.items()}


def dump_coverage(coverage: Coverage) -> Json:
    near = {kernel: list(instructions) for kernel, instructions in coverage.approximate}
    return {
        "calls": coverage.calls,
        "d2h": {
            "calls": coverage.d2h_calls,
            "bytes": coverage.d2h_bytes,
            "audited": coverage.d2h_audited,
        },
        "launches": coverage.launches,
        "dropped": coverage.dropped,
        "complete": coverage.complete,
        "gaps": [{"code": name.lower(), "detail": text} for name, text in coverage.gaps],
        **({"approximate": near} if near else {}),
    }


def dump_ruling(ruling: Ruling, say: Say) -> Json:
    findings = [_finding(finding, say) for finding in ruling.findings]
    return {
        "id": ruling.hypothesis,
        "verdict": ruling.outcome.value,
        # The first finding says more than that there are some.
        "reason": findings[0]["text"] if findings else said(ruling, say),
        "evidence": list(ruling.evidence),
        "examined": ruling.examined,
        "code": ruling.code,
        "data": dump_data(ruling.data),
        "missing": list(ruling.missing),
        "findings": findings,
        **({"run": ruling.run} if ruling.run is not None else {}),
    }


def _finding(finding: Finding, say: Say) -> Json:
    return {
        "code": finding.code,
        "seq": finding.seq,
        "other": finding.other,
        "text": say(finding.code, finding.words),
        "data": dump_data(finding.words),
    }


def _doubt(doubt: Doubt, say: Say) -> Json:
    return {
        "code": doubt.code,
        "hypothesis": doubt.hypothesis,
        "operations": list(doubt.operations),
        "text": say(f"doubt_{doubt.code}", doubt.data),
        "data": dump_data(doubt.data),
    }


def _lack(lack: LackedCall, say: Say) -> Json:
    of_process = {} if lack.pid is None else {"pid": lack.pid}
    reason = dump_reason(lack.reason, say)
    return {"seq": lack.seq, "call": lack.call, "code": lack.is_code, **reason, **of_process}


def _load_lack(value: Any, field: JsonField) -> LackedCall:
    data = require_object(value, field)
    return LackedCall(
        seq=decode(int, data.get("seq"), field.at("seq")),
        call=decode(str, data.get("call"), field.at("call")),
        reason=_load_reason(data, field) or Saying(""),
        is_code=decode(bool, data.get("code"), field.at("code")),
        pid=optional(int, data.get("pid"), field.at("pid")),
    )


def _load_doubt(value: Any, field: JsonField) -> Doubt:
    data = require_object(value, field)
    return replace(
        decode(Doubt, {**data, "data": None}, field),
        data=load_data(data.get("data"), field.at("data")),
    )


def _cause(cause: Cause) -> Json:
    written = {**encode(cause), "data": dump_data(cause.data)}
    return _without_absent(written, "turn", "pid", "run", *(() if cause.run else ("iteration",)))


def _without_absent(written: Json, *names: str) -> Json:
    """Fields that are there only where they mean something."""
    return {name: v for name, v in written.items() if name not in names or v is not None}


def read_verdict(path: Path) -> Verdict:
    """The verdict in a file; raises OSError if there is none, OutsideError for anything else."""
    data, field = read_object(path), JsonField(path)
    for name in ("coverage", "hypotheses"):
        if data.get(name) is None:
            raise field.at(name).refusal("there")
    return load_verdict(data, field)


def load_verdict(data: Json, field: JsonField) -> Verdict:
    """The verdict of verdict.json or summary.json; raises OutsideError that names a wrong field."""
    return Verdict(
        word=decode(VerdictWord, data.get("verdict"), field.at("verdict")),
        reason=_load_reason(data, field),
        coverage=load_coverage(data.get("coverage"), field.at("coverage")),
        rulings=load_list(_load_ruling, data.get("hypotheses"), field.at("hypotheses")),
        blamed=optional(BlamedCall, data.get("blamed"), field.at("blamed")),
        cause=optional(Cause, data.get("cause"), field.at("cause")),
        next_steps=_load_steps(data, field),
        around=optional(Surroundings, data.get("around"), field.at("around")),
        doubts=load_list(_load_doubt, data.get("doubts"), field.at("doubts")),
        lacks=load_list(_load_lack, data.get("lacks"), field.at("lacks")),
    )


def load_saying(value: Any, field: JsonField) -> Saying:
    data = require_object(value, field)
    code = decode(str, data.get("code"), field.at("code"))
    return Saying(code, load_data(data.get("data"), field.at("data")))


def load_data(value: Any, field: JsonField) -> dict[str, Value]:
    data = require_object(value, field)
    return {name: _load_value(one, field.at(name)) for name, one in data.items()}


def _load_value(value: Any, field: JsonField) -> Any:
    if isinstance(value, list):
        return tuple(_load_value(one, field.item(number)) for number, one in enumerate(value))
    if isinstance(value, dict):
        return load_saying(value, field)
    return value


READERS: Final[Readers] = {get_type_hints(Cause)["data"]: load_data}


def load_list(load: Callable[[Any, JsonField], T], value: Any, field: JsonField) -> tuple[T, ...]:
    """Each of a list; nothing where there is none."""
    listed = require_list(value, field)
    return tuple(load(one, field.item(n)) for n, one in enumerate(listed) if one is not None)


def _load_reason(data: Json, field: JsonField) -> Saying | None:
    code = decode(str, data.get("reason_code"), field.at("reason_code"))
    text = decode(str, data.get("reason"), field.at("reason"))
    known = load_data(data.get("reason_data"), field.at("reason_data"))
    return Saying(code, known, text) if code or text else None


def _load_steps(data: Json, field: JsonField) -> tuple[Saying, ...]:
    """From codes, if there are any; else the sentences of the file."""
    coded = load_list(load_saying, data.get("next_step_codes"), field.at("next_step_codes"))
    texts = decode(tuple[str, ...], data.get("next_steps"), field.at("next_steps"))
    return coded or tuple(Saying("", text=text) for text in texts)


def load_coverage(value: Any, field: JsonField) -> Coverage:
    data = require_object(value, field)
    copies = require_object(data.get("d2h"), field.at("d2h"))
    flat = {f"d2h_{name}": copies.get(name) for name in ("calls", "bytes", "audited")}
    gaps = load_list(_load_gap, data.get("gaps"), field.at("gaps"))
    near = decode(
        dict[str, tuple[str, ...]], data.get("approximate") or {}, field.at("approximate")
    )
    plain = decode(Coverage, {**data, **flat, "gaps": None, "approximate": None}, field)
    return replace(plain, gaps=gaps, approximate=tuple(near.items()))


def _load_gap(value: Any, field: JsonField) -> tuple[str, str]:
    data = require_object(value, field)
    name, detail = (decode(str, data.get(n), field.at(n)) for n in ("code", "detail"))
    return name.upper(), detail


def _load_ruling(value: Any, field: JsonField) -> Ruling:
    data = require_object(value, field)

    def text(name: str) -> str:
        return decode(str, data.get(name), field.at(name))

    return Ruling(
        hypothesis=text("id"),
        outcome=decode(Outcome, data.get("verdict"), field.at("verdict")),
        code=text("code"),
        examined=decode(int, data.get("examined"), field.at("examined")),
        findings=load_list(_load_finding, data.get("findings"), field.at("findings")),
        data=load_data(data.get("data"), field.at("data")),
        missing=decode(tuple[str, ...], data.get("missing"), field.at("missing")),
        run=text("run") or None,
        listed=decode(tuple[int, ...], data.get("evidence"), field.at("evidence")),
        text=text("reason"),
    )


def _load_finding(value: Any, field: JsonField) -> Finding:
    data = require_object(value, field)
    words = load_data(data.get("data"), field.at("data"))
    return Finding(
        code=decode(str, data.get("code"), field.at("code")),
        seq=decode(int, data.get("seq"), field.at("seq")),
        other=optional(int, data.get("other"), field.at("other")),
        data={name: word for name, word in words.items() if name not in ("seq", "other")},
    )


def optional(kind: type[T], value: Any, field: JsonField) -> T | None:
    """None where there is none, or an empty object."""
    return decode(kind, value, field, READERS) if value is not None and value != {} else None
