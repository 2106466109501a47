"""Kernels whose arguments decide whether they fault, and the codes that follow."""

from __future__ import annotations

from pathlib import Path

from tests.simdevice.launching import Kernels

ILLEGAL_ADDRESS, LAUNCH_FAILURE = 700, 719

SOURCE = """
#include <hip/hip_runtime.h>
#include <assert.h>

struct Piece {
  long long tag;
  char* bytes;
  long long offset;
};

template <typename T>
__device__ void touch(char* at, int write) {
  T* word = reinterpret_cast<T*>(at);
  T value{};
  if (write) {
    *word = value;
  } else {
    value = *word;
    asm volatile("" : : "m"(value) : "memory");  // the value is used
  }
}

__device__ void touch_any(char* at, int width, int write) {
  switch (width) {
    case 1: touch<unsigned char>(at, write); break;
    case 2: touch<unsigned short>(at, write); break;
    case 4: touch<unsigned int>(at, write); break;
    case 8: touch<unsigned long long>(at, write); break;
    case 16: touch<uint4>(at, write); break;
  }
}

// One access by one thread, out of as many threads as there are.
extern "C" __global__ void access(char* base, long long offset, int width, int write) {
  if (threadIdx.x + 1 == blockDim.x && blockIdx.x + 1 == gridDim.x) {
    touch_any(base + offset, width, write);
  }
}

// The same with an address that is a number to the runtime.
extern "C" __global__ void access_number(long long address, int width, int write) {
  touch_any(reinterpret_cast<char*>(address), width, write);
}

// The same with the pointer inside a structure.
extern "C" __global__ void access_piece(Piece piece, int width, int write) {
  touch_any(piece.bytes + piece.offset, width, write);
}

// The same with the pointer in device memory.
extern "C" __global__ void access_through(char** where, long long offset, int width, int write) {
  touch_any(*where + offset, width, write);
}

// The same behind a barrier, where every thread has a stack of its own.
extern "C" __global__ void access_after_barrier(char* base, long long offset, int width,
                                                int write) {
  __shared__ int turn;
  if (threadIdx.x == 0) turn = 1;
  __syncthreads();
  if (threadIdx.x == turn) touch_any(base + offset, width, write);
  __syncthreads();
}

extern "C" __global__ void access_atomic(char* base, long long offset, int width, int write) {
  atomicAdd(reinterpret_cast<unsigned int*>(base + offset), 1u);
}

// Every byte from the first to the last, each by a thread of its own.
extern "C" __global__ void sweep(unsigned char* base, long long first, long long count, int write) {
  long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  if (write) {
    base[first + i] = 1;
  } else {
    touch<unsigned char>(reinterpret_cast<char*>(base + first + i), 0);
  }
}

// A loop that compilers like to turn into memset or memcpy.
extern "C" __global__ void clear(unsigned char* base, long long count) {
  for (long long i = 0; i < count; ++i) base[i] = 0;
}

extern "C" __global__ void nothing(char* unused) {}

extern "C" __global__ void one_block_faults(int* words, int x, int y, int z) {
  bool mine = blockIdx.x == x && blockIdx.y == y && blockIdx.z == z;
  words[0] = 0;
  if (mine) *reinterpret_cast<volatile int*>(8) = 1;
}

extern "C" __global__ void trap(char* unused) { __builtin_trap(); }
extern "C" __global__ void call_abort(char* unused) { abort(); }
extern "C" __global__ void fail_assert(char* unused) { assert(unused == nullptr && "staged"); }

extern "C" __global__ void spin_until(volatile int* word) { while (*word == 0) {} }

extern "C" __global__ void slow_fill(unsigned char* base, long long count, long long rounds) {
  for (long long round = 0; round < rounds; ++round) {
    for (long long i = 0; i < count; ++i) {
      reinterpret_cast<volatile unsigned char*>(base)[i] = static_cast<unsigned char>(round);
    }
  }
}
"""


def load(path: str) -> Kernels:
    return Kernels(Path(path).read_bytes())
