// Launches as a compiler of HIP writes them: a call of what stands on the host for the kernel.
// There is no code for the simulated device, so the library refuses them; the calls are made all
// the same.
#include <hip/hip_runtime.h>

__constant__ float factor;

__device__ float scaled(float value) { return value * factor; }

__global__ void __launch_bounds__(64) scale(float* values) {
  __shared__ float first;
  first = values[0];
  values[0] = scaled(first);
}

template <class T>
__global__ void __launch_bounds__(64, 2) fill(T* values, T value) {
  *values = value;
}

__host__ int main() {
  float* values = nullptr;
  (void)hipMalloc(&values, 64);             // TYPED
  scale<<<1, 64>>>(values);                 // PLAIN
  fill<float><<<dim3(2), 64>>>(values, 1);  // TEMPLATE
  (void)hipFree(values);
}
