"""Calls through inline functions of HIP's headers are at the line that the user wrote."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from greta.hip import find_sim_tree
from greta.symbols import inlined_wrappers
from greta.symbols.inlined_wrappers import is_header_of_hip
from greta.symbols.sites import NativeSite, SiteResolver
from tests.symbols.sites.ran_program import (
    Ran,
    addresses_of,
    build,
    build_id_of,
    resolver_of,
    run,
)

WRAPPED = Path(__file__).with_name("wrapped.cpp")
CALLS = 6
OUR_HEADERS = [f"-I{find_sim_tree().include}"]
HEADERS_OF_AMD = ["-D__HIP_PLATFORM_AMD__", "-DHEADERS_OF_AMD"]

needs_headers_of_amd = pytest.mark.skipif(
    not Path("/usr/include/hip/hip_runtime_api.h").exists(), reason="AMD's headers are missing"
)


def build_wrapped(folder: Path, *options: str, compiler: str = "g++") -> Path:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    return build(folder, *options, compiler=compiler, source=WRAPPED)


def sites_of(ran: Ran) -> list[NativeSite]:
    resolver = SiteResolver(ran.libraries)
    found = [resolver.native(call.address) for call in ran.calls]
    return [site for site in found if site is not None]


def assert_all_are_the_users(ran: Ran) -> None:
    for call, site in zip(ran.calls, sites_of(ran), strict=True):
        assert (site.file, site.line, site.problem) == (str(WRAPPED), call.line, None)
        assert site.function is not None
        assert site.function.split(" [clone")[0] == call.function


@pytest.mark.parametrize("version", ["-gdwarf-4", "-gdwarf-5"])
@pytest.mark.parametrize("optimized", ["-O0", "-O2"])
@pytest.mark.parametrize("compiler", ["g++", "clang++-19"])
def test_a_typed_allocation_is_at_the_users_line(
    compiler: str, optimized: str, version: str, tmp_path: Path
) -> None:
    program = build_wrapped(tmp_path, version, optimized, *OUR_HEADERS, compiler=compiler)
    assert_all_are_the_users(run(program, CALLS))


@pytest.mark.parametrize(
    ("compiler", "options"),
    [
        ("g++", ["-gdwarf-3", "-gstrict-dwarf", "-O2"]),
        ("g++", ["-g", "-gdwarf64", "-O2"]),
        ("g++", ["-g", "-gz", "-O2"]),
        ("g++", ["-g", "-O2", "-flto"]),
        ("g++", ["-g", "-O2", "-ffunction-sections", "-no-pie"]),
        ("clang++-19", ["-g", "-O2", "-ffunction-sections"]),
        ("clang++-19", ["-g", "-O2", "-gsimple-template-names"]),
    ],
)
def test_the_same_however_it_is_compiled(compiler: str, options: list[str], tmp_path: Path) -> None:
    program = build_wrapped(tmp_path, *options, *OUR_HEADERS, compiler=compiler)
    assert_all_are_the_users(run(program, CALLS))


@needs_headers_of_amd
@pytest.mark.parametrize("compiler", ["g++", "clang++-19"])
def test_headers_of_amd_are_looked_through_where_they_are_inlined(
    compiler: str, tmp_path: Path
) -> None:
    program = build_wrapped(tmp_path, "-g", "-O2", *HEADERS_OF_AMD, compiler=compiler)
    assert_all_are_the_users(run(program, CALLS))


@needs_headers_of_amd
def test_a_wrapper_that_is_not_inlined_is_named(tmp_path: Path) -> None:
    program = build_wrapped(tmp_path, "-g", "-O0", *HEADERS_OF_AMD)
    first = sites_of(run(program, CALLS))[0]
    assert first.file == "/usr/include/hip/hip_runtime_api.h"
    assert first.function is not None
    assert "hipMalloc<float>(" in first.function


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("/opt/rocm/include/hip/hip_runtime_api.h", True),
        ("/opt/rocm/include/hip/amd_detail/amd_hip_runtime.h", True),
        ("/home/x/hip/src/allocate.h", False),
        ("/home/x/hip", False),
        ("", False),
    ],
)
def test_headers_of_hip_are_known_by_their_folder(file: str, expected: bool) -> None:
    assert is_header_of_hip(file) is expected


WRAPPER = re.compile(r"\b(hipMalloc|hipMallocCount|__device_stub__scale)($|[<(])")


def frames_of_addr2line(program: Path, address: int) -> list[tuple[str, str]]:
    """Function and place of each frame at an address, the innermost first."""
    command = ["addr2line", "-Cfi", "-e", str(program), hex(address)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return [(name, place.split(" ")[0]) for name, place in zip(*[iter(lines)] * 2, strict=True)]


@pytest.mark.skipif(shutil.which("addr2line") is None, reason="addr2line is not installed")
@pytest.mark.parametrize("optimized", ["-O0", "-O2"])
def test_stepping_outwards_agrees_with_addr2line(optimized: str, tmp_path: Path) -> None:
    program = build_wrapped(tmp_path, "-gdwarf-4", optimized, *OUR_HEADERS)
    resolver = resolver_of(program)
    stepped = 0
    for address in addresses_of(program, 300):
        frames = frames_of_addr2line(program, address - 1)
        inlined = [name for name, _ in frames[:-1]]
        wrappers = [i for i, name in enumerate(inlined) if WRAPPER.search(name)]
        outside = max(wrappers, default=-1) + 1
        stepped += outside > 0
        site = resolver.native(address)
        assert site is not None
        found = f"{site.file}:{site.line}" if site.line else "??:?"
        assert found == frames[outside][1].replace("??:0", "??:?")
    assert stepped > 5


def test_what_takes_too_long_costs_the_users_line_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = run(build_wrapped(tmp_path, "-g", "-O2", *OUR_HEADERS), CALLS)
    monkeypatch.setattr(inlined_wrappers, "SECONDS_LIMIT", -1.0)
    for site in sites_of(ran):
        assert site.problem is None
        assert site.line is not None
    assert sites_of(ran)[0].file != str(WRAPPED)


def section_range(program: Path, name: str) -> range:
    """Where in the file a section is."""
    command = ["readelf", "-SW", str(program)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    row = next(line for line in output.splitlines() if f" {name} " in line)
    offset, size = (int(text, 16) for text in row.split(name)[1].split()[2:4])
    return range(offset, offset + size)


@pytest.mark.parametrize(
    ("compiler", "version", "sections"),
    [
        ("g++", "-gdwarf-4", ("info", "abbrev", "ranges")),
        ("g++", "-gdwarf-5", ("info", "abbrev", "rnglists")),
        ("clang++-19", "-gdwarf-5", ("info", "abbrev", "rnglists", "addr", "str_offsets")),
    ],
)
def test_damaged_entries_give_less_and_nothing_worse(
    compiler: str, version: str, sections: tuple[str, ...], tmp_path: Path
) -> None:
    program = build_wrapped(tmp_path, version, "-O2", *OUR_HEADERS, compiler=compiler)
    build_id = build_id_of(program)
    addresses = addresses_of(program, 20)
    content = program.read_bytes()
    places = [section_range(program, f".debug_{name}") for name in sections]
    for seed in range(150):
        chance = random.Random(seed)  # noqa: S311
        changed = bytearray(content)
        for _ in range(chance.choice([1, 3, 20])):
            place = chance.choice(chance.choice(places))
            changed[place] = chance.choice([0, 1, 127, 128, 255, chance.randrange(256)])
        program.write_bytes(changed)
        resolver = resolver_of(program, build_id=build_id)
        for address in addresses:
            site = resolver.native(address)
            assert site is not None
            assert site.function is not None  # which is not in these sections
