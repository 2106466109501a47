// The kernels of benchmarks/isa/run.py, three ways: machine code of gfx942 (clang, with what stands
// under __clang__ below), hipRTC, and loops.cpp beside them for the CPU.
#if defined(__clang__) && defined(__HIP__)
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
struct Index {
  unsigned x, y;
};
#define threadIdx (Index{__builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y()})
#define blockIdx (Index{__builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y()})
#define blockDim (Index{__builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y()})
static inline __device__ void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
static inline __device__ int __shfl_down(int value, unsigned delta) {
  const unsigned self = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
  const unsigned from = (self & 63) + delta < 64 ? self + delta : self;
  return __builtin_amdgcn_ds_bpermute((int)(from << 2), value);
}
static inline __device__ float rsqrtf(float x) { return __builtin_amdgcn_rsqf(x); }
#endif

extern "C" __global__ void saxpy(float* y, const float* x, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

#define TILE 16
extern "C" __global__ void gemm_tiled(float* c, const float* a, const float* b, int n) {
  __shared__ float left[TILE][TILE], right[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
  float sum = 0;
  for (int k = 0; k < n; k += TILE) {
    left[ty][tx] = a[y * n + k + tx];
    right[ty][tx] = b[(k + ty) * n + x];
    __syncthreads();
    for (int i = 0; i < TILE; ++i) sum += left[ty][i] * right[i][tx];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

extern "C" __global__ void gemm_naive(float* c, const float* a, const float* b, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

// One row for each block of 256 threads.
extern "C" __global__ void rmsnorm(float* out, const float* in, const float* weight, int n) {
  __shared__ float parts[256];
  const int t = threadIdx.x;
  const float* row = in + (long)blockIdx.x * n;
  float sum = 0;
  for (int i = t; i < n; i += 256) sum += row[i] * row[i];
  parts[t] = sum;
  for (int half = 128; half != 0; half /= 2) {
    __syncthreads();
    if (t < half) parts[t] += parts[t + half];
  }
  __syncthreads();
  const float scale = rsqrtf(parts[0] / n + 1e-5f);
  for (int i = t; i < n; i += 256) out[(long)blockIdx.x * n + i] = row[i] * scale * weight[i];
}

extern "C" __global__ void collatz(unsigned* steps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = i + 1, count = 0;
  while (x != 1) {
    x = x & 1 ? 3 * x + 1 : x / 2;
    ++count;
  }
  steps[i] = count;
}

// The sum of each wave.
extern "C" __global__ void shuffle_sum(int* sums, const int* values) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = values[i];
  for (unsigned delta = 32; delta != 0; delta /= 2) value += __shfl_down(value, delta);
  if ((threadIdx.x & 63) == 0) sums[i / 64] = value;
}

#if defined(__clang__) && defined(__HIP__)
typedef _Float16 Halves __attribute__((ext_vector_type(4)));
typedef float Sums __attribute__((ext_vector_type(16)));

// Products of matrices in registers: 4 accumulators, 16,384 operations for each instruction.
extern "C" __global__ void matrix_products(float* out, const Halves* in, int rounds) {
  const unsigned t = threadIdx.x;
  const Halves a = in[t], b = in[t + 64];
  Sums sums[4] = {};
  for (int i = 0; i < rounds; ++i) {
    for (int k = 0; k < 4; ++k) {
      sums[k] = __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, sums[k], 0, 0, 0);
    }
  }
  float total = 0;
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < 16; ++i) total += sums[k][i];
  }
  out[blockIdx.x * 64 + t] = total;
}

// A thousand instructions without a loop.
extern "C" __global__ void thousand(unsigned* out) {
  unsigned x = out[threadIdx.x];
#pragma clang loop unroll(full)
  for (int i = 0; i < 330; ++i) x = ((x ^ (x >> 7)) + i * 40503u) ^ 0x9e3779b9u;
  out[threadIdx.x] = x;
}
#endif
