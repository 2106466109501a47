// A C++ program with its kernels in it, as people write them. Its arguments say what it does:
//   chevron            everything right
//   chevron overrun    one thread writes one float past the end of a buffer
#include <hip/hip_runtime_api.h>

#include <cstdlib>  // before what wraps it for the device
#include <cstdio>
#include <cstring>
#include <vector>

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

__constant__ float factor[2];
__device__ unsigned launches = 41;

template <class T>
__device__ T twice(T x) { return x + x; }

__global__ void scale(float* out, const float* in, int n, int reach) {
  const int i = __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() +
                __builtin_amdgcn_workitem_id_x();
  if (i == 0) __hip_atomic_fetch_add(&launches, 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  if (i < n + reach) out[i] = twice(in[i < n ? i : 0]) * factor[0] + factor[1];
}

// The sum of a block, in dynamic shared memory.
extern __shared__ float values[];
__global__ void sums(float* out, const float* in) {
  const unsigned t = __builtin_amdgcn_workitem_id_x(), size = __builtin_amdgcn_workgroup_size_x();
  values[t] = in[__builtin_amdgcn_workgroup_id_x() * size + t];
  for (unsigned half = size / 2; half != 0; half /= 2) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    if (t < half) values[t] += values[t + half];
  }
  if (t == 0) out[__builtin_amdgcn_workgroup_id_x()] = values[0];
}

static int check(hipError_t error, const char* what) {
  if (error == hipSuccess) return 0;
  std::printf("%s: %s\n", what, hipGetErrorName(error));
  return 1;
}

int main(int count, char** arguments) {
  const int n = 1000, reach = count > 1 && std::strcmp(arguments[1], "overrun") == 0;
  std::vector<float> in(1024), out(n);
  for (int i = 0; i < n; ++i) in[i] = i * 0.5f;
  const float factors[2] = {3, 0.25f};
  float *device_in, *device_out, *device_sums;
  if (check(hipMalloc((void**)&device_in, 1024 * sizeof(float)), "hipMalloc")) return 1;
  if (check(hipMalloc((void**)&device_out, n * sizeof(float)), "hipMalloc")) return 1;
  if (check(hipMalloc((void**)&device_sums, 4 * sizeof(float)), "hipMalloc")) return 1;
  if (check(hipMemcpy(device_in, in.data(), 4096, hipMemcpyHostToDevice), "hipMemcpy")) return 1;
  if (check(hipMemcpyToSymbol(factor, factors, sizeof factors, 0, hipMemcpyHostToDevice),
            "hipMemcpyToSymbol")) return 1;
  scale<<<4, 256>>>(device_out, device_in, n, reach);
  if (check(hipGetLastError(), "launch")) return 1;
  sums<<<4, 256, 256 * sizeof(float)>>>(device_sums, device_in);
  if (check(hipDeviceSynchronize(), "hipDeviceSynchronize")) return 1;
  if (check(hipMemcpy(out.data(), device_out, n * sizeof(float), hipMemcpyDeviceToHost),
            "hipMemcpy")) return 1;
  float totals[4];
  unsigned launched = 0;
  if (check(hipMemcpy(totals, device_sums, sizeof totals, hipMemcpyDeviceToHost), "hipMemcpy"))
    return 1;
  if (check(hipMemcpyFromSymbol(&launched, launches, sizeof launched, 0, hipMemcpyDeviceToHost),
            "hipMemcpyFromSymbol")) return 1;
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += out[i] != (in[i] + in[i]) * 3 + 0.25f;
  float total = 0, wanted = 0;
  for (float value : totals) total += value;
  for (float value : in) wanted += value;
  std::printf("wrong %d sum %g of %g launches %u\n", wrong, total, wanted, launched);
  return wrong != 0 || total != wanted;
}
