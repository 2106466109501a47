"""Conversations as the model was trained to see them: its chat template, and its tokens.

What people write never becomes a control token: a text such as <|im_end|> in a message stays text,
and only the template's own is the token. User-defined tokens are recognized in any text, as in
llama.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from greta.model.errors import ModelError
from greta.model.metadata import Metadata
from greta.model.tokenizer import TokenId, Tokenizer
from greta.model.tokenizer.broken_text import as_text
from greta.model.written_text import Message, had, marked, written

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
        from greta.model.chat_renderer import TemplateError, TemplateRefusedError, rendered

        try:
            return rendered(self._source, self._variables(messages, add_generation_prompt))
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

    def _variables(
        self, messages: Sequence[Message], add_generation_prompt: bool
    ) -> dict[str, Any]:
        """Under the names that Hugging Face's code gives them, tools and documents included."""
        words = self._tokenizer.vocabulary
        return {
            "messages": [dict(message) for message in messages],
            "tools": None,
            "documents": None,
            "add_generation_prompt": add_generation_prompt,
            "bos_token": self._text_of(words.bos),
            "eos_token": self._text_of(words.eos),
            "unk_token": self._text_of(words.unknown),
        }

    def _wrong(self, why: str) -> ModelError:
        return ModelError(f"{self._file}: {_KEY}: {why}")
