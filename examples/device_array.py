"""Device arrays: shape and type on device memory, and parts of it.

greta sim -- python examples/device_array.py
"""

import numpy as np
from rocm.bindings import hip

ROWS, COLUMNS = 6, 50
TO_DEVICE = hip.hipMemcpyKind.hipMemcpyHostToDevice
TO_HOST = hip.hipMemcpyKind.hipMemcpyDeviceToHost
ON_DEVICE = hip.hipMemcpyKind.hipMemcpyDeviceToDevice


def checked(result):
    """Takes the error code off a result, and raises if there was an error."""
    error, *values = result
    if error != hip.hipError_t.hipSuccess:
        raise RuntimeError(error.name)
    return values[0] if len(values) == 1 else tuple(values)


def main() -> None:
    host = np.random.default_rng(1).random((ROWS, COLUMNS), dtype=np.float32)
    device = checked(hip.hipMalloc(host.nbytes)).configure(
        typestr="float32", shape=(ROWS, COLUMNS), itemsize=host.itemsize
    )
    print(f"device array {device.shape} of {device.typestr}, {device.size} elements")

    # Row by row in, the whole out.
    for row in range(ROWS):
        checked(hip.hipMemcpy(device[row], host[row], host[row].nbytes, TO_DEVICE))
    whole = np.empty_like(host)
    checked(hip.hipMemcpy(whole, device, host.nbytes, TO_HOST))
    np.testing.assert_array_equal(whole, host)

    # A part of a row; a copy from row to row; a row of zeros.
    part = np.empty(10, dtype=np.float32)
    checked(hip.hipMemcpy(part, device[2, 20:30], part.nbytes, TO_HOST))
    np.testing.assert_array_equal(part, host[2, 20:30])
    checked(hip.hipMemcpy(device[0], device[5], host[5].nbytes, ON_DEVICE))
    checked(hip.hipMemset(device[1], 0, host[1].nbytes))
    checked(hip.hipMemcpy(whole, device, host.nbytes, TO_HOST))
    np.testing.assert_array_equal(whole[0], host[5])
    np.testing.assert_array_equal(whole[1], np.zeros(COLUMNS, dtype=np.float32))
    np.testing.assert_array_equal(whole[2:], host[2:])

    # Other libraries read the array through this interface.
    interface = device.__cuda_array_interface__
    print(f"array interface: shape {interface['shape']}, typestr {interface['typestr']}")
    checked(hip.hipFree(device))
    print("ok")


if __name__ == "__main__":
    main()
