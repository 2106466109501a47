// An arena: 600 steps of 16 tensors each, cut from one allocation and given back all at once.
#include "gpu.h"

struct Arena {
  char* memory;
  size_t used = 0;
  float* take(size_t count) {
    float* block = reinterpret_cast<float*>(memory + used);
    used += (count * sizeof(float) + 255) / 256 * 256;
    return block;
  }
};

int main() {
  const hipModule_t module = load_kernels();
  const hipFunction_t set = kernel(module, "set"), add = kernel(module, "add");
  constexpr int n = 96;
  const hipStream_t stream = new_stream();
  Arena arena{on_device<char>(1 << 20)};
  for (int step = 0; step < 600; ++step) {
    arena.used = 0;
    float* sum = arena.take(n);
    launch(set, 1, n, stream, sum, 0.0f, n);
    for (int tensor = 0; tensor < 8; ++tensor) {
      float *x = arena.take(n), *next = arena.take(n);
      launch(set, 1, n, stream, x, float(tensor), n);
      launch(add, 1, n, stream, x, sum, next, n);
      sum = next;
    }
    if (step % 100 == 99) {
      std::vector<float> host(n);
      OK(hipMemcpyAsync(host.data(), sum, n * sizeof(float), hipMemcpyDeviceToHost, stream));
      OK(hipStreamSynchronize(stream));
      expect(host[n - 1] == 28.0f, "the sum is right");
    }
  }
  return 0;
}
