"""Kernels and variables that the tests load, launch and look up."""

from __future__ import annotations

SOURCE = """
__device__ int counter = 5;
__constant__ float table[16];
__device__ int* managed_number;

extern "C" __global__ void nothing() {}

extern "C" __global__ void add(int* x, int n) { x[blockIdx.x * blockDim.x + threadIdx.x] += n; }

extern "C" __global__ void where(unsigned* x) {
  if (threadIdx.x + threadIdx.y + threadIdx.z != 0) return;
  unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  unsigned* row = x + block * 6;
  row[0] = blockIdx.x;
  row[1] = blockIdx.y;
  row[2] = blockIdx.z;
  row[3] = blockDim.x;
  row[4] = blockDim.y;
  row[5] = blockDim.z;
}

extern "C" __global__ void mixed(char c, double d, short s, long long* out) {
  out[0] = c;
  out[1] = static_cast<long long>(d);
  out[2] = s;
}

extern "C" __global__ void reverse(int* x) {
  extern __shared__ int dynamic[];
  dynamic[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = dynamic[blockDim.x - 1 - threadIdx.x];
}

extern "C" __global__ void with_shared(int* x) {
  __shared__ int fixed[256];
  fixed[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = fixed[blockDim.x - 1 - threadIdx.x];
}

extern "C" __global__ __launch_bounds__(64) void bounded(int* x) { x[threadIdx.x] = 1; }

extern "C" __global__ void count() { counter += 1; }

extern "C" __global__ void read_table(float* x) { x[threadIdx.x] = table[threadIdx.x]; }

extern "C" __global__ void bump_managed() { *managed_number += 1; }

extern "C" __global__ void wild(int* x, long long at) { x[at] = 1; }
"""
