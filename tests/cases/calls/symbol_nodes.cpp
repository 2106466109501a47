// A graph copies to a variable of the device and from it; one of its buffers may be gone.
#include "gpu.h"

// What a compiler emits for a program with a variable of the device.
extern "C" {
void** __hipRegisterFatBinary(const void* wrapper);
void __hipRegisterVar(void** modules, void* var, char* host_name, char* device_name, int ext,
                      size_t size, int constant, int global);
}

namespace {

constexpr size_t kNumbers = 1024, kBytes = kNumbers * sizeof(float);
float weights[kNumbers];  // stands for the variable

void register_weights() {
  const char* source =
      "__device__ float weights[1024];\n"
      "extern \"C\" __global__ void first(float* out) { *out = weights[0]; }\n";
  hiprtcProgram program;
  size_t bytes = 0;
  hiprtcCreateProgram(&program, source, "weights.hip", 0, nullptr, nullptr);
  hiprtcCompileProgram(program, 0, nullptr);
  hiprtcGetCodeSize(program, &bytes);
  static std::vector<char> code(bytes);
  hiprtcGetCode(program, code.data());
  static const struct {
    unsigned magic, version;
    const void* binary;
    void* unused;
  } wrapper = {0x48495046, 1, code.data(), nullptr};
  static char name[] = "weights";
  __hipRegisterVar(__hipRegisterFatBinary(&wrapper), weights, name, name, 0, kBytes, 0, 0);
}

}  // namespace

int main(int count, char** words) {
  register_weights();
  const hipStream_t stream = new_stream();
  float* const source = on_device(std::vector<float>(kNumbers, 2.0f));
  float* const result = on_device(std::vector<float>(kNumbers, 0.0f));
  hipGraph_t graph;
  hipGraphNode_t into, from;
  OK(hipGraphCreate(&graph, 0));
  OK(hipGraphAddMemcpyNodeToSymbol(&into, graph, nullptr, 0, weights, source, kBytes, 0,
                                   hipMemcpyDeviceToDevice));
  const bool joined = !is(count, words, "unordered");
  OK(hipGraphAddMemcpyNodeFromSymbol(&from, graph, joined ? &into : nullptr, joined ? 1 : 0, result,
                                     weights, kBytes, 0, hipMemcpyDeviceToDevice));
  hipGraphExec_t exec;
  OK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  OK(hipGraphLaunch(exec, stream));
  OK(hipStreamSynchronize(stream));
  if (is(count, words, "to_freed")) OK(hipFree(source));
  if (is(count, words, "from_freed")) OK(hipFree(result));
  OK(hipGraphLaunch(exec, stream));
  OK(hipStreamSynchronize(stream));
  tell(to_host(result, kNumbers)[kNumbers - 1] == 2.0f, "through the variable");
  return 0;
}
