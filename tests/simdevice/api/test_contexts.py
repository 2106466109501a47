"""Contexts, which are devices by another name."""

from __future__ import annotations

import ctypes

from tests.simdevice.child import answer_of
from tests.simdevice.codes import INVALID_DEVICE, INVALID_VALUE, SUCCESS, Code
from tests.simdevice.library import Library, byref, done, hip_library


def current(hip: Library) -> int:
    context = ctypes.c_void_p()
    done(hip.hipCtxGetCurrent(byref(context)))
    return context.value or 0


def test_the_primary_context_is_current(hip: Library) -> None:
    context, ordinal = ctypes.c_void_p(), ctypes.c_int(-1)
    assert hip.hipDevicePrimaryCtxRetain(byref(context), 0) == SUCCESS
    assert context.value == current(hip)
    assert hip.hipCtxGetDevice(byref(ordinal)) == SUCCESS
    assert ordinal.value == 0
    assert hip.hipCtxSynchronize() == SUCCESS
    assert hip.hipDevicePrimaryCtxRelease(0) == SUCCESS


def test_a_context_is_made_current_and_set_aside(hip: Library) -> None:
    context, popped = ctypes.c_void_p(), ctypes.c_void_p()
    assert hip.hipCtxCreate(byref(context), 0, 0) == SUCCESS
    assert hip.hipCtxPopCurrent(byref(popped)) == SUCCESS
    assert popped.value == context.value
    assert hip.hipCtxPushCurrent(context) == SUCCESS
    assert hip.hipCtxSetCurrent(context) == SUCCESS
    assert hip.hipCtxPopCurrent(None) == SUCCESS
    assert hip.hipCtxDestroy(context) == SUCCESS


def test_the_state_of_the_primary_context(hip: Library) -> None:
    flags, active = ctypes.c_uint(7), ctypes.c_int(-1)
    done(hip.hipSetDevice(0))
    assert hip.hipDevicePrimaryCtxGetState(0, byref(flags), byref(active)) == SUCCESS
    assert (flags.value, active.value) == (0, 1)
    assert hip.hipDevicePrimaryCtxReset(0) == SUCCESS


def test_contexts_need_a_place_a_device_and_to_be_one(hip: Library) -> None:
    context, flags, active = ctypes.c_void_p(), ctypes.c_uint(), ctypes.c_int()
    assert hip.hipCtxCreate(None, 0, 0) == INVALID_VALUE
    assert hip.hipCtxCreate(byref(context), 0, 5) == INVALID_DEVICE
    assert hip.hipCtxGetCurrent(None) == INVALID_VALUE
    assert hip.hipCtxGetDevice(None) == INVALID_VALUE
    assert hip.hipCtxSetCurrent(0x1234) == Code.INVALID_CONTEXT
    assert hip.hipCtxPushCurrent(0x1234) == Code.INVALID_CONTEXT
    assert hip.hipCtxPushCurrent(None) == Code.INVALID_CONTEXT
    assert hip.hipCtxDestroy(0x1234) == INVALID_VALUE
    assert hip.hipCtxPopCurrent(byref(context)) == Code.INVALID_CONTEXT
    assert hip.hipDevicePrimaryCtxRetain(None, 0) == INVALID_VALUE
    assert hip.hipDevicePrimaryCtxRetain(byref(context), 5) == INVALID_DEVICE
    assert hip.hipDevicePrimaryCtxRelease(5) == INVALID_DEVICE
    assert hip.hipDevicePrimaryCtxReset(5) == INVALID_DEVICE
    assert hip.hipDevicePrimaryCtxGetState(5, byref(flags), byref(active)) == INVALID_DEVICE
    assert hip.hipDevicePrimaryCtxGetState(0, None, None) == INVALID_VALUE


def two_contexts() -> list[int]:
    hip = hip_library()
    first, second = ctypes.c_void_p(), ctypes.c_void_p()
    done(hip.hipCtxCreate(byref(first), 0, 0))
    done(hip.hipCtxCreate(byref(second), 0, 1))
    ordinal, answers = ctypes.c_int(), []
    for _ in range(2):
        done(hip.hipGetDevice(byref(ordinal)))
        answers.append(ordinal.value)
        done(hip.hipCtxPopCurrent(None))
    done(hip.hipCtxSetCurrent(second))
    done(hip.hipGetDevice(byref(ordinal)))
    return [*answers, ordinal.value]


def test_the_current_context_is_the_current_device() -> None:
    assert answer_of(two_contexts, GRETA_SIM_DEVICES="2") == [1, 0, 1]
