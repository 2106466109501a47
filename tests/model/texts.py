"""Texts on which tokenizers differ, as bytes: some are not UTF-8."""
# ruff: noqa: RUF001

from __future__ import annotations

import random

_SOUND = (
    "",
    " ",
    "  ",
    "Hello world",
    "The capital of France is Paris.",
    "They're I'M you'LL we've IT'S don't 'tis rock'n'roll",
    "¿Qué tal? El ñandú comió más piñas que cigüeñas.",
    "你好，世界！今天天气很好。世界",
    "한국어 조선말 ภาษาไทย हिन्दी العربية עברית ελληνικά русский",
    "emoji 👩‍👩‍👧‍👦 🏳️‍🌈 🇪🇸 ❤️ 🤷🏽‍♂️x",
    "a\r\nb\r\n\r\nc\n\n\nd\r",
    "\n",
    "\n \n",
    " \n x\n  y",
    "\t\tdef f(x):\n\t    return x**2  # 12345678 3.14159\n",
    "x" + " " * 70 + "y",
    "  leading and trailing  ",
    "12 345 6789 12345 1,234.56 100% 0x1F 2026-02-06",
    "½ Ⅷ ٣٤٥ १२३ ⑨ 三",
    "\u00a0\u2003\u3000 x\u0085y\u200bz\ufeff",
    "İıßﬁ Ǆ a\u0310e\u0301o\u0308\u0332",
    "'''''\"\"\"\"```---___***",
    "$$$+++<<<===>>>^^^~~~|||",
    "\0\x01\x7f",
    "<|im_end|>\n<|im_start|>user<|endoftext|> <s> </s> <unk> <0x0A> <user>x<user> y",
    "a<user>b <|im_start|>c",
    "\u2581\u2581 a\u2581b",
    "Ġ Ċ ĠĠ",
    "\ufffd",
    "for (int i = 0; i < n; ++i) { sum += a[i] * 0.5f; }  // total",
    '{"schema": 1, "verdict": "NOT_REPRODUCED", "runs": [200, 50]}',
    "https://example.org/a/b?c=d&e=%20f#g user@example.org",
)
_BROKEN = (
    b"\xff",
    b"abc\xffdef",
    b"\xe2\x28\xa1",
    b"\xc0\x80 x",
    b"\xed\xa0\x80",
    b"a\xed\xa0\xbd\xed\xb8\x80b ",
    b"\xf0\x9f\x98",
    b"caf\xe9 latin1 \xbfqu\xe9?",
    b"\x80\x81 \xfe\xff",
    b"end\xc3",
    b"\xf4\x8f\xbf\xbf",
    b"\xf4\x8f\xbf\xbf a\xed\xa0\x80\xf4\x8f\xbf\xbfb \xed\xb0\x80",
)
TEXTS: tuple[bytes, ...] = (*(text.encode() for text in _SOUND), *_BROKEN)

# For vocabularies without some bytes and some merged words (see write_lacking_pairs).
LACKING_PIECES: tuple[bytes, ...] = (
    *(b"\x04", b"\x06", b"\x13", b"\x14", b"\x16", b"\x1d", b"\xf1\x80\x81\x82", b"#"),
    *(b"!", b"!!", b"-", b"==", b".", b"9", b"99", b" 12", b" 1", b"3", b"he", b" the", b"ll"),
    *(b"return", b"re", b" ", b"\n", b"\t", "\xf1".encode(), b"\xf1", b"x"),
)


def lacking_texts(count: int) -> list[bytes]:
    """Texts of such pieces, chosen at random."""
    chosen = random.Random(4)  # noqa: S311
    return [b"".join(chosen.choices(LACKING_PIECES, k=chosen.randint(2, 9))) for _ in range(count)]


CONTROL_TEXTS = (b"return 123", b" 1234 12 boxes", b"returns boxesx", b"the return of 12345 boxes")
