"""The structures of copies of boxes, and of arrays."""

from __future__ import annotations

from ctypes import Structure, c_int, c_size_t, c_uint, c_void_p, sizeof

from tests.simdevice.library import Extent, PitchedPointer

HOST, DEVICE, ARRAY = 1, 2, 10  # hipMemoryType
H2H, H2D, D2H, D2D, BY_ADDRESS = range(5)
SIGNED, UNSIGNED, FLOAT = 0, 1, 2  # hipChannelFormatKind
LAYERED, SURFACE, CUBE, GATHER = 1, 2, 4, 8


class Position(Structure):
    _fields_ = tuple((name, c_size_t) for name in "xyz")


class Copy3D(Structure):
    """hipMemcpy3DParms."""

    _fields_ = (
        ("src_array", c_void_p),
        ("src_pos", Position),
        ("src", PitchedPointer),
        ("dst_array", c_void_p),
        ("dst_pos", Position),
        ("dst", PitchedPointer),
        ("extent", Extent),
        ("kind", c_int),
    )


class PeerCopy3D(Structure):
    """hipMemcpy3DPeerParms."""

    _fields_ = (
        *(("src_array", c_void_p), ("src_pos", Position), ("src", PitchedPointer)),
        ("src_device", c_int),
        *(("dst_array", c_void_p), ("dst_pos", Position), ("dst", PitchedPointer)),
        *(("dst_device", c_int), ("extent", Extent)),
    )


class BatchOperand(Structure):
    """hipMemcpy3DOperand: a pointer with the lengths of its rows and slices, or an array."""

    _fields_ = (("type", c_int), ("address", c_void_p), ("at", c_size_t * 3))


class BatchCopy3D(Structure):
    """hipMemcpy3DBatchOp."""

    _fields_ = (
        *(("src", BatchOperand), ("dst", BatchOperand), ("extent", Extent)),
        *(("order", c_int), ("flags", c_uint)),
    )


def _side(name: str, *more: tuple[str, type]) -> tuple[tuple[str, type], ...]:
    fields = (
        *(("x", c_size_t), ("y", c_size_t), *more[:2], ("type", c_int), ("host", c_void_p)),
        *(("device", c_void_p), ("array", c_void_p), ("pitch", c_size_t), *more[2:]),
    )
    return tuple((f"{name}_{field}", kind) for field, kind in fields)


class DriverCopy3D(Structure):
    """HIP_MEMCPY3D."""

    _more = (("z", c_size_t), ("lod", c_size_t), ("height", c_size_t))
    _fields_ = (
        *_side("src", *_more),
        *_side("dst", *_more),
        *(("width", c_size_t), ("height", c_size_t), ("depth", c_size_t)),
    )


class DriverCopy2D(Structure):
    """hip_Memcpy2D."""

    _fields_ = (*_side("src"), *_side("dst"), ("width", c_size_t), ("height", c_size_t))


class ArrayShape(Structure):
    """HIP_ARRAY_DESCRIPTOR."""

    _fields_ = (("width", c_size_t), ("height", c_size_t), ("format", c_int), ("channels", c_uint))


class ArrayShape3D(Structure):
    """HIP_ARRAY3D_DESCRIPTOR."""

    _fields_ = (
        *(("width", c_size_t), ("height", c_size_t), ("depth", c_size_t)),
        *(("format", c_int), ("channels", c_uint), ("flags", c_uint)),
    )


assert (sizeof(Copy3D), sizeof(DriverCopy3D), sizeof(DriverCopy2D)) == (160, 184, 128)
