// The classic pipeline: chunks go up, are squared and come down, each in one of two streams.
#include "gpu.h"

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t square = kernel(module, "square");
  constexpr int n = 1 << 14, chunks = 8, part = n / chunks;
  constexpr size_t bytes = part * sizeof(float);
  float *in = nullptr, *out = nullptr, *d_in = nullptr, *d_out = nullptr;
  OK(hipHostMalloc(reinterpret_cast<void**>(&in), n * sizeof(float), hipHostMallocDefault));
  OK(hipHostMalloc(reinterpret_cast<void**>(&out), n * sizeof(float), hipHostMallocDefault));
  OK(hipMalloc(reinterpret_cast<void**>(&d_in), n * sizeof(float)));
  OK(hipMalloc(reinterpret_cast<void**>(&d_out), n * sizeof(float)));
  hipStream_t streams[2];
  for (auto& stream : streams) OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  for (int i = 0; i < n; ++i) in[i] = 1.0f;
  for (int chunk = 0; chunk < chunks; ++chunk) {
    const hipStream_t stream = streams[chunk % 2];
    const int at = chunk * part;
    const hipStream_t upload = streams[chunk == 5 ? 1 : chunk % 2];
    OK(hipMemcpyAsync(d_in + at, in + at, bytes, hipMemcpyHostToDevice, upload));
    launch(square, part / 128, 128, stream, d_in + at, d_out + at, part);
    OK(hipMemcpyAsync(out + at, d_out + at, bytes, hipMemcpyDeviceToHost, stream));
  }
  OK(hipDeviceSynchronize());
  std::printf("%g\n", out[n - 1]);
  return 0;
}
