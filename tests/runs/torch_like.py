"""Training in miniature over a C++ library; `overrun` makes one of its 64 launches too long."""

import ctypes
import multiprocessing
import os
import sys

hip = ctypes.CDLL("libamdhip64.so")
library = ctypes.CDLL(sys.argv[1])
COUNT = 1024


class Tensor:
    def __init__(self, count: int) -> None:
        self.address = ctypes.c_void_p()
        hip.hipMalloc(ctypes.byref(self.address), ctypes.c_size_t(4 * count))  # ALLOCATES

    def scale(self, factor: float, count: int = COUNT) -> None:
        library.tensor_scale(self.address, count, ctypes.c_float(factor))  # HELPER


def train(count: int) -> int:
    weights = Tensor(COUNT)
    gradient = Tensor(COUNT)  # MAKES
    hip.hipMemset(weights.address, 0, ctypes.c_size_t(4 * COUNT))
    hip.hipMemset(gradient.address, 0, ctypes.c_size_t(4 * COUNT))
    for _ in range(31):
        weights.scale(0.5)
        gradient.scale(0.5)
    gradient.scale(2.0, count)  # FAULT
    weights.scale(1.0)
    return int(hip.hipDeviceSynchronize())


def fail(rank: int) -> None:
    os.environ["RANK"] = str(rank)
    if train(COUNT * 16 if sys.argv[2] == "overrun" and rank == 1 else COUNT):
        raise RuntimeError("HIP error: an illegal memory access was encountered")


def parallel() -> int:
    """One process for each rank, as torch.multiprocessing starts them; the parent uses no HIP."""
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=fail, args=(rank,)) for rank in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return max(abs(worker.exitcode or 0) for worker in workers)


if __name__ == "__main__":
    if sys.argv[3:] == ["swallowed"]:
        parallel()
    elif sys.argv[3:] == ["parallel"]:
        sys.exit(parallel())
    else:
        sys.exit(1 if train(COUNT * 16 if sys.argv[2] == "overrun" else COUNT) else 0)
