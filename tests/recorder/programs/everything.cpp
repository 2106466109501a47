// Calls whose records need more than their words: graphs, structs, arrays, annotations, symbols.
#include <dlfcn.h>
#include <hip/hip_runtime.h>
#include <roctracer/roctx.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

struct Pair {
  void* first;
  long long count;
};

}  // namespace

int main(int, char** arguments) {
  std::ifstream file(arguments[1], std::ios::binary);
  const std::vector<char> code((std::istreambuf_iterator<char>(file)), {});
  hipModule_t module;
  hipFunction_t fill;
  hipStream_t stream;
  void* device;
  hipModuleLoadData(&module, code.data());
  hipModuleGetFunction(&fill, module, "fill");
  hipStreamCreate(&stream);
  hipMalloc(&device, 4096);

  roctxRangePush("layer 3");
  roctxRangePush("attention");
  hipMemsetAsync(device, 1, 64, stream);
  roctxRangePop();
  hipMemsetAsync(device, 2, 64, stream);
  roctxMark("half-way");
  roctxRangePop();
  hipMemsetAsync(device, 3, 64, stream);

  Pair pair{device, 16};
  char small = 'a';
  double large = 0.5;
  void* values[] = {&pair, &small, &large};
  hipModuleLaunchKernel(fill, 1, 1, 1, 64, 1, 1, 0, stream, values, nullptr);
  struct Packed {
    Pair pair;
    char small;
    double large;
  } packed{pair, small, large};
  size_t bytes = sizeof packed;
  void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   HIP_LAUNCH_PARAM_END};
  hipModuleLaunchKernel(fill, 2, 1, 1, 64, 1, 1, 0, stream, nullptr, extra);

  std::vector<char> host(4096);
  hip_Memcpy2D copy = {};
  copy.srcMemoryType = hipMemoryTypeDevice;
  copy.srcDevice = device;
  copy.srcPitch = 64;
  copy.dstMemoryType = hipMemoryTypeHost;
  copy.dstHost = host.data();
  copy.dstPitch = 64;
  copy.WidthInBytes = 32;
  copy.Height = 4;
  hipMemcpyParam2D(&copy);

  hipGraph_t graph;
  hipGraphNode_t first;
  hipGraphNode_t second;
  hipGraphCreate(&graph, 0);
  hipGraphAddEmptyNode(&first, graph, nullptr, 0);
  hipKernelNodeParams node = {};
  node.func = fill;
  node.gridDim = {1, 1, 1};
  node.blockDim = {32, 1, 1};
  node.kernelParams = values;
  hipGraphAddKernelNode(&second, graph, &first, 1, &node);
  hipGraphExec_t exec;
  hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
  hipGraphLaunch(exec, stream);

  using Synchronize = hipError_t (*)(hipStream_t);
  void* found = nullptr;
  hipGetProcAddress("hipStreamSynchronize", &found, 70000, 0, nullptr);
  reinterpret_cast<Synchronize>(found)(stream);
  reinterpret_cast<Synchronize>(dlsym(RTLD_DEFAULT, "hipStreamSynchronize"))(stream);
  return 0;
}
