"""`greta sim`."""

from __future__ import annotations

import argparse
import os
import re
import shlex
from collections.abc import Mapping
from pathlib import Path

from greta.cli.sim_environment import sim_environment
from greta.errors import UsageError
from greta.hip import SimTree, find_sim_tree

_SIZE = re.compile(r"(\d+)([KMGT]?)(i?B)?", re.IGNORECASE)
_LEAST_VRAM = 1 << 20
_MOST_DEVICES = 16


class SimCommand:
    """Run any HIP program on the simulated device.

    The program and its children find the simulated libamdhip64.so and libhiprtc.so before any
    other, through ROCM_PATH and LD_LIBRARY_PATH. It replaces this command, so its exit code and
    its signals are its own.

    examples:
      greta sim -- python script.py          a script that uses AMD's bindings
      greta sim -- ./a.out                   a program linked with -lamdhip64
      greta sim --devices 2 --vram 4G -- ./a.out
      gcc prog.c $(greta sim --cflags --libs) -o prog      also with g++, also with hipRTC
      eval "$(greta sim --print-env)"        for the rest of this shell session
    """

    name = "sim"
    usage = "greta sim [options] -- COMMAND [ARGUMENT ...]"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Declares the options."""
        device = parser.add_argument_group("the device")
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
            help="check every access of a kernel, to the byte (slower)",
        )
        device.add_argument(
            "--abort-on-fault",
            action="store_true",
            help="on a memory fault print AMD's message and abort, as HIP 6 did",
        )
        show = parser.add_argument_group("instead of running a program, print")
        show.add_argument("--print-env", action="store_true", help="the environment, for a shell")
        show.add_argument("--cflags", action="store_true", help="what the C compiler needs")
        show.add_argument("--libs", action="store_true", help="what the linker needs")
        parser.add_argument("program", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)

    def run(self, options: argparse.Namespace) -> int:
        """Prints what was asked for, or becomes the program."""
        tree = find_sim_tree()
        settings = _settings(options)
        prints = options.print_env or options.cflags or options.libs
        if prints and options.program:
            raise UsageError("--print-env, --cflags and --libs print and run no program; drop one")
        if options.print_env:
            _print_environment(sim_environment(tree, {**os.environ, **settings}))
        if options.cflags or options.libs:
            print(_build_flags(tree, options.cflags, options.libs))
        if prints:
            return 0
        if not options.program:
            raise UsageError(f"no program given; usage: {self.usage}")
        _become(options.program, sim_environment(tree, {**os.environ, **settings}))
        return 0


def _settings(options: argparse.Namespace) -> dict[str, str]:
    settings = {
        "GRETA_SIM_DEVICES": options.devices,
        "GRETA_SIM_VRAM": options.vram,
        "GRETA_SIM_PLACEMENT": "strict" if options.strict else None,
        "HIP_SKIP_ABORT_ON_GPU_ERROR": "0" if options.abort_on_fault else None,
    }
    return {name: str(value) for name, value in settings.items() if value is not None}


def _print_environment(environment: Mapping[str, str]) -> None:
    for name in sorted(environment):
        if os.environ.get(name) != environment[name]:
            print(f"export {name}={shlex.quote(environment[name])}")


def _build_flags(tree: SimTree, cflags: bool, libs: bool) -> str:
    words: list[str] = []
    if cflags:
        words += ["-D__HIP_PLATFORM_AMD__", f"-I{tree.include}"]
    if libs:
        words += [f"-L{tree.lib}", "-lamdhip64", "-lhiprtc"]
    return shlex.join(words)


def _become(program: list[str], environment: Mapping[str, str]) -> None:
    try:
        os.execvpe(program[0], program, environment)  # noqa: S606
    except FileNotFoundError:
        raise UsageError(f"cannot run {program[0]!r}: there is no such program") from None
    except OSError as error:
        reason = "it is a folder" if Path(program[0]).is_dir() else error.strerror
        hint = f"; did you mean python {program[0]}?" if program[0].endswith(".py") else ""
        raise UsageError(f"cannot run {program[0]!r}: {reason}{hint}") from None


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
