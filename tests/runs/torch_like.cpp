// A C++ library as PyTorch is one: templates, a dispatcher, one helper that launches everything.
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>

#include <string>
#include <vector>

namespace ops {

static const char* kSource = R"(
template <typename T, int N> __global__ void scale_kernel(T* values, int count, T factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= factor;
}
)";

static hipFunction_t compiled() {
  static hipFunction_t function = [] {
    const char* expression = "scale_kernel<float, 4>";
    hiprtcProgram program;
    hiprtcCreateProgram(&program, kSource, "scale.hip", 0, nullptr, nullptr);
    hiprtcAddNameExpression(program, expression);
    hiprtcCompileProgram(program, 0, nullptr);
    const char* name = nullptr;
    hiprtcGetLoweredName(program, expression, &name);
    size_t bytes = 0;
    hiprtcGetCodeSize(program, &bytes);
    std::vector<char> code(bytes);
    hiprtcGetCode(program, code.data());
    hipModule_t module;
    hipFunction_t found = nullptr;
    (void)hipModuleLoadData(&module, code.data());
    (void)hipModuleGetFunction(&found, module, name);
    return found;
  }();
  return function;
}

template <typename... Arguments>
__attribute__((noinline)) int launch(hipFunction_t function, int count, Arguments... arguments) {
  void* list[] = {&arguments...};
  const unsigned blocks = static_cast<unsigned>((count + 255) / 256);
  return hipModuleLaunchKernel(function, blocks, 1, 1, 256, 1, 1, 0, nullptr, list, nullptr);
}

template <typename T>
struct Dispatcher {
  __attribute__((noinline)) static int scale(T* values, int count, T factor) {
    const int result = launch(compiled(), count, values, count, factor);
    return result + 0 * count;
  }
};

}  // namespace ops

extern "C" int tensor_scale(float* values, int count, float factor) {
  const int result = ops::Dispatcher<float>::scale(values, count, factor);
  return result == 0 ? 0 : 1;
}
