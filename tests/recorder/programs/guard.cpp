// Overruns of allocations, each in a process of its own, since a fault is for good:
//   guard CODE over|within COUNT      prints "number size over error" for each
//   guard CODE manners                what HIP says of an allocation is as it always was
#include <hip/hip_runtime_api.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

static std::vector<char> g_code;

static hipFunction_t kernel() {
  hipModule_t module = nullptr;
  hipFunction_t function = nullptr;
  if (hipModuleLoadData(&module, g_code.data()) != hipSuccess) std::exit(90);
  if (hipModuleGetFunction(&function, module, "poke") != hipSuccess) std::exit(91);
  return function;
}

static hipError_t poke(hipFunction_t function, void* memory, long long offset) {
  void* list[] = {&memory, &offset};
  (void)hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, list, nullptr);
  return hipDeviceSynchronize();
}

// One of several allocations is overrun; the others, and others that are freed, lie around it.
static int one(unsigned number, bool over) {
  std::mt19937 random(number);
  const size_t size = 16 * (1 + random() % 8192);
  const long long past = over ? 1LL << (number % 17) : 0;
  hipFunction_t function = kernel();
  std::vector<void*> memory(6);
  for (size_t i = 0; i < memory.size(); ++i) {
    if (hipMalloc(&memory[i], i == 3 ? size : 16 * (1 + random() % 4096)) != hipSuccess) return 92;
  }
  if (hipFree(memory[1]) != hipSuccess) return 93;
  const hipError_t error = poke(function, memory[3], static_cast<long long>(size) - 1 + past);
  std::printf("%u %zu %lld %d\n", number, size, past, static_cast<int>(error));
  std::fflush(stdout);
  return error == hipSuccess ? 0 : 1;
}

static int run_all(bool over, unsigned count) {
  for (unsigned number = 0; number < count; ++number) {
    const pid_t child = fork();
    if (child == 0) std::exit(one(number, over));
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) return 94;
  }
  return 0;
}

#define EXPECT(condition)                                          \
  do {                                                             \
    if (!(condition)) {                                            \
      std::fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
      return 1;                                                    \
    }                                                              \
  } while (false)

static int manners() {
  void* memory = nullptr;
  const size_t size = 10000;
  EXPECT(hipMalloc(&memory, size) == hipSuccess);
  EXPECT(reinterpret_cast<uintptr_t>(memory) % 16 == 0);
  auto* inside = static_cast<char*>(memory) + 5000;
  void* base = nullptr;
  size_t bytes = 0;
  EXPECT(hipMemGetAddressRange(&base, &bytes, inside) == hipSuccess);
  EXPECT(base == memory && bytes == size);
  EXPECT(hipMemPtrGetInfo(memory, &bytes) == hipSuccess && bytes == size);
  hipPointerAttribute_t attributes;
  EXPECT(hipPointerGetAttributes(&attributes, inside) == hipSuccess);
  EXPECT(attributes.type == hipMemoryTypeDevice && attributes.devicePointer == inside);
  uint64_t value = 0;
  EXPECT(hipPointerGetAttribute(&value, HIP_POINTER_ATTRIBUTE_RANGE_SIZE, inside) == hipSuccess);
  EXPECT(value == size);
  std::vector<char> there(size, 7), back(size, 0);
  EXPECT(hipMemcpy(memory, there.data(), size, hipMemcpyHostToDevice) == hipSuccess);
  EXPECT(hipMemcpy(back.data(), memory, size, hipMemcpyDeviceToHost) == hipSuccess);
  EXPECT(there == back);
  EXPECT(hipMemset(memory, 3, size) == hipSuccess);
  EXPECT(hipFree(inside) != hipSuccess);
  EXPECT(hipFree(memory) == hipSuccess);
  EXPECT(hipFree(memory) != hipSuccess);
  EXPECT(hipFree(nullptr) == hipSuccess);
  void* none = &memory;
  EXPECT(hipMalloc(&none, 0) == hipSuccess && none == nullptr);
  EXPECT(hipMalloc(&none, static_cast<size_t>(-1)) == hipErrorOutOfMemory);
  std::vector<void*> many(2000);
  for (auto& each : many) EXPECT(hipMalloc(&each, 4096) == hipSuccess);
  for (auto& each : many) EXPECT(hipFree(each) == hipSuccess);
  EXPECT(hipMalloc(&memory, size) == hipSuccess);
  EXPECT(hipDeviceReset() == hipSuccess);
  EXPECT(hipMalloc(&memory, size) == hipSuccess && hipFree(memory) == hipSuccess);
  return 0;
}

int main(int count, char** arguments) {
  std::ifstream file(arguments[1], std::ios::binary);
  g_code.assign(std::istreambuf_iterator<char>(file), {});
  const std::string how = arguments[2];
  if (how == "manners") return manners();
  return run_all(how == "over", count > 3 ? static_cast<unsigned>(std::atoi(arguments[3])) : 1);
}
