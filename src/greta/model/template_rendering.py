"""Renders the chat template of a model's file; a program of its own, started by `chat`.

A template is a program that came with somebody's file. Jinja's immutable sandbox keeps it from
Python's internals, and the limits of this process keep it from taking for ever or all memory: no
limit inside an interpreter holds for one long operation of its C code.

Nothing of greta is imported, nor NumPy: whoever asks waits for this to start. One line of JSON
comes on stdin, one goes to stdout: {"text": ...}, or why there is none: {"refused": ...} in the
words of the template, {"wrong": ...} in ours.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment

CPU_SECONDS = 2
TOO_LONG = f"it took more than {CPU_SECONDS} s"
MEMORY = 256 << 20  # address space of this process; about 25 MiB before the template begins
TOO_LARGE = f"it took more than {MEMORY >> 20} MiB of memory"
TOO_MUCH_TEXT = "it makes too long a text"
LONGEST_REASON = 500


class _RefusedError(Exception):
    """The template called raise_exception."""


def main() -> None:
    """Reads what to render, sets the limits, renders, and answers."""
    asked = json.load(sys.stdin)
    sys.path += asked["folders"]
    limits = {
        resource.RLIMIT_AS: MEMORY,
        resource.RLIMIT_CPU: CPU_SECONDS,  # SIGXCPU, which nothing here survives
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
    }
    for kind, most in limits.items():
        hard = resource.getrlimit(kind)[1]
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (allowed, allowed))
    answer = json.dumps(_answer(asked["source"], asked["variables"]))
    if len(answer) > asked["longest"]:
        answer = json.dumps({"wrong": TOO_MUCH_TEXT})
    sys.stdout.write(answer)


def _answer(source: str, variables: Any) -> dict[str, str]:
    try:
        template = _environment().from_string(source)
        return {"text": template.render(variables)}
    except _RefusedError as error:
        return {"refused": _reason(error)}
    except MemoryError:
        return {"wrong": TOO_LARGE}
    except RecursionError:
        return {"wrong": "it is nested too deeply"}
    except Exception as error:  # a template is a program, and may raise anything
        return {"wrong": _reason(error)}


def _reason(error: Exception) -> str:
    try:
        words = str(error).strip()
    except Exception:  # made of what the template gave it
        words = ""
    return (words.split("\n")[0] or type(error).__name__)[:LONGEST_REASON]


def _environment() -> Environment:
    """What the templates of Hugging Face's models expect to find."""
    from jinja2 import nodes
    from jinja2.ext import Extension
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class GenerationTag(Extension):
        """{% generation %}: what the model itself said, marked for those who train it."""

        tags = {"generation"}  # noqa: RUF012 - as Jinja has it

        def parse(self, parser: Any) -> nodes.Node:
            line = next(parser.stream).lineno
            body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
            return nodes.Scope(body, lineno=line)

    def refuse(why: Any) -> None:
        raise _RefusedError(why)

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols", GenerationTag]
    )
    environment.filters["tojson"] = _to_json
    environment.globals |= {
        "raise_exception": refuse,
        "strftime_now": lambda form: datetime.now().strftime(form),
    }
    return environment


def _to_json(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    """As Hugging Face's templates expect it: without HTML escapes."""
    dumps: Callable[..., str] = json.dumps
    return dumps(
        value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )


if __name__ == "__main__":
    main()
