"""Conversations as the model was trained to see them: its chat template, and its tokens.

What people write never becomes a control token: a text such as <|im_end|> in a message stays text,
and only the template's own is the token. User-defined tokens are recognized in any text, as in
llama.cpp.

A template is a program of unknown origin: `template_rendering` runs it in a child process with
limits. The child gets nothing but its input: no environment, no open file, no folder.

To tell who wrote a control token's text, the template is run once more on messages in which each
such text begins with a character that no text has. Where that character comes out, a person wrote
it. A template that looks for such texts may give another result the second time. Then the results
are compared from both ends, and between the first difference and the last no text that a message
has counts as a control token, the template's own included.
"""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase

from greta.errors import ModelError
from greta.model.header import Metadata
from greta.model.template_rendering import TOO_LARGE, TOO_LONG, TOO_MUCH_TEXT
from greta.model.tokenizer import TokenId, Tokenizer
from greta.model.tokenizer.vocabulary import as_text

_KEY = "tokenizer.chat_template"


class ChatTemplate:
    """The template of a model's file."""

    def __init__(self, source: str, file: str, tokenizer: Tokenizer) -> None:
        self._file = file
        self._tokenizer = tokenizer
        self._source = source

    @classmethod
    def of(cls, metadata: Metadata, tokenizer: Tokenizer) -> ChatTemplate:
        """The template in the metadata; ModelError if there is none."""
        if _KEY not in metadata:
            raise metadata.wrong(
                _KEY, "is missing, so this model knows no conversations; prompt it without --chat"
            )
        return cls(metadata.text(_KEY), metadata.file, tokenizer)

    def render(self, messages: Sequence[Message], *, add_generation_prompt: bool = True) -> str:
        """The conversation as one text; `add_generation_prompt` opens the model's own turn."""
        try:
            # Under the names that Hugging Face's code gives them, tools and documents included.
            words = self._tokenizer.vocabulary
            return rendered(
                self._source,
                {
                    "messages": [dict(message) for message in messages],
                    "tools": None,
                    "documents": None,
                    "add_generation_prompt": add_generation_prompt,
                    "bos_token": self._text_of(words.bos),
                    "eos_token": self._text_of(words.eos),
                    "unk_token": self._text_of(words.unknown),
                },
            )
        except TemplateRefusedError as error:
            raise self._wrong(f"refuses these messages: {error}") from None
        except TemplateError as error:
            raise self._wrong(f"cannot be rendered: {error}") from None

    def encode(
        self, messages: Sequence[Message], *, add_generation_prompt: bool = True
    ) -> list[TokenId]:
        """The tokens of the conversation. Control tokens come from the template alone."""

        def render(of: Sequence[Message]) -> str:
            return self.render(of, add_generation_prompt=add_generation_prompt)

        text = render(messages)
        return self._tokenizer.encode_template(text, self._written(text, messages, render))

    def _written(
        self, text: str, messages: Sequence[Message], render: Callable[[Sequence[Message]], str]
    ) -> frozenset[int]:
        """The places in the text at which people wrote a text of a control token."""
        controls = had(messages, self._tokenizer.control_texts)
        if not controls:
            return frozenset()
        try:
            other = render([marked(message, controls) for message in messages])
        except ModelError:  # it does not take these, and has taken the real ones
            other = ""
        return written(as_text(text), as_text(other), controls)

    def _text_of(self, token: TokenId | None) -> str:
        return "" if token is None else self._tokenizer.vocabulary.text(token)

    def _wrong(self, why: str) -> ModelError:
        return ModelError(f"{self._file}: {_KEY}: {why}")


WALL_SECONDS = 20.0  # the limit that counts is that of the processor's time; this ends a sleeper
_LONGEST = 1 << 20  # characters of an answer, beside four times those of the question
_PROGRAM = Path(__file__).with_name("template_rendering.py")
_KEPT = ("LD_LIBRARY_PATH", "TZ")  # where Python finds its libraries, and what time it is


class TemplateError(Exception):
    """There is no text; the words are the file's own, or about what it did."""


class TemplateRefusedError(TemplateError):
    """The template itself refuses these messages."""


def rendered(source: str, variables: Mapping[str, object]) -> str:
    """The text of a template; TemplateError with the reason if there is none."""
    question = {"source": source, "variables": variables, "folders": _folders()}
    longest = _LONGEST + 4 * len(json.dumps(variables))
    answer = _answer(json.dumps({**question, "longest": longest}), longest)
    if isinstance(refused := answer.get("refused"), str):
        raise TemplateRefusedError(refused)
    if not isinstance(text := answer.get("text"), str):
        raise TemplateError(str(answer.get("wrong")))
    return text


def _folders() -> list[str]:
    """Where Jinja is, wherever this process has it from."""
    specs = [importlib.util.find_spec(name) for name in ("jinja2", "markupsafe")]
    folders = [Path(spec.origin).parents[1] for spec in specs if spec and spec.origin]
    return list(dict.fromkeys(str(folder.resolve()) for folder in folders))


def _answer(question: str, longest: int) -> dict[str, object]:
    # Isolated and without site: no current folder, no variables, no .pth files.
    command = [sys.executable, "-I", "-S", str(_PROGRAM)]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="ascii",
        env={name: os.environ[name] for name in _KEPT if name in os.environ},
        cwd="/",
    ) as process:
        try:
            output, _ = process.communicate(question, timeout=WALL_SECONDS)
        except subprocess.TimeoutExpired:
            raise TemplateError(TOO_LONG) from None
        finally:  # Ctrl-C as well: nothing of it outlives this
            process.kill()
            process.wait()
    if (code := process.returncode) in (-signal.SIGXCPU, -signal.SIGKILL):
        raise TemplateError(TOO_LONG)
    if code < 0:
        raise TemplateError(f"it ended its process by {signal.Signals(-code).name}")
    if code > 0:
        raise TemplateError(TOO_LARGE)
    if len(output) > longest:
        raise TemplateError(TOO_MUCH_TEXT)
    answer = json.loads(output)
    return answer if isinstance(answer, dict) else {}


_STAND_IN = "\ufdd0"  # not a character
_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)

Message = Mapping[str, str]


def marked(message: Message, controls: Sequence[str]) -> dict[str, str]:
    """The message with the stand-in at the beginning of each text of a control token."""
    return {key: _marked(text, controls) for key, text in message.items()}


def written(text: str, of_marked: str, controls: Sequence[str]) -> frozenset[int]:
    """The places in a rendered text where people wrote a text of a control token, or may have.

    `of_marked` is what the template made of the marked messages; `controls` are the texts of
    control tokens that the messages have.
    """
    head = _alike(text, of_marked)
    tail = _alike(text[head:][::-1], of_marked[head:][::-1])
    return frozenset(
        (
            *(place for place in range(head) if of_marked[place] == _STAND_IN),
            *(len(text) - n for n in range(1, tail + 1) if of_marked[-n] == _STAND_IN),
            *_between(text, controls, head, len(text) - tail),
        )
    )


def had(messages: Iterable[Message], controls: Sequence[str]) -> list[str]:
    """The texts of control tokens that the messages have."""
    texts = [text.translate(_LOWER) for message in messages for text in message.values()]
    return [
        control for control in controls if any(control.translate(_LOWER) in text for text in texts)
    ]


def _marked(text: str, controls: Sequence[str]) -> str:
    letters = list(text)
    lower = text.translate(_LOWER)
    for control in controls:
        for place in _places(lower, control):
            letters[place] = _STAND_IN
    return "".join(letters)


def _alike(text: str, of_marked: str) -> int:
    """How many characters are equal from the beginning."""
    pairs = enumerate(zip(text, of_marked, strict=False))
    shorter = min(len(text), len(of_marked))
    return next((n for n, (a, b) in pairs if b not in (a, _STAND_IN)), shorter)


def _between(text: str, controls: Iterable[str], begin: int, end: int) -> Iterator[int]:
    """The places of controls that are not wholly before or after what lies between."""
    lower = text.translate(_LOWER)
    for control in controls:
        for place in _places(lower, control):
            if place + len(control) > begin and place < end:
                yield place


def _places(lower: str, control: str) -> Iterator[int]:
    """In any case of letters: a template may change it."""
    word = control.translate(_LOWER)
    place = lower.find(word)
    while place >= 0:
        yield place
        place = lower.find(word, place + 1)
