// The same memory has two addresses; a kernel writes it by one, another reads it by the other: side
// by side, or in turn.
#include "gpu.h"

float* mapped(hipMemGenericAllocationHandle_t memory, size_t bytes) {
  void* address = nullptr;
  OK(hipMemAddressReserve(&address, bytes, 0, nullptr, 0));
  OK(hipMemMap(address, bytes, 0, memory, 0));
  hipMemAccessDesc access = {};
  access.location = {hipMemLocationTypeDevice, 0};
  access.flags = hipMemAccessFlagsProtReadWrite;
  OK(hipMemSetAccess(address, bytes, &access, 1));
  return static_cast<float*>(address);
}

int main(int count, char** words) {
  const hipModule_t module = load_kernels();
  constexpr int n = 256;
  hipMemAllocationProp wanted = {};
  wanted.type = hipMemAllocationTypePinned;
  wanted.location = {hipMemLocationTypeDevice, 0};
  size_t bytes = 0;
  OK(hipMemGetAllocationGranularity(&bytes, &wanted, hipMemAllocationGranularityMinimum));
  hipMemGenericAllocationHandle_t memory;
  OK(hipMemCreate(&memory, bytes, &wanted, 0));
  float *one = mapped(memory, bytes), *other = mapped(memory, bytes), *out = on_device<float>(n);
  const hipStream_t streams[] = {new_stream(), new_stream()};
  launch(kernel(module, "set"), 1, n, streams[0], one, 3.0f, n);
  if (!is(count, words, "early")) after(streams[1], streams[0]);
  launch(kernel(module, "square"), 1, n, streams[1], other, out, n);
  OK(hipDeviceSynchronize());
  tell(to_host(out, n)[n - 1] == 9.0f, "the values were there");
  OK(hipMemUnmap(one, bytes));
  OK(hipMemUnmap(other, bytes));
  OK(hipMemRelease(memory));
  return 0;
}
