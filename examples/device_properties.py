"""What a HIP device says about itself: properties, attributes, memory.

greta sim -- python examples/device_properties.py
"""

from rocm.bindings import hip

ATTRIBUTES = {
    "largest block, x": hip.hipDeviceAttribute_t.hipDeviceAttributeMaxBlockDimX,
    "largest block, y": hip.hipDeviceAttribute_t.hipDeviceAttributeMaxBlockDimY,
    "largest block, z": hip.hipDeviceAttribute_t.hipDeviceAttributeMaxBlockDimZ,
    "threads per block": hip.hipDeviceAttribute_t.hipDeviceAttributeMaxThreadsPerBlock,
    "shared bytes per block": hip.hipDeviceAttribute_t.hipDeviceAttributeMaxSharedMemoryPerBlock,
    "warp size": hip.hipDeviceAttribute_t.hipDeviceAttributeWarpSize,
    "multiprocessors": hip.hipDeviceAttribute_t.hipDeviceAttributeMultiprocessorCount,
}


def checked(result):
    """Takes the error code off a result, and raises if there was an error."""
    error, *values = result
    if error != hip.hipError_t.hipSuccess:
        raise RuntimeError(error.name)
    return values[0] if len(values) == 1 else tuple(values)


def describe(device: int) -> None:
    properties = checked(hip.hipGetDeviceProperties(device))
    print(f"device {device}: {properties.name} ({properties.gcnArchName})")
    for field in (
        "totalGlobalMem",
        "multiProcessorCount",
        "warpSize",
        "maxGridSize",
        "l2CacheSize",
    ):
        print(f"  {field} = {getattr(properties, field)}")
    for label, attribute in ATTRIBUTES.items():
        print(f"  {label}: {checked(hip.hipDeviceGetAttribute(attribute, device))}")
    print(f"  bus id: {checked(hip.hipDeviceGetPCIBusId(16, device))}")

    if properties.warpSize != checked(
        hip.hipDeviceGetAttribute(hip.hipDeviceAttribute_t.hipDeviceAttributeWarpSize, device)
    ):
        raise RuntimeError("properties and attributes disagree about the warp size")


def main() -> None:
    print(f"runtime version {checked(hip.hipRuntimeGetVersion())}")
    for device in range(checked(hip.hipGetDeviceCount())):
        checked(hip.hipSetDevice(device))
        describe(device)
        free, total = checked(hip.hipMemGetInfo())
        print(f"  memory: {free} of {total} bytes are free")
    print("ok")


if __name__ == "__main__":
    main()
