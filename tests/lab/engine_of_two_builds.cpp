// A step of inference: rope, then a copy of the result to the host. Built with -DSTALE, rope steps
// through the positions as an older layout had them, far past the end of the buffer.
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>

#include <cstdio>
#include <string>
#include <vector>

#ifdef STALE
constexpr const char* kStride = "#define STRIDE 4096\n";
#else
constexpr const char* kStride = "#define STRIDE 1\n";
#endif

static const char* kRope =
    "extern \"C\" __global__ void rope(float* x, const int* positions, int tokens) {\n"
    "  int token = blockIdx.x;\n"
    "  if (token < tokens) x[token] += positions[token * STRIDE];\n"
    "}\n";

int main() {
  constexpr int kTokens = 512;
  hiprtcProgram program;
  hiprtcCreateProgram(&program, (std::string(kStride) + kRope).c_str(), "step.hip", 0, nullptr,
                      nullptr);
  if (hiprtcCompileProgram(program, 0, nullptr) != HIPRTC_SUCCESS) return 9;
  size_t size = 0;
  hiprtcGetCodeSize(program, &size);
  std::string code(size, '\0');
  hiprtcGetCode(program, &code[0]);
  hipModule_t module;
  hipFunction_t rope;
  (void)hipModuleLoadData(&module, code.data());
  (void)hipModuleGetFunction(&rope, module, "rope");

  void *x = nullptr, *positions = nullptr;
  std::vector<float> host(kTokens);
  (void)hipMalloc(&x, kTokens * sizeof(float));
  (void)hipMalloc(&positions, kTokens * sizeof(int));
  (void)hipMemset(x, 0, kTokens * sizeof(float));
  (void)hipMemset(positions, 0, kTokens * sizeof(int));
  int tokens = kTokens;
  void* arguments[] = {&x, &positions, &tokens};
  (void)hipModuleLaunchKernel(rope, kTokens, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr);
  (void)hipMemcpy(host.data(), x, kTokens * sizeof(float), hipMemcpyDeviceToHost);
  std::printf("STATUS=OK\n");
  return 0;
}
