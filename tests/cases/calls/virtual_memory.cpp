// A buffer that grows at its end: addresses are reserved once, memory is mapped as it is needed.
#include "gpu.h"

namespace {

constexpr size_t kChunk = size_t{2} << 20;
constexpr int kNumbers = kChunk / sizeof(float);

hipMemAllocationProp on_first_device() {
  hipMemAllocationProp properties = {};
  properties.type = hipMemAllocationTypePinned;
  properties.location = {hipMemLocationTypeDevice, 0};
  return properties;
}

void map(char* address, hipMemAccessFlags rights, bool released_first = false) {
  const hipMemAllocationProp properties = on_first_device();
  hipMemGenericAllocationHandle_t memory;
  OK(hipMemCreate(&memory, kChunk, &properties, 0));
  if (released_first) OK(hipMemRelease(memory));
  OK(hipMemMap(address, kChunk, 0, memory, 0));
  OK(hipMemRelease(memory));
  const hipMemAccessDesc wanted = {{hipMemLocationTypeDevice, 0}, rights};
  OK(hipMemSetAccess(address, kChunk, &wanted, 1));
}

}  // namespace

int main(int count, char** words) {
  const hipModule_t module = load_kernels();
  const hipFunction_t square = kernel(module, "square");
  const hipStream_t stream = new_stream();
  void* reserved = nullptr;
  OK(hipMemAddressReserve(&reserved, 4 * kChunk, 0, nullptr, 0));
  char* const begin = static_cast<char*>(reserved);
  map(begin, hipMemAccessFlagsProtReadWrite, is(count, words, "released_first"));
  OK(hipMemsetAsync(begin, 0, kChunk, stream));
  int numbers = kNumbers;
  if (is(count, words, "not_grown")) numbers *= 2;
  if (is(count, words, "grown")) {
    map(begin + kChunk, hipMemAccessFlagsProtReadWrite);
    OK(hipMemsetAsync(begin, 0, 2 * kChunk, stream));
    numbers *= 2;
  }
  if (is(count, words, "read_only")) {
    OK(hipStreamSynchronize(stream));
    const hipMemAccessDesc wanted = {{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtRead};
    OK(hipMemSetAccess(begin, kChunk, &wanted, 1));
  }
  if (is(count, words, "unmapped")) OK(hipMemUnmap(begin, kChunk));
  float* const values = reinterpret_cast<float*>(begin);
  launch(square, numbers / 256, 256, stream, values, values, numbers);
  OK(hipStreamSynchronize(stream));
  expect(to_host(values, 1)[0] == 0.0f, "zero stays zero");
  OK(hipMemUnmap(begin, is(count, words, "grown") ? 2 * kChunk : kChunk));
  OK(hipMemAddressFree(begin, 4 * kChunk));
  return 0;
}
