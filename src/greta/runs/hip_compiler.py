"""HIP C++ by clang, where there is no ROCm: which clang, and the words that it takes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from greta.errors import UsageError
from greta.hip import SimTree, find_sim_tree

CLANG_VARIABLE = "HIP_CLANG_PATH"
_NEWEST, _OLDEST = 30, 19
_ARCHITECTURE = "gfx942"
_HIP = (".cpp", ".cc", ".cxx", ".c++", ".C", ".hip", ".cu")
_LANGUAGES = {**dict.fromkeys(_HIP, "hip"), ".c": "c"}
_OCML = "ocml.bc"
BITCODE = (
    "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode",
    "/usr/lib/amdgcn/bitcode",
    "/usr/share/amdgcn/bitcode",
    "/opt/rocm/amdgcn/bitcode",
)
_WITH_VALUE = {
    *("-o", "-I", "-D", "-U", "-L", "-l", "-x", "-include", "-isystem", "-iquote", "-idirafter"),
    *("-MF", "-MT", "-MQ", "-Xlinker", "-Xclang", "-Xassembler", "-Xpreprocessor", "-T", "-u"),
    *("-imacros", "-isysroot", "-z", "-e", "-MJ", "-Xoffload-linker"),
    *("-mllvm", "-target", "-Xarch_host", "-Xarch_device", "-arch", "-aux-info", "--param"),
}
_NO_LINKING = re.compile(
    r"-c|-S|-E|-M|-MM|-fsyntax-only|-emit-llvm|--version|-dumpversion|-print-.*|--print-.*"
    r"|--cuda-device-only|--offload-device-only|-###"
)
_ARCHITECTURES = ("--offload-arch=", "--cuda-gpu-arch=", "--amdgpu-target=", "--no-offload-arch=")
_BESIDE = ("lld", "clang-offload-bundler")
_DEVICE_ONLY = "--cuda-device-only"


@dataclass(frozen=True)
class Clang:
    path: Path
    headers: Path


def find_clang() -> Clang:
    """As look_for_clang; raises UsageError that says what to do."""
    path, missing = look_for_clang()
    if path and not missing:
        asked = subprocess.run(
            [path, "-print-resource-dir"], capture_output=True, text=True, check=False
        )
        return Clang(path, Path(asked.stdout.strip()) / "include")
    lacking = f"; {path} is there, but {' and '.join(missing)} beside it are not" if path else ""
    raise UsageError(
        f"clang {_OLDEST} or newer is needed, with lld and clang-offload-bundler{lacking}; on "
        "Debian and Ubuntu: apt install clang-19 lld-19 clang-tools-19 rocm-device-libs"
    )


def look_for_clang() -> tuple[Path | None, list[str]]:
    """The newest that has all it needs; else the newest, and what is not beside it."""
    newest: tuple[Path | None, list[str]] = (None, list(_BESIDE))
    for path in _clangs():
        folder = Path(os.path.realpath(path)).parent
        missing = [each for each in _BESIDE if not (folder / each).exists()]
        if not missing:
            return path, missing
        newest = newest if newest[0] else (path, missing)
    return newest


def device_library() -> Path | None:
    """The folder of rocm-device-libs."""
    return next((Path(each) for each in BITCODE if (Path(each) / _OCML).is_file()), None)


def _clangs() -> Iterator[Path]:
    if named := os.environ.get(CLANG_VARIABLE):
        if not (Path(named) / "clang").is_file():
            raise UsageError(f"{CLANG_VARIABLE}: there is no clang in {named}")
        yield Path(named) / "clang"
        return
    for version in range(_NEWEST, _OLDEST - 1, -1):
        if found := shutil.which(f"clang-{version}"):
            yield Path(found)
    if (plain := shutil.which("clang")) and _version(plain) >= _OLDEST:
        yield Path(plain)


def _version(clang: str) -> int:
    asked = subprocess.run([clang, "-dumpversion"], capture_output=True, text=True, check=False)
    major = asked.stdout.partition(".")[0]
    return int(major) if major.isdecimal() else 0


def compiler_words(words: Sequence[str], clang: Clang, tree: SimTree) -> list[str]:
    given = [_DEVICE_ONLY if word == "--genco" else word for word in words]
    given = [_for_our_device(word) for word in given]
    told, languages = _with_languages(given)
    before = [*_header_words(clang, tree)] if languages else []
    links = given != ["-v"] and not any(_NO_LINKING.fullmatch(word) for word in given)
    links_device_code = links and ("-fgpu-rdc" in given or "--hip-link" in given)
    if links_device_code:
        before += ["--hip-link"]
    if "hip" in languages or links_device_code:
        before += _hip_words(given, compiles="hip" in languages)
    # No run path: which device a program runs on is not said when it is compiled.
    return [*before, *told, *((f"-L{tree.lib}", "-lamdhip64") if links else ())]


def kernel_compiler() -> list[str]:
    """The command that makes a code object of the HIP source that follows it."""
    clang, file = find_clang(), "kernels.hip"
    words = compiler_words(["--genco", "--no-gpu-bundle-output", file], clang, find_sim_tree())
    return [str(clang.path), "--driver-mode=g++", *words[: words.index(file)]]


def _for_our_device(word: str) -> str:
    """The GPU of this machine, where that is asked for, is the simulated one."""
    is_of_gpu = word.startswith(_ARCHITECTURES)
    return word.replace("=native", f"={_ARCHITECTURE}") if is_of_gpu else word


def _with_languages(words: Sequence[str]) -> tuple[list[str], set[str]]:
    """The same, with the language before each source; which languages there are."""
    told: list[str] = []
    named, now, used, option = "none", "none", set[str](), ""
    for word in words:
        is_file = not option and not word.startswith(("-", "@"))
        if option == "-x":
            named = now = word
        elif not option and word.startswith("-x") and len(word) > 2:
            named = now = word[2:]
        option = word if not option and word in _WITH_VALUE else ""
        if is_file:
            own = _LANGUAGES.get(Path(word).suffix, named) if named == "none" else named
            told += ["-x", own] if own != now else []
            now = own
            used.add(own)
        told.append(word)
    return told, used - {"none"}


def _header_words(clang: Clang, tree: SimTree) -> Iterator[str]:
    yield "-D__HIP_PLATFORM_AMD__=1"
    folders = (clang.headers / "cuda_wrappers", tree.root / "gpu", tree.include)
    for folder in (*folders, tree.root / "simt" / "include"):
        yield from ("-isystem", str(folder))


def _hip_words(words: Sequence[str], *, compiles: bool) -> Iterator[str]:
    if compiles:
        yield from ("-nogpuinc", "-include", "__clang_hip_runtime_wrapper.h")
    if "-mcode-object-version=4" in words:
        yield "-DGRETA_GPU_ABI=400"
    if not any(word.startswith(_ARCHITECTURES) for word in words):
        yield f"--offload-arch={_ARCHITECTURE}"
    if not any(word.startswith("-O") for word in words):
        yield "-O3"
    bitcode = device_library()
    if bitcode is None:
        yield from ("-nogpulib", "-DGRETA_NO_DEVICE_LIBRARY")
    else:
        yield f"--hip-device-lib-path={bitcode}"
        yield from (f"--hip-device-lib={name}" for name in (_OCML, "ockl.bc"))
