"""The devices of this machine, as HIP describes them."""

from __future__ import annotations

from dataclasses import dataclass

from greta.hip._bindings import call

DeviceOrdinal = int


@dataclass(frozen=True)
class DeviceProperties:
    """What a program usually wants to know about a device.

    >>> device_properties().warp_size                                 # doctest: +SKIP
    64
    """

    ordinal: DeviceOrdinal
    name: str
    arch: str
    total_memory: int
    multiprocessors: int
    warp_size: int
    max_threads_per_block: int
    max_grid: tuple[int, int, int]
    max_block: tuple[int, int, int]
    shared_memory_per_block: int
    l2_cache: int
    clock_khz: int
    memory_clock_khz: int
    memory_bus_bits: int
    pci_bus_id: str
    cooperative_launch: bool


@dataclass(frozen=True)
class MemoryInfo:
    """Bytes of device memory."""

    free: int
    total: int

    @property
    def used(self) -> int:
        """Bytes in use, by all programs."""
        return self.total - self.free


def device_count() -> int:
    """How many devices there are."""
    return int(call("hipGetDeviceCount"))


def current_device() -> DeviceOrdinal:
    """The device that this thread's calls go to."""
    return int(call("hipGetDevice"))


def set_device(ordinal: DeviceOrdinal) -> None:
    """Makes this thread's calls go to a device."""
    call("hipSetDevice", ordinal)


def synchronize() -> None:
    """Waits until all work of the current device is done."""
    call("hipDeviceSynchronize")


def memory_info() -> MemoryInfo:
    """Free and total memory of the current device."""
    free, total = call("hipMemGetInfo")
    return MemoryInfo(int(free), int(total))


def runtime_version() -> tuple[int, int, int]:
    """The version of the HIP runtime: major, minor, patch.

    >>> runtime_version()                                             # doctest: +SKIP
    (7, 15, 0)
    """
    number = int(call("hipRuntimeGetVersion"))
    return number // 10_000_000, number // 100_000 % 100, number % 100_000


def device_properties(ordinal: DeviceOrdinal | None = None) -> DeviceProperties:
    """The properties of a device, the current one by default."""
    ordinal = current_device() if ordinal is None else ordinal
    raw = call("hipGetDeviceProperties", ordinal)
    return DeviceProperties(
        ordinal=ordinal,
        name=str(raw.name),
        arch=str(raw.gcnArchName),
        total_memory=int(raw.totalGlobalMem),
        multiprocessors=int(raw.multiProcessorCount),
        warp_size=int(raw.warpSize),
        max_threads_per_block=int(raw.maxThreadsPerBlock),
        max_grid=_triple(raw.maxGridSize),
        max_block=_triple(raw.maxThreadsDim),
        shared_memory_per_block=int(raw.sharedMemPerBlock),
        l2_cache=int(raw.l2CacheSize),
        clock_khz=int(raw.clockRate),
        memory_clock_khz=int(raw.memoryClockRate),
        memory_bus_bits=int(raw.memoryBusWidth),
        pci_bus_id=f"{raw.pciDomainID:04x}:{raw.pciBusID:02x}:{raw.pciDeviceID:02x}.0",
        cooperative_launch=bool(raw.cooperativeLaunch),
    )


def _triple(values: list[int]) -> tuple[int, int, int]:
    x, y, z = (int(value) for value in values)
    return x, y, z
