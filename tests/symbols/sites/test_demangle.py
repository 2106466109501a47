"""C++ names, good and bad."""

from __future__ import annotations

import pytest

from greta.symbols import sites as demangle
from greta.symbols.sites import Demangler, short_name


def test_names_become_readable() -> None:
    demangler = Demangler()
    assert demangler.readable("_ZN3foo3barEi") == "foo::bar(int)"
    assert demangler.readable("_ZN3foo3barEi") == "foo::bar(int)"
    assert demangler.readable("_ZN3foo3barEi@@LIB_1.0") == "foo::bar(int)@@LIB_1.0"
    assert demangler.readable("_Z1fPKDF16_S0_Pf") == "f(_Float16 const*, _Float16 const*, float*)"
    assert demangler.readable("_Z1fIDF16bEvPT_S1_") == "void f<__bf16>(__bf16*, __bf16*)"
    assert demangler.readable("_ZSt4moveIRiEONSt16remove_referenceIT_E4typeEOS2_").startswith("std")


@pytest.mark.parametrize("name", ["", "main", "_start", "hipMalloc", "_Zé", "_Z" + "x" * 5000])
def test_other_names_stay_what_they_are(name: str) -> None:
    assert Demangler().readable(name) == name


@pytest.mark.parametrize("name", ["_Z", "_Z99999999999999x", "_ZN", "_Z1fIS_ES_\n_Z1gv"])
def test_names_that_make_no_sense_do_no_harm(name: str) -> None:
    demangler = Demangler()
    assert demangler.readable(name).splitlines()[0] == name.splitlines()[0]
    assert demangler.readable("_Z1gv") in ("g()", "_Z1gv")


def test_a_name_whose_readable_form_would_fill_the_memory_is_given_up() -> None:
    # Each pair of arguments is twice as long as what it refers to.
    bomb = "_Z1fSt4pairIiiE" + "".join(
        f"S_IS{digit}_S{digit}_E" for digit in "0123456789ABCDEFGHIJ" * 3
    )
    demangler = Demangler()
    assert len(demangler.readable(bomb)) < 1 << 20


def test_without_a_demangler_names_stay_what_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demangle, "PROGRAM", "no-such-program")
    assert Demangler().readable("_ZN3foo3barEi") == "_ZN3foo3barEi"


@pytest.mark.parametrize(
    ("readable", "short"),
    [
        ("scale(float*, float, int)", "scale"),
        ("void at::native::add<float, 4>(float const*, int)", "at::native::add"),
        ("void (anonymous namespace)::fill<int>(int*)", "(anonymous namespace)::fill"),
        ("rope", "rope"),
        ("void Gemm<float>::run<4>(float*) const [clone .kd]", "Gemm::run"),
        ("int ops::launch<float*, int>(ihipModuleSymbol_t*, int)", "ops::launch"),
        ("f(int)::{lambda(int)#1}::operator()(int) const", "f::{lambda#1}::operator()"),
        ("bool operator< <int>(A<int> const&)", "operator<"),
        ("bool (A::*operator<<)(int", "bool (A::*operator<<)(int"),
        ("<lambda()>", "<lambda()>"),
    ],
)
def test_a_name_without_its_arguments(readable: str, short: str) -> None:
    assert short_name(readable) == short
