"""What the recorder writes of a command line is what greta.runs.masking would."""

from __future__ import annotations

import random
import sys
from pathlib import Path

from greta.recording.notes import read_started
from greta.runs._secrets import KNOWN_KEYS, NAMES, ORDINARY_KEYS, SCHEMES
from greta.runs.masking import masked_text, masked_words
from tests.recorder.conftest import Record

SECRET = "xyzzy123"  # noqa: S105
KEY = "a1B2" * 8
PROGRAM = "import ctypes; ctypes.CDLL('libamdhip64.so').hipInit(0)"
WORDS = [
    *("--token", SECRET, "--hf-token", SECRET, "--apiKey", SECRET, "--token", "--verbose"),
    *("--HFToken", SECRET, "--token2", SECRET, "--tokenCount", "3", "-k", "key"),
    *(f"--password={SECRET}", f"HF_TOKEN={SECRET}", "--max-tokens", "10", "--sort-key", "name"),
    *("--token-file", "secrets.txt", "a=b", "x:y", "token", "monkey=1", "--kv-cache", "8"),
    *(f"https://me:{SECRET}@host/x", f"https://{SECRET}@host/x", "https://host/x@y?page=2"),
    *(f"https://host/x?a=1&access_token={SECRET}&b=2", f"https://host/?api_key={SECRET}#top"),
    *(f"Authorization: Bearer {SECRET}", f"x: basic  {SECRET} y", "a bearer", "rebearer x"),
    *(f"hf_{KEY}", f"use sk-{KEY}, then ghp_{KEY}", "hf_short", f"xhf_{KEY}", f"AKIA{KEY}"),
    *(f'{{"user": "me", "password" : "{SECRET}\\"{SECRET}", "n": 3}}', f"{{'token':'{SECRET}'}}"),
    *('{"sort_key": "name"}', f'{{"api_key":"{SECRET}', '{"token": ""}', '{"a": "x", "token": 3}'),
    *(f"xoxz-{KEY}", *(f"{known}{KEY}" for known in KNOWN_KEYS)),
    *(f"--my-{name}={SECRET}" for name in NAMES),
    *(f"--{name}_key=x" for name in ORDINARY_KEYS),
    *(f"x {scheme} {SECRET}" for scheme in SCHEMES),
]


def test_both_mask_the_same_words(record: Record) -> None:
    command = [sys.executable, "-c", PROGRAM, *WORDS]
    (process,) = record(command)
    assert list(process.tables.process.arguments) == masked_words(command)[0]
    assert SECRET not in " ".join(process.tables.process.arguments)


PARTS = [
    *"-=:/@?&;#'\"\\_.1aAé \t\n",
    *('"', '":"', "': '", '"token": "', "'password':'"),
    *("--", "://", ": ", "Z9", "https", "user", "hf_", "sk-", "AKIA", "Bearer ", "basic  ", KEY),
    *("token", "Token", "TOKEN", "key", "KEY", "api", "sort", "hf", "password", "x" * 140),
]


def test_both_mask_the_same_whatever_it_is(record: Record) -> None:
    chance = random.Random(5)  # noqa: S311
    words = ["".join(chance.choices(PARTS, k=chance.randrange(1, 9))) for _ in range(3000)]
    command = [sys.executable, "-c", PROGRAM, *words]
    (process,) = record(command)
    both = zip(process.tables.process.arguments, masked_words(command)[0], command, strict=True)
    assert [one for one in both if one[0] != one[1]] == []


def test_both_mask_the_same_texts_of_variables(record: Record) -> None:
    texts = {f"GRETA_TEXT_{n}": word for n, word in enumerate(WORDS)}
    (process,) = record([sys.executable, "-c", PROGRAM], **texts)
    written = {name: process.tables.environment[name] for name in texts}
    assert written == {name: masked_text(text) for name, text in texts.items()}


def test_programs_that_cannot_be_followed_are_noted_without_secrets(
    record: Record, tmp_path: Path
) -> None:
    words = WORDS[:14]  # as many as are noted, and all of them as in a command line
    child = f"import subprocess; subprocess.run(['/bin/true', *{words!r}], env={{}})"
    record([sys.executable, "-c", f"{PROGRAM}; {child}"])
    [start] = read_started(tmp_path / "recording").unfollowed
    assert list(start.arguments) == masked_words(["/bin/true", *words])[0]
    assert SECRET not in (tmp_path / "recording" / "processes.jsonl").read_text()


def test_nor_is_half_of_a_secret_that_is_too_long_to_be_kept(
    record: Record, tmp_path: Path
) -> None:
    """Between fork and exec a word is cut; that the cut part was a password may be behind it."""
    long = SECRET * 200
    harmless = "https://host/" + "x" * 1500
    words = [
        f"https://me:{long}@host",
        f"https://{long}@host",
        f'{{"token": "{long}"}}',
        f"hf_{KEY * 50}",
    ]
    child = f"import subprocess; subprocess.run(['/bin/true', *{[*words, harmless]!r}], env={{}})"
    record([sys.executable, "-c", f"{PROGRAM}; {child}"])
    [start] = read_started(tmp_path / "recording").unfollowed
    assert SECRET not in (tmp_path / "recording" / "processes.jsonl").read_text()
    assert start.arguments[1:5] == ("https://me:***", "https://***", '{"token": "***', "***")
    assert harmless.startswith(start.arguments[5])
    assert len(start.arguments[5]) > 100
