// One call launches two kernels by their stubs, one on each device.
#include "gpu.h"

namespace {

constexpr int kNumbers = 4096;
void twice_stub(float*, int) {}

const void* registered_kernel() {
  const char* source =
      "extern \"C\" __global__ void twice(float* out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) out[i] *= 2;\n"
      "}\n";
  hiprtcProgram program;
  size_t bytes = 0;
  hiprtcCreateProgram(&program, source, "twice.hip", 0, nullptr, nullptr);
  hiprtcCompileProgram(program, 0, nullptr);
  hiprtcGetCodeSize(program, &bytes);
  static std::vector<char> code(bytes);
  hiprtcGetCode(program, code.data());
  static const struct {
    unsigned magic, version;
    const void* binary;
    void* unused;
  } wrapper = {0x48495046, 1, code.data(), nullptr};
  static char name[] = "twice";
  const auto* const stub = reinterpret_cast<const void*>(&twice_stub);
  __hipRegisterFunction(__hipRegisterFatBinary(&wrapper), stub, name, name, ~0u, nullptr, nullptr,
                        nullptr, nullptr, nullptr);
  return stub;
}

}  // namespace

int main(int count, char** words) {
  const std::string how = count > 2 ? words[2] : "";
  const void* const twice = registered_kernel();
  hipLaunchParams parts[2] = {};
  float* halves[2];
  int numbers = kNumbers;
  void* arguments[2][2];
  for (int device = 0; device < 2; ++device) {
    OK(hipSetDevice(device));
    const bool is_small = how == "too_many" && device == 1;
    halves[device] = on_device(std::vector<float>(is_small ? kNumbers / 16 : kNumbers, 3.0f));
    arguments[device][0] = &halves[device];
    arguments[device][1] = &numbers;
    parts[device] = {const_cast<void*>(twice),
                     dim3(kNumbers / 256),
                     dim3(256),
                     arguments[device],
                     0,
                     new_stream()};
  }
  OK(hipDeviceSynchronize());
  if (how == "freed") OK(hipFree(halves[1]));
  if (is(count, words, "cooperative")) {
    OK(hipLaunchCooperativeKernelMultiDevice(parts, 2, 0));
  } else {
    OK(hipExtLaunchMultiKernelMultiDevice(parts, 2, 0));
  }
  for (int device = 0; device < 2; ++device) {
    OK(hipSetDevice(device));
    OK(hipDeviceSynchronize());
    expect(to_host(halves[device], kNumbers)[kNumbers - 1] == 6.0f, "all is doubled");
  }
  return 0;
}
