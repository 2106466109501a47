"""The options of the simulated device, for every command that runs programs on it."""

from __future__ import annotations

import argparse
import re

from greta.runs.device import sim_settings

_SIZE = re.compile(r"(\d+)([KMGT]?)(i?B)?", re.IGNORECASE)
_LEAST_VRAM = 1 << 20
_MOST_DEVICES = 16


def add_sim_options(parser: argparse.ArgumentParser, title: str) -> None:
    """Declares them, in a group of this title."""
    device = parser.add_argument_group(title)
    device.add_argument("--devices", type=_device_count, metavar="N", help="how many (1)")
    device.add_argument(
        "--vram",
        type=_size,
        metavar="SIZE",
        help="memory of each, such as 16G (three quarters of the host's)",
    )
    device.add_argument(
        "--strict",
        action="store_true",
        help="check every access of a kernel, so that an overrun of one byte faults (slower)",
    )
    device.add_argument(
        "--footprints",
        action="store_true",
        help="record which bytes each launch reads and writes (slower)",
    )
    device.add_argument(
        "--abort-on-fault",
        action="store_true",
        help="on a memory fault print AMD's message and abort, as HIP 6 did",
    )


def settings_of(options: argparse.Namespace) -> dict[str, str]:
    """The variables that the options given stand for."""
    return sim_settings(
        options.devices,
        options.vram,
        strict=options.strict,
        footprints=options.footprints,
        abort_on_fault=options.abort_on_fault,
    )


def _device_count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= _MOST_DEVICES:
        raise argparse.ArgumentTypeError(f"must be 1 to {_MOST_DEVICES}, not {text!r}")
    return int(text)


def _size(text: str) -> int:
    match = _SIZE.fullmatch(text)
    scale = "KMGT".find(match[2].upper()) + 1 if match and match[2] else 0
    size = int(match[1]) << 10 * scale if match else 0
    if size < _LEAST_VRAM:
        raise argparse.ArgumentTypeError(f"must be a size such as 16G, 1M or more, not {text!r}")
    return size
