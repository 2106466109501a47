"""Secrets on command lines and in variables: what is written down has *** in their place.

A name that says so (`--token X`, `--password=X`, HF_TOKEN) hides its value; credentials in a URL,
an Authorization header, fields of JSON, and keys that are known by their beginning are hidden
wherever they stand. The words are in contract/secrets.toml. The recorder does the same to what
it writes (native/recorder/lanes/secrets.cpp); tests/recorder/test_secrets.py compares both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from greta.runs._secrets import KNOWN_KEYS, LEAST_KEY, NAMES, ORDINARY_KEYS, SCHEMES

MASK: Final = "***"
_PARTS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ASSIGNED: Final = re.compile(r"(-{0,2}[A-Za-z][\w.-]{0,127})(=|: ?)(.+)", re.DOTALL | re.ASCII)
_OPTION: Final = re.compile(r"--?[A-Za-z][\w.-]{0,127}", re.ASCII)
_URL_USER: Final = re.compile(r"(://)([^/?#\s@]+)@", re.ASCII)
_URL_FIELD: Final = re.compile(r"[?&;]([\w.-]+)=", re.ASCII)
_END_OF_FIELD: Final = re.compile(r"[&;#\s]|\Z", re.ASCII)
_QUOTED_FIELD: Final = re.compile(
    r"""((["'])([\w.-]+)\2 *: *(["']))((?:\\.?|(?!\4)[^\\])+)""", re.DOTALL | re.ASCII
)
_SCHEMES: Final = tuple(
    re.compile(rf"\b({scheme}) +[^\s'\"]+", re.IGNORECASE | re.ASCII) for scheme in SCHEMES
)
_KNOWN: Final = re.compile(
    rf"(?<![A-Za-z0-9])({'|'.join(map(re.escape, KNOWN_KEYS))})[A-Za-z0-9_-]{{{LEAST_KEY},}}"
)
PREFIXES = (
    *("HIP_", "HSA_", "ROCR_", "ROCM_", "AMD_", "GPU_", "GRETA_", "GCORE_"),
    *("LD_", "PYTHON", "OMP_"),
)


def is_secret_name(name: str) -> bool:
    """Whether the name of an option or variable says that its value is a secret.

    >>> [is_secret_name(one) for one in ("--hf-token", "API_KEY", "--max-tokens", "--token-file")]
    [True, True, False, False]
    """
    parts = [part.lower() for part in _PARTS.findall(name)]
    if not parts:
        return False
    if parts[-1] == "key":
        return not set(parts).intersection(ORDINARY_KEYS)
    return parts[-1] in NAMES


def is_secret_variable(name: str) -> bool:
    """The same of a variable, of which any part counts: nobody sets HIP_SECRET_NUMBER by habit."""
    parts = [part.lower() for part in _PARTS.findall(name)]
    return is_secret_name(name) or bool(set(parts).intersection(NAMES))


def masked_text(text: str) -> str:
    """A text without what is a secret by its looks."""
    text = _URL_USER.sub(_without_password, text)
    text = _without_fields(text)
    text = _QUOTED_FIELD.sub(_without_value, text)
    for scheme in _SCHEMES:
        text = scheme.sub(rf"\1 {MASK}", text)
    return _KNOWN.sub(MASK, text)


def masked_words(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """A command line as it may be written down, and the names of what was hidden.

    >>> masked_words(["./a", "--token", "x", "--password=y", "ftp://me:z@host", "--n", "3"])
    (['./a', '--token', '***', '--password=***', 'ftp://me:***@host', '--n', '3'], \
['--token', '--password', 'argument 4'])
    """
    shown: list[str] = []
    names: list[str] = []
    for place, word in enumerate(words):
        before = words[place - 1] if place > 1 else ""
        masked, name = _masked_word(word, before, place)
        shown.append(masked)
        if masked != word:
            names.append(name)
    return shown, list(dict.fromkeys(names))


def masked_variables(variables: Mapping[str, str]) -> dict[str, str]:
    """Variables as they may be written down."""
    return {
        name: MASK if is_secret_variable(name) and value else masked_text(value)
        for name, value in variables.items()
    }


def _masked_word(word: str, before: str, place: int) -> tuple[str, str]:
    """`place` 0 is the program, which is no secret."""
    if place == 0:
        return word, ""
    if _OPTION.fullmatch(before) and is_secret_name(before) and not _OPTION.fullmatch(word):
        return MASK, before
    if (match := _ASSIGNED.fullmatch(word)) and is_secret_name(match[1]):
        return f"{match[1]}{match[2]}{MASK}", match[1]
    return masked_text(word), f"argument {place}"


def _without_password(match: re.Match[str]) -> str:
    user, colon, _ = match[2].partition(":")
    return f"{match[1]}{f'{user}:{MASK}' if colon else MASK}@"


def _without_fields(text: str) -> str:
    """Without the values of those fields of a URL whose names say that they are secrets."""
    kept, done = "", 0
    for match in _URL_FIELD.finditer(text):
        end = _END_OF_FIELD.search(text, match.end())
        if match.start() >= done and is_secret_name(match[1]) and end and end.start() > match.end():
            kept, done = kept + text[done : match.end()] + MASK, end.start()
    return kept + text[done:]


def _without_value(match: re.Match[str]) -> str:
    """Of a field of JSON or of a Python dict: "password": "x"."""
    return match[1] + MASK if is_secret_name(match[3]) else match[0]


def kept_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables worth keeping, by name; secrets as ***."""
    kept = (name for name in environment if name == "PATH" or name.startswith(PREFIXES))
    return masked_variables({name: environment[name] for name in sorted(kept)})
