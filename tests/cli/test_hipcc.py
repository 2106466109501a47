"""`greta hipcc`: what clang is given, and what is said where it is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from greta.cli.main import main
from greta.hip import SimTree
from greta.runs.hip_compiler import Clang, compiler_words

CLANG = Clang(Path("clang"), Path("headers"))


def given(*words: str) -> list[str]:
    return compiler_words(words, CLANG, SimTree(Path("tree")))


def after(words: list[str], word: str) -> str:
    return words[words.index(word) + 1]


def test_sources_are_hip_and_objects_are_not() -> None:
    words = given("-Iinclude", "a.cpp", "b.o", "c.c", "-o", "d.cpp")
    at = words.index("-Iinclude")
    expected = ["-x", "hip", "a.cpp", "-x", "none", "b.o", "-x", "c", "c.c", "-o", "d.cpp"]
    assert words[at + 1 :] == [*expected, "-Ltree/lib", "-lamdhip64"]
    assert "--offload-arch=gfx942" in words
    assert "-O3" in words
    assert after(words, "-include") == "__clang_hip_runtime_wrapper.h"
    folders = [words[i + 1] for i, word in enumerate(words) if word == "-isystem"]
    assert folders == ["headers/cuda_wrappers", "tree/gpu", "tree/include", "tree/simt/include"]


def test_what_is_asked_for_is_not_replaced() -> None:
    words = given("-c", "-O1", "--offload-arch=gfx90a", "a.hip", "-o", "a.o")
    assert [word for word in words if word.startswith(("-O", "--offload-arch"))] == [
        "-O1",
        "--offload-arch=gfx90a",
    ]
    assert "-lamdhip64" not in words
    assert "--offload-arch=gfx942" in given("--offload-arch=native", "a.hip")


def test_linking_alone_takes_no_words_of_the_compiler() -> None:
    assert given("a.o", "-lm", "-o", "a") == ["a.o", "-lm", "-o", "a", "-Ltree/lib", "-lamdhip64"]


def test_genco_is_for_the_device_alone() -> None:
    words = given("--genco", "a.cpp", "-o", "a.co")
    assert "--cuda-device-only" in words
    assert "-lamdhip64" not in words


def test_headers_know_the_older_layout_of_hidden_arguments() -> None:
    older = "-mcode-object-version=4"
    assert "-DGRETA_GPU_ABI=400" in given(older, "a.hip")
    assert "-DGRETA_GPU_ABI=400" not in given("a.hip")


def test_a_language_that_is_named_counts() -> None:
    assert given("-x", "c++", "a.cpp")[-5:-2] == ["-x", "c++", "a.cpp"]
    assert "-nogpuinc" not in given("-xc++", "a.cpp")
    assert "-nogpuinc" in given("-x", "hip", "kernel.inc")


def test_where_clang_is_missing_the_packages_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("HIP_CLANG_PATH", raising=False)
    assert main(["hipcc", "a.cpp"]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "apt install clang-19 lld-19 clang-tools-19 rocm-device-libs" in told
    alone = tmp_path / "clang-21"
    alone.write_text("")
    alone.chmod(0o755)
    assert main(["hipcc", "a.cpp"]) == 2
    beside = "is there, but lld and clang-offload-bundler beside it are not"
    assert f"{alone} {beside}" in capsys.readouterr().err


def test_nothing_to_compile_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hipcc"]) == 2
    assert capsys.readouterr().err.startswith("greta: nothing to compile; usage: greta hipcc ")


def test_the_host_may_be_this_machine() -> None:
    words = given("-mtune=native", "a.cpp")
    assert "-mtune=native" in words


def test_a_verbose_compiler_links_all_the_same() -> None:
    assert "-lamdhip64" in given("-v", "a.cpp", "-o", "a")
    assert given("-v") == ["-v"]


def test_words_of_the_linker_keep_their_values() -> None:
    assert given("a.cpp", "-z", "now")[-4:-2] == ["-z", "now"]


def test_a_folder_without_clang_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HIP_CLANG_PATH", str(tmp_path))
    assert main(["hipcc", "a.cpp"]) == 2
    assert capsys.readouterr().err.endswith(f"HIP_CLANG_PATH: there is no clang in {tmp_path}\n")
