"""Which texts of control tokens in a rendered conversation people wrote themselves.

A template is a program, and sees the messages as they are. So it is run once more on messages in
which each text of a control token begins with another character, one that no text has. Where that
character comes out, a person wrote what stands there in the first result. A template that looks
for such texts may do something else the second time. Then the results are compared from both ends,
and between the first difference and the last nothing tells who wrote what: no text that a message
has counts as a control token there, the template's own included.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import ascii_lowercase, ascii_uppercase

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
    return [control for control in controls if any(_found(text, control) for text in texts)]


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


def _found(lower: str, control: str) -> bool:
    return next(_places(lower, control), None) is not None


def _places(lower: str, control: str) -> Iterator[int]:
    """In any case of letters: a template may change it."""
    word = control.translate(_LOWER)
    place = lower.find(word)
    while place >= 0:
        yield place
        place = lower.find(word, place + 1)
