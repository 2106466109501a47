"""Structures that HIP calls fill or read, as HIP 7 lays them out."""

from __future__ import annotations

from ctypes import Structure, c_char, c_int, c_size_t, c_uint, c_void_p, sizeof

from tests.simdevice.library import Dim3, MemLocation

UNREGISTERED, HOST, DEVICE, MANAGED = 0, 1, 2, 3  # hipMemoryType
ON_DEVICE = 1  # hipMemLocationTypeDevice
PINNED = 1  # hipMemAllocationTypePinned
NO_ACCESS, READ, READ_WRITE = 0, 1, 3  # hipMemAccessFlags
COOPERATIVE = 2  # hipLaunchAttributeCooperative


class PointerAttributes(Structure):
    _fields_ = (
        ("type", c_int),
        ("device", c_int),
        ("device_pointer", c_void_p),
        ("host_pointer", c_void_p),
        ("is_managed", c_int),
        ("flags", c_uint),
    )


class PoolProperties(Structure):
    _fields_ = (
        ("allocation_type", c_int),
        ("handle_types", c_int),
        ("location", MemLocation),
        ("security", c_void_p),
        ("most_bytes", c_size_t),
        ("reserved", c_char * 56),
    )


class AccessDescription(Structure):
    _fields_ = (("location", MemLocation), ("flags", c_int))


class AllocationProperties(Structure):
    """hipMemAllocationProp."""

    _fields_ = (
        ("type", c_int),
        ("handle_type", c_int),
        ("location", MemLocation),
        ("win32", c_void_p),
        ("flags", c_char * 8),
    )


class FillNode(Structure):
    """hipMemsetParams."""

    _fields_ = (
        *(("dst", c_void_p), ("element", c_uint), ("height", c_size_t)),
        *(("pitch", c_size_t), ("value", c_uint), ("width", c_size_t)),
    )


class AllocationNode(Structure):
    """hipMemAllocNodeParams."""

    _fields_ = (
        *(("kind", c_int), ("handles", c_int), ("location", MemLocation), ("rest", c_size_t * 9)),
        *(
            ("rights", c_void_p),
            ("rights_count", c_size_t),
            ("bytes", c_size_t),
            ("dptr", c_void_p),
        ),
    )


class FunctionAttributes(Structure):
    _fields_ = (
        ("binary_version", c_int),
        ("cache_mode", c_int),
        ("constant_bytes", c_size_t),
        ("local_bytes", c_size_t),
        ("most_dynamic_shared_bytes", c_int),
        ("most_threads", c_int),
        ("registers", c_int),
        ("carveout", c_int),
        ("virtual_version", c_int),
        ("shared_bytes", c_size_t),
    )


class LaunchAttribute(Structure):
    """The value is a union of 64 bytes; the tests set only its first integer."""

    _fields_ = (("id", c_int), ("pad", c_int), ("value", c_int), ("rest", c_char * 60))


class LaunchConfig(Structure):
    """hipLaunchConfig_t."""

    _fields_ = (
        ("grid", Dim3),
        ("block", Dim3),
        ("shared_bytes", c_size_t),
        ("stream", c_void_p),
        ("attributes", c_void_p),
        ("attribute_count", c_uint),
    )


class DriverLaunchConfig(Structure):
    """HIP_LAUNCH_CONFIG."""

    _fields_ = (
        ("grid", Dim3),
        ("block", Dim3),
        ("shared_bytes", c_uint),
        ("stream", c_void_p),
        ("attributes", c_void_p),
        ("attribute_count", c_uint),
    )


class FatBinaryWrapper(Structure):
    """What compilers put into the section .hipFatBinSegment."""

    _fields_ = (("magic", c_uint), ("version", c_uint), ("binary", c_void_p), ("unused", c_void_p))


SIZES = {
    PointerAttributes: 32,
    PoolProperties: 88,
    FunctionAttributes: 56,
    LaunchConfig: 56,
    FatBinaryWrapper: 24,
    AllocationProperties: 32,
    FillNode: 48,
    AllocationNode: 120,
}
assert all(sizeof(structure) == size for structure, size in SIZES.items())
