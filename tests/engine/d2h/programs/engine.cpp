// An engine that reads its logits back through greta/d2h_safe.hpp: well, past the end, to nowhere.
#include <greta/d2h_safe.hpp>

#include <vector>

namespace {

constexpr size_t allocated = 4096, offset = 256;

hipError_t read(char* device, void* host, size_t bytes, hipStream_t stream) {
  D2HMetadata what;
  what.tensor = "logits";
  what.step = 3;
  what.layer = 2;
  return greta_hip_memcpy_d2h_safe(host, device + offset, bytes, stream, what);
}

}  // namespace

int main(int count, char** words) {
  const std::string wanted = count > 1 ? words[1] : "good";
  void* device = nullptr;
  hipStream_t stream = nullptr;
  if (hipMalloc(&device, allocated) != hipSuccess) return 90;
  if (hipStreamCreate(&stream) != hipSuccess) return 91;
  if (hipMemset(device, 7, allocated) != hipSuccess) return 92;
  std::vector<char> host(allocated, 0);
  char* source = static_cast<char*>(device);
  if (wanted == "past_end") {
    const bool refused = read(source, host.data(), allocated, stream) == hipErrorInvalidValue;
    return refused && hipGetLastError() == hipSuccess && host[0] == 0 ? 0 : 93;
  }
  if (wanted == "nowhere") {
    return read(source, reinterpret_cast<void*>(0x10), 64, stream) != hipSuccess ? 0 : 94;
  }
  if (wanted == "wrapper") {
    void* nowhere = reinterpret_cast<void*>(0x10);
    return safe_hipMemcpyAsync(nowhere, source, 64, hipMemcpyDeviceToHost, stream, "KV cache") ? 95
                                                                                               : 0;
  }
  if (read(source, host.data(), 1024, stream) != hipSuccess) return 96;
  if (!safe_hipMemcpyAsync(host.data() + 1024, source, 64, hipMemcpyDeviceToHost, stream, "tail")) {
    return 97;
  }
  return host[0] == 7 && host[1023] == 7 && host[1024 + 63] == 7 && host[1024 + 64] == 0 ? 0 : 98;
}
