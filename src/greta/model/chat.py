"""Conversations as the model was trained to see them: its chat template, and its tokens.

What people write never becomes a special token: a text such as <|im_end|> in a message is broken up
by a character that no text has before the template runs, and mended once the template's own special
tokens have been found.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from greta.model.errors import ModelError
from greta.model.metadata import Metadata
from greta.model.tokenizer import TokenId, Tokenizer

if TYPE_CHECKING:
    from jinja2 import Template

Message = Mapping[str, str]

_KEY = "tokenizer.chat_template"
_BREAKERS = [chr(point) for point in (*range(0xFDD0, 0xFDF0), 0xFFFE, 0xFFFF)]  # no characters


class ChatTemplate:
    """The template of a model's file."""

    def __init__(self, source: str, file: str, tokenizer: Tokenizer) -> None:
        self._file = file
        self._tokenizer = tokenizer
        self._source = source
        self._template = self._compiled(source)

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
        from greta.model.template_limits import limits

        try:
            with limits():
                return self._template.render(
                    messages=[dict(message) for message in messages],
                    add_generation_prompt=add_generation_prompt,
                    bos_token=self._text_of(self._tokenizer.vocabulary.bos),
                    eos_token=self._text_of(self._tokenizer.vocabulary.eos),
                )
        except ModelError:
            raise
        except Exception as error:  # a template is a program, and may raise anything
            raise self._wrong(error) from None

    def encode(
        self, messages: Sequence[Message], *, add_generation_prompt: bool = True
    ) -> list[TokenId]:
        """The tokens of the conversation. Special tokens come from the template alone."""
        breaker = self._breaker(messages)
        broken = [self._broken(message, breaker) for message in messages]
        text = self.render(broken, add_generation_prompt=add_generation_prompt)
        return self._tokenizer.encode_template(text, breaker)

    def _broken(self, message: Message, breaker: str) -> dict[str, str]:
        return {
            key: _with_breaks(text, self._tokenizer.special_texts, breaker)
            for key, text in message.items()
        }

    def _breaker(self, messages: Sequence[Message]) -> str:
        written = self._source + "".join(text for m in messages for text in m.values())
        return next((b for b in _BREAKERS if b not in written), _BREAKERS[0])

    def _text_of(self, token: TokenId | None) -> str:
        return "" if token is None else self._tokenizer.vocabulary.text(token)

    def _compiled(self, source: str) -> Template:
        from greta.model.template_limits import LimitedEnvironment, limits  # brings all of Jinja

        environment = LimitedEnvironment(
            trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
        )
        environment.filters["tojson"] = _to_json
        environment.globals |= {"raise_exception": self._refuse, "strftime_now": _now}
        try:
            with limits():  # constants are computed while compiling
                return environment.from_string(source)
        except Exception as error:
            raise self._wrong(error) from None

    def _refuse(self, why: str) -> None:
        raise ModelError(f"{self._file}: the chat template refuses these messages: {why}")

    def _wrong(self, error: BaseException) -> ModelError:
        return ModelError(f"{self._file}: {_KEY}: cannot be rendered: {_words(error)}")


def _words(error: BaseException) -> str:
    return str(error).strip().split("\n")[0] or type(error).__name__


def _with_breaks(text: str, specials: Sequence[str], breaker: str) -> str:
    for special in specials:
        if special in text:
            text = text.replace(special, special[0] + breaker + special[1:])
    return text


def _to_json(value: Any, indent: int | None = None) -> str:
    """As Hugging Face's templates expect it: without HTML escapes."""
    return json.dumps(value, ensure_ascii=False, indent=indent)


def _now(form: str) -> str:
    return datetime.now().strftime(form)
