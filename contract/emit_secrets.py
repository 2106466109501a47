"""What is a secret (secrets.toml), for the recorder and for greta.runs.masking."""

from __future__ import annotations

from contract.entry import FOLDER, read_toml

_LISTS = {
    "names": "kSecrets",
    "ordinary_keys": "kOrdinaryKeys",
    "schemes": "kSchemes",
    "known_keys": "kKnownKeys",
}


def header() -> str:
    """recorder/generated/secret_words.h"""
    rules = read_toml(FOLDER / "secrets.toml")
    lines = ["#pragma once", "#include <cstddef>", "#include <string_view>", ""]
    for name, constant in _LISTS.items():
        words = ", ".join(f'"{word}"' for word in rules[name])
        lines.append(f"constexpr std::string_view {constant}[] = {{{words}}};")
    return "\n".join([*lines, f"constexpr size_t kLeastKey = {rules['least_key']};", ""])


def module() -> str:
    """greta/runs/_secrets.py"""
    rules = read_toml(FOLDER / "secrets.toml")
    lists = [f"{name.upper()} = {tuple(rules[name])!r}" for name in _LISTS]
    return "\n".join([*lists, f"LEAST_KEY = {rules['least_key']}", ""])
