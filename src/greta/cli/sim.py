"""`greta sim`."""

from __future__ import annotations

import argparse
import os
import shlex

from greta.cli.common_options import add_sim_options
from greta.errors import UsageError
from greta.hip import find_sim_tree
from greta.inherited import give_back
from greta.runs.device import sim_environment, sim_settings
from greta.runs.program import refusal


class SimCommand:
    """Run any HIP program on the simulated device.

    The program and its children find the simulated libamdhip64.so and libhiprtc.so before any
    other, through ROCM_PATH and LD_LIBRARY_PATH. It replaces this command, so its exit code and
    its signals are its own.

    examples:
      greta sim -- python script.py          a script that uses AMD's bindings
      greta sim -- ./a.out                   a program linked with -lamdhip64
      greta sim --sim-devices 2 --vram 4G -- ./a.out
      gcc prog.c $(greta sim --cflags --libs) -o prog      also with g++, also with hipRTC
      eval "$(greta sim --print-env)"        for the rest of this shell session
    """

    name = "sim"
    usage = "greta sim [options] -- COMMAND [ARGUMENT ...]"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        add_sim_options(parser, "the device")
        show = parser.add_argument_group("instead of running a program, print")
        show.add_argument("--print-env", action="store_true", help="the environment, for a shell")
        show.add_argument("--cflags", action="store_true", help="what the C compiler needs")
        show.add_argument("--libs", action="store_true", help="what the linker needs")
        parser.add_argument("program", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)

    def run(self, options: argparse.Namespace) -> int:
        tree = find_sim_tree()
        settings = sim_settings(
            options.sim_devices,
            options.vram,
            strict=options.strict,
            footprints=options.footprints,
            abort_on_fault=options.abort_on_fault,
        )
        prints = options.print_env or options.cflags or options.libs
        if prints and options.program:
            raise UsageError("--print-env, --cflags and --libs print and run no program; drop one")
        environment = sim_environment(tree, {**os.environ, **settings})
        if options.print_env:
            for name in sorted(environment):
                if os.environ.get(name) != environment[name]:
                    print(f"export {name}={shlex.quote(environment[name])}")
        if options.cflags or options.libs:
            words: list[str] = []
            if options.cflags:
                words += ["-D__HIP_PLATFORM_AMD__", f"-I{tree.include}"]
            if options.libs:
                words += [f"-L{tree.lib}", "-lamdhip64", "-lhiprtc"]
            print(shlex.join(words))
        if prints:
            return 0
        if not options.program:
            raise UsageError(f"no program given; usage: {self.usage}")
        give_back()
        try:
            os.execvpe(options.program[0], options.program, environment)  # noqa: S606
        except OSError as error:
            raise refusal(options.program[0], error) from None
