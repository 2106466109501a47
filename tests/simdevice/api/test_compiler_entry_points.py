"""What compilers emit: registration before main, the launch of <<<>>>, variables by address."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterator
from typing import Any

import pytest

from tests.simdevice.borrowed import Borrowed
from tests.simdevice.codes import INVALID_HANDLE, INVALID_VALUE, SUCCESS, Code
from tests.simdevice.kernel_arguments import KernelArguments, pointer
from tests.simdevice.library import Dim3, Library, byref, done
from tests.simdevice.offload_bundle import OURS, bundle
from tests.simdevice.streams import held, on_another_thread, waits_for
from tests.simdevice.structures import (
    DEVICE,
    MANAGED,
    FatBinaryWrapper,
    FunctionAttributes,
    PointerAttributes,
)

MAGIC, VERSION = 0x48495046, 1
NO_LIMIT = 0xFFFFFFFF
ONE = Dim3(1, 1, 1)
TO_DEVICE, TO_HOST = 1, 2


def register(hip: Library, wrapper: FatBinaryWrapper) -> int | None:
    handle: int | None = hip.__hipRegisterFatBinary(byref(wrapper))
    return handle


def register_function(hip: Library, modules: int | None, stub: int, name: bytes) -> None:
    unused = (NO_LIMIT, None, None, None, None, None)
    hip.__hipRegisterFunction(modules, stub, name, name, *unused)


def register_variable(
    hip: Library, modules: int | None, shadow: int, name: bytes, nbytes: int
) -> None:
    hip.__hipRegisterVar(modules, shadow, name, name, 0, nbytes, 0, 0)


def register_managed(
    hip: Library, modules: int | None, place: Any, content: bytes, name: bytes
) -> None:
    initial = ctypes.create_string_buffer(content, len(content))
    hip.__hipRegisterManagedVar(modules, place, initial, name, len(content), 8)


def unregister(hip: Library, modules: int | None) -> None:
    hip.__hipUnregisterFatBinary(modules)


# Within a class Python would take the two underscores of these calls for its own.
class Program:
    """A compiled program: its fat binary, and host addresses that stand for device things."""

    def __init__(self, hip: Library, container: bytes) -> None:
        self._hip = hip
        self._container = ctypes.create_string_buffer(container, len(container))
        self._addresses: list[Any] = []
        address = ctypes.addressof(self._container)
        self.wrapper = FatBinaryWrapper(MAGIC, VERSION, address, None)
        self.modules = register(hip, self.wrapper)

    def function(self, name: bytes) -> int:
        """The host stub of a kernel."""
        stub = self._new_address()
        register_function(self._hip, self.modules, stub, name)
        return stub

    def variable(self, name: bytes, nbytes: int) -> int:
        """The host's shadow of a device variable."""
        shadow = self._new_address()
        register_variable(self._hip, self.modules, shadow, name, nbytes)
        return shadow

    def managed(self, name: bytes, content: bytes) -> int:
        """The memory of a managed variable."""
        place = ctypes.c_void_p()
        self._addresses.append(place)
        register_managed(self._hip, self.modules, byref(place), content, name)
        return place.value or 0

    def leave(self) -> None:
        unregister(self._hip, self.modules)

    def _new_address(self) -> int:
        self._addresses.append(ctypes.c_uint64())
        return ctypes.addressof(self._addresses[-1])


@pytest.fixture(params=["bare", "bundled"])
def program(
    request: pytest.FixtureRequest, hip: Library, device: Borrowed, image: bytes
) -> Iterator[Program]:
    bundled = request.param == "bundled"
    made = Program(hip, bundle((OURS, image)) if bundled else image)
    yield made
    made.leave()


def integers(device: Borrowed, *values: int) -> int:
    return device.memory(struct.pack(f"{len(values)}i", *values))


def read_integers(device: Borrowed, address: int, count: int = 1) -> list[int]:
    return list(struct.unpack(f"{count}i", device.read(address, 4 * count)))


# --- registering


def test_registering_gives_a_handle(program: Program) -> None:
    assert program.modules


@pytest.mark.parametrize(("magic", "version"), [(0, 1), (MAGIC + 1, 1), (MAGIC, 0), (MAGIC, 2)])
def test_a_wrapper_must_be_one(hip: Library, image: bytes, magic: int, version: int) -> None:
    wrapper = FatBinaryWrapper(magic, version, None, None)
    assert register(hip, wrapper) is None


def test_registering_needs_a_wrapper(hip: Library) -> None:
    assert hip.__hipRegisterFatBinary(None) is None


def test_what_could_not_be_registered_is_ignored(hip: Library) -> None:
    """Constructors and destructors of the program cannot stop at an error."""
    word = ctypes.c_uint64()
    stub = ctypes.addressof(word)
    register_function(hip, None, stub, b"nothing")
    register_variable(hip, None, stub, b"counter", 4)
    register_managed(hip, None, byref(word), b"1234", b"managed_number")
    unregister(hip, None)
    code = hip.hipLaunchKernel(stub, ONE, ONE, None, 0, None)
    assert code == Code.INVALID_DEVICE_FUNCTION


def test_registering_needs_no_names_that_exist(program: Program, hip: Library) -> None:
    """Registration only takes notes; what is wrong shows at the first use."""
    stub = program.function(b"no_such_kernel")
    shadow = program.variable(b"no_such_variable", 4)
    code = hip.hipLaunchKernel(stub, ONE, ONE, None, 0, None)
    assert code == Code.INVALID_DEVICE_FUNCTION
    address = ctypes.c_void_p()
    assert hip.hipGetSymbolAddress(byref(address), shadow) == Code.INVALID_SYMBOL


@pytest.mark.parametrize(
    ("container", "expected"),
    [
        (bytes(4096), Code.INVALID_IMAGE),
        (bundle(("hipv4-amdgcn-amd-amdhsa--gfx90a", b"code" * 100)), Code.NO_BINARY),
    ],
    ids=["garbage", "another GPU's"],
)
def test_a_binary_for_nobody_is_found_out_at_the_first_use(
    hip: Library, container: bytes, expected: Code
) -> None:
    program = Program(hip, container)
    stub, shadow = program.function(b"add"), program.variable(b"counter", 4)
    assert hip.hipLaunchKernel(stub, ONE, ONE, None, 0, None) == expected
    assert hip.hipGetSymbolAddress(byref(ctypes.c_void_p()), shadow) == expected
    program.leave()


def test_what_was_registered_is_forgotten(hip: Library, device: Borrowed, image: bytes) -> None:
    program = Program(hip, image)
    stub, shadow = program.function(b"nothing"), program.variable(b"counter", 4)
    address = ctypes.c_void_p()
    done(hip.hipLaunchKernel(stub, ONE, ONE, None, 0, None))
    done(hip.hipGetSymbolAddress(byref(address), shadow))
    program.leave()
    code = hip.hipLaunchKernel(stub, ONE, ONE, None, 0, None)
    assert code == Code.INVALID_DEVICE_FUNCTION
    assert hip.hipGetSymbolAddress(byref(address), shadow) == Code.INVALID_SYMBOL
    assert hip.hipMemGetAddressRange(None, None, address) == Code.NOT_FOUND


def test_unregistering_waits_for_the_device(hip: Library, device: Borrowed, image: bytes) -> None:
    program = Program(hip, image)
    with held(device.stream()) as hold:
        assert waits_for(hold, program.leave)


# --- launching


def test_a_stub_launches_its_kernel(hip: Library, device: Borrowed, program: Program) -> None:
    stub, memory = program.function(b"add"), integers(device, *range(8))
    array = KernelArguments(pointer(memory), ctypes.c_int(10))
    assert hip.hipLaunchKernel(stub, Dim3(2, 1, 1), Dim3(4, 1, 1), array, 0, None) == SUCCESS
    assert read_integers(device, memory, 8) == list(range(10, 18))
    code = hip.hipLaunchKernel_spt(stub, Dim3(2, 1, 1), Dim3(4, 1, 1), array, 0, None)
    assert code == SUCCESS
    done(hip.hipStreamSynchronize_spt(None))
    assert read_integers(device, memory, 8) == list(range(20, 28))


def test_a_stub_launches_with_shared_memory_and_events(
    hip: Library, device: Borrowed, program: Program
) -> None:
    stub, memory = program.function(b"reverse"), integers(device, 1, 2, 3, 4)
    start, stop, elapsed = device.event(), device.event(), ctypes.c_float()
    array, four = KernelArguments(pointer(memory)), Dim3(4, 1, 1)
    code = hip.hipExtLaunchKernel(stub, ONE, four, array, 16, None, start, stop, 0)
    assert code == SUCCESS
    done(hip.hipEventSynchronize(stop))
    assert hip.hipEventElapsedTime(byref(elapsed), start, stop) == SUCCESS
    assert read_integers(device, memory, 4) == [4, 3, 2, 1]


def test_a_stub_launches_cooperatively(hip: Library, device: Borrowed, program: Program) -> None:
    stub, memory = program.function(b"add"), integers(device, 0, 0)
    array = KernelArguments(pointer(memory), ctypes.c_int(1))
    two = Dim3(2, 1, 1)
    assert hip.hipLaunchCooperativeKernel(stub, two, ONE, array, 0, None) == SUCCESS
    done(hip.hipDeviceSynchronize())
    assert hip.hipLaunchCooperativeKernel_spt(stub, two, ONE, array, 0, None) == SUCCESS
    done(hip.hipStreamSynchronize_spt(None))
    assert read_integers(device, memory, 2) == [2, 2]
    many = Dim3(1 << 20, 1, 1)
    code = hip.hipLaunchCooperativeKernel(stub, many, ONE, array, 0, None)
    assert code == Code.COOPERATIVE_TOO_LARGE


def test_launches_by_stub_are_checked_like_the_others(
    hip: Library, device: Borrowed, program: Program
) -> None:
    stub, shared = program.function(b"nothing"), program.function(b"with_shared")
    array = KernelArguments(pointer(device.memory(1024)))
    zero, wide = Dim3(0, 1, 1), Dim3(1025, 1, 1)
    assert hip.hipLaunchKernel(stub, zero, ONE, None, 0, None) == INVALID_VALUE
    assert hip.hipLaunchKernel(stub, ONE, zero, None, 0, None) == INVALID_VALUE
    assert hip.hipLaunchKernel(stub, ONE, wide, None, 0, None) == Code.INVALID_CONFIGURATION
    assert hip.hipLaunchKernel(stub, ONE, ONE, None, 65537, None) == INVALID_VALUE
    huge = (1 << 64) - 1
    assert hip.hipLaunchKernel(shared, ONE, ONE, array, huge, None) == INVALID_VALUE
    assert hip.hipLaunchKernel(shared, ONE, ONE, None, 0, None) == INVALID_VALUE
    stale = device.destroyed_stream()
    assert hip.hipLaunchKernel(stub, ONE, ONE, None, 0, stale) == Code.DESTROYED
    assert hip.hipExtLaunchKernel(stub, ONE, zero, None, 0, None, None, None, 0) == INVALID_VALUE
    event = device.destroyed_event()
    code = hip.hipExtLaunchKernel(stub, ONE, ONE, None, 0, None, event, None, 0)
    assert code == INVALID_HANDLE


def test_an_address_that_is_no_stub(hip: Library, program: Program) -> None:
    no_function = Code.INVALID_DEVICE_FUNCTION
    for wrong in (None, 0x1234):
        assert hip.hipLaunchKernel(wrong, ONE, ONE, None, 0, None) == no_function
        code = hip.hipExtLaunchKernel(wrong, ONE, ONE, None, 0, None, None, None, 0)
        assert code == no_function
        assert hip.hipLaunchCooperativeKernel(wrong, ONE, ONE, None, 0, None) == no_function


def test_what_is_known_about_a_stub(hip: Library, program: Program) -> None:
    stub, known, blocks = program.function(b"with_shared"), FunctionAttributes(), ctypes.c_int()
    assert hip.hipFuncGetAttributes(byref(known), stub) == SUCCESS
    assert known.shared_bytes == 1024
    assert hip.hipFuncSetAttribute(stub, 8, 2048) == SUCCESS
    code = hip.hipOccupancyMaxActiveBlocksPerMultiprocessor(byref(blocks), stub, 64, 0)
    assert code == SUCCESS
    assert hip.hipKernelNameRefByPtr(stub, None) == b"with_shared"
    assert hip.hipKernelNameRefByPtr(None, None) is None


def test_a_stub_has_a_function_handle(hip: Library, device: Borrowed, program: Program) -> None:
    stub, first, second = program.function(b"add"), ctypes.c_void_p(), ctypes.c_void_p()
    assert hip.hipGetFuncBySymbol(byref(first), stub) == SUCCESS
    assert hip.hipGetFuncBySymbol(byref(second), stub) == SUCCESS
    assert first.value == second.value
    memory = integers(device, 1)
    array = KernelArguments(pointer(memory), ctypes.c_int(2))
    shape = (1, 1, 1, 1, 1, 1)
    assert hip.hipModuleLaunchKernel(first, *shape, 0, None, array, None) == SUCCESS
    assert read_integers(device, memory) == [3]
    assert hip.hipGetFuncBySymbol(None, stub) == INVALID_VALUE
    wrong = hip.hipGetFuncBySymbol(byref(first), 0x1234)
    assert wrong == Code.INVALID_DEVICE_FUNCTION


# --- the configuration of a call


def push(hip: Library, number: int, stream: int | None = None) -> int:
    grid, block = Dim3(number, number + 1, number + 2), Dim3(10 * number, 1, 1)
    return int(hip.__hipPushCallConfiguration(grid, block, 100 * number, stream))


def pop(hip: Library) -> tuple[int, tuple[int, ...]]:
    grid, block, shared, stream = Dim3(), Dim3(), ctypes.c_size_t(), ctypes.c_void_p()
    code = hip.__hipPopCallConfiguration(byref(grid), byref(block), byref(shared), byref(stream))
    return code, (grid.x, grid.y, grid.z, block.x, block.y, block.z, shared.value)


def test_configurations_are_a_stack(hip: Library) -> None:
    assert push(hip, 1) == SUCCESS
    assert push(hip, 2) == SUCCESS
    assert pop(hip) == (SUCCESS, (2, 3, 4, 20, 1, 1, 200))
    assert pop(hip) == (SUCCESS, (1, 2, 3, 10, 1, 1, 100))
    assert pop(hip)[0] == Code.MISSING_CONFIGURATION


def test_each_thread_has_a_stack(hip: Library) -> None:
    assert push(hip, 1) == SUCCESS
    assert on_another_thread(lambda: pop(hip)[0]) == Code.MISSING_CONFIGURATION
    assert pop(hip)[0] == SUCCESS


def test_the_stream_comes_back_too(hip: Library, device: Borrowed) -> None:
    stream, back = device.stream(), ctypes.c_void_p()
    assert push(hip, 1, stream) == SUCCESS
    assert hip.__hipPopCallConfiguration(None, None, None, byref(back)) == SUCCESS
    assert back.value == stream


def test_old_compilers_give_the_arguments_one_by_one(
    hip: Library, device: Borrowed, program: Program
) -> None:
    stub, memory = program.function(b"add"), integers(device, *range(8))
    address, ten = pointer(memory), ctypes.c_int(10)
    assert hip.hipSetupArgument(byref(ten), 4, 0) == Code.MISSING_CONFIGURATION
    assert hip.hipLaunchByPtr(stub) == Code.MISSING_CONFIGURATION
    assert hip.hipConfigureCall(Dim3(2, 1, 1), Dim3(4, 1, 1), 0, None) == SUCCESS
    assert hip.hipSetupArgument(None, 8, 0) == INVALID_VALUE
    assert hip.hipSetupArgument(byref(ten), 1 << 40, 0) == INVALID_VALUE
    assert hip.hipSetupArgument(byref(address), 8, 0) == SUCCESS
    assert hip.hipSetupArgument(byref(ten), 4, 8) == SUCCESS
    assert hip.hipLaunchByPtr(stub) == SUCCESS
    assert read_integers(device, memory, 8) == list(range(10, 18))
    done(hip.hipConfigureCall(ONE, ONE, 0, None))
    assert hip.hipLaunchByPtr(0x1234) == Code.INVALID_DEVICE_FUNCTION


# --- variables by their host address


def test_a_symbol_has_an_address_and_a_size(hip: Library, program: Program) -> None:
    shadow, address, size = program.variable(b"table", 64), ctypes.c_void_p(), ctypes.c_size_t()
    assert hip.hipGetSymbolAddress(byref(address), shadow) == SUCCESS
    assert hip.hipGetSymbolSize(byref(size), shadow) == SUCCESS
    assert size.value == 64
    known = PointerAttributes()
    done(hip.hipPointerGetAttributes(byref(known), address))
    assert known.type == DEVICE


def test_a_symbol_is_written_and_read(hip: Library, device: Borrowed, program: Program) -> None:
    shadow, stub = program.variable(b"table", 64), program.function(b"read_table")
    content, back = struct.pack("16f", *range(16)), ctypes.create_string_buffer(64)
    assert hip.hipMemcpyToSymbol(shadow, content, 64, 0, TO_DEVICE) == SUCCESS
    memory = device.memory(64)
    array = KernelArguments(pointer(memory))
    done(hip.hipLaunchKernel(stub, ONE, Dim3(16, 1, 1), array, 0, None))
    assert device.read(memory, 64) == content
    assert hip.hipMemcpyFromSymbol(back, shadow, 8, 4, TO_HOST) == SUCCESS
    assert back.raw[:8] == content[4:12]


def test_a_symbol_is_written_and_read_in_a_stream(
    hip: Library, device: Borrowed, program: Program
) -> None:
    shadow, stream = program.variable(b"counter", 4), device.stream()
    back = ctypes.create_string_buffer(4)
    assert hip.hipMemcpyToSymbolAsync(shadow, b"1234", 4, 0, TO_DEVICE, stream) == SUCCESS
    assert hip.hipMemcpyFromSymbolAsync(back, shadow, 4, 0, TO_HOST, stream) == SUCCESS
    done(hip.hipStreamSynchronize(stream))
    assert back.raw == b"1234"
    assert hip.hipMemcpyToSymbol_spt(shadow, b"5678", 4, 0, TO_DEVICE) == SUCCESS
    assert hip.hipMemcpyFromSymbol_spt(back, shadow, 4, 0, TO_HOST) == SUCCESS
    assert back.raw == b"5678"
    assert hip.hipMemcpyToSymbolAsync_spt(shadow, b"abcd", 4, 0, TO_DEVICE, None) == SUCCESS
    assert hip.hipMemcpyFromSymbolAsync_spt(back, shadow, 4, 0, TO_HOST, None) == SUCCESS
    done(hip.hipStreamSynchronize_spt(None))
    assert back.raw == b"abcd"


def test_a_copy_stays_inside_the_symbol(hip: Library, program: Program) -> None:
    shadow, back = program.variable(b"counter", 4), ctypes.create_string_buffer(8)
    huge = (1 << 64) - 1
    for nbytes, offset in ((5, 0), (4, 1), (1, 4), (2, huge)):
        code = hip.hipMemcpyToSymbol(shadow, bytes(8), nbytes, offset, TO_DEVICE)
        assert code == INVALID_VALUE
        assert hip.hipMemcpyFromSymbol(back, shadow, nbytes, offset, TO_HOST) == INVALID_VALUE


def test_a_symbol_is_on_the_device(hip: Library, program: Program) -> None:
    shadow, back = program.variable(b"counter", 4), ctypes.create_string_buffer(4)
    wrong_way = Code.INVALID_COPY_KIND
    assert hip.hipMemcpyToSymbol(shadow, b"1234", 4, 0, TO_HOST) == wrong_way
    assert hip.hipMemcpyFromSymbol(back, shadow, 4, 0, TO_DEVICE) == wrong_way


def test_an_address_that_is_no_symbol(hip: Library, program: Program) -> None:
    address, size = ctypes.c_void_p(), ctypes.c_size_t()
    shadow = program.variable(b"counter", 4)
    for wrong in (None, 0x1234):
        assert hip.hipGetSymbolAddress(byref(address), wrong) == Code.INVALID_SYMBOL
        assert hip.hipGetSymbolSize(byref(size), wrong) == Code.INVALID_SYMBOL
        code = hip.hipMemcpyToSymbol(wrong, b"1234", 4, 0, TO_DEVICE)
        assert code == Code.INVALID_SYMBOL
        code = hip.hipMemcpyFromSymbol(byref(size), wrong, 4, 0, TO_HOST)
        assert code == Code.INVALID_SYMBOL
    assert hip.hipGetSymbolAddress(None, shadow) == INVALID_VALUE
    assert hip.hipGetSymbolSize(None, shadow) == INVALID_VALUE


# --- managed variables


def test_a_managed_variable_is_shared_with_the_device(
    hip: Library, device: Borrowed, program: Program
) -> None:
    memory = program.managed(b"managed_number", struct.pack("i", 41))
    assert ctypes.c_int.from_address(memory).value == 41
    known = PointerAttributes()
    done(hip.hipPointerGetAttributes(byref(known), memory))
    assert known.type == MANAGED
    done(hip.hipLaunchKernel(program.function(b"bump_managed"), ONE, ONE, None, 0, None))
    done(hip.hipDeviceSynchronize())
    assert ctypes.c_int.from_address(memory).value == 42
