// Weights are uploaded from a mapped file, in two parts on two streams; one part is unmapped early.
#include "unmap.h"

int main(int count, char** words) {
  const bool early = is(count, words, "early");
  const hipModule_t module = load_kernels();
  constexpr size_t n = 1 << 14, bytes = n * sizeof(float);
  std::FILE* file = std::tmpfile();
  const std::vector<float> weights(2 * n, 2.0f);
  std::fwrite(weights.data(), sizeof(float), weights.size(), file);
  std::fflush(file);
  char* mapped = static_cast<char*>(
      mmap(nullptr, 2 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fileno(file), 0));
  OK(hipHostRegister(mapped, 2 * bytes, hipHostRegisterDefault));
  float* values = on_device<float>(2 * n);
  const hipStream_t streams[] = {new_stream(), new_stream()};
  for (int part = 0; part < 2; ++part) {
    // The second part must still be on its way when the first has arrived.
    for (int again = 0; again <= 7 * part; ++again) hold(module, streams[part]);
    OK(hipMemcpyAsync(values + part * n, mapped + part * bytes, bytes, hipMemcpyHostToDevice,
                      streams[part]));
  }
  OK(hipStreamSynchronize(streams[0]));
  if (early) unmap(mapped + bytes, bytes);
  OK(hipStreamSynchronize(streams[1]));
  expect(to_host(values, 2 * n)[2 * n - 1] == 2.0f, "the weights are there");
  return 0;
}
