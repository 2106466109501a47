"""What a stub does before and after it hands the call on."""

from __future__ import annotations

from contract import emit_stubs, model

CONTRACT = model.load()


def body(name: str) -> str:
    """The lines of one stub."""
    call = next(call for call in CONTRACT.calls if call.name == name)
    text = emit_stubs.stubs(CONTRACT, call.chapter)
    start = text.index(f" {name}(")
    return text[start : text.index("\n\n", start) if "\n\n" in text[start:] else None]


def test_a_supported_call_is_refused_after_a_fault_logged_and_finished() -> None:
    text = body("hipMalloc")
    assert "hipMalloc(void** ptr, size_t size) {" in text
    assert "if (call.refused()) return call.refusal();" in text
    assert "if (call.logging()) call.log_arguments(ptr, size);" in text
    assert "return call.finish(greta::api::hipMalloc(ptr, size));" in text


def test_an_exempt_call_is_never_refused() -> None:
    assert "refused" not in body("hipDrvGetErrorName")


def test_a_call_that_keeps_the_last_error_only_forwards() -> None:
    assert "CallScope" not in body("hipGetLastError")
    assert "CallScope" not in body("hipGetErrorString")


def test_the_twin_of_a_call_with_a_stream_needs_no_implementation() -> None:
    text = body("hipMemcpyAsync_spt")
    assert "greta::api::hipMemcpyAsync(dst, src, sizeBytes, kind, stream != nullptr" in text
    assert "? stream : hipStreamPerThread" in text


def test_the_twin_of_a_call_without_a_stream_has_its_own() -> None:
    assert "greta::api::hipMemcpy_spt(dst" in body("hipMemcpy_spt")


def test_an_unsupported_call_says_so() -> None:
    text = body("hipCreateTextureObject")
    assert "hipCreateTextureObject(void) {" in text
    assert "return greta::api::not_supported(greta::api::CallId::hipCreateTextureObject);" in text


def test_an_unsupported_call_without_an_error_code_returns_nothing_useful() -> None:
    assert "return {};" in body("hipGetCmdName")


def test_the_mangled_name_is_the_same_function() -> None:
    assert '__attribute__((alias("hipExtModuleLaunchKernel")))' in body("hipExtModuleLaunchKernel")
