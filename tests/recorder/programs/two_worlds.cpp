// Works with two HIP libraries in turn, A and B: two_worlds A.so B.so SCENE.
#include <dlfcn.h>
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

constexpr size_t kBytes = 1 << 16;

void check(hipError_t error) {
  if (error != hipSuccess) std::exit(3);
}

// One library, by its own functions.
class World {
 public:
  explicit World(const char* file) : library_(dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) std::exit(4);
  }
  template <typename Function, typename... Given>
  hipError_t call(Function*, const char* name, Given... given) const {
    return reinterpret_cast<Function*>(dlsym(library_, name))(given...);
  }

 private:
  void* library_;
};

#define CALL(world, name, ...) \
  (world).call(static_cast<decltype(&name)>(nullptr), #name, __VA_ARGS__)
#define CALL0(world, name) (world).call(static_cast<decltype(&name)>(nullptr), #name)

void* device_memory(const World& world) {
  void* memory = nullptr;
  check(world.call(static_cast<hipError_t (*)(void**, size_t)>(nullptr), "hipMalloc", &memory,
                   kBytes));
  return memory;
}

void* pinned_memory(const World& world) {
  void* memory = nullptr;
  check(world.call(static_cast<hipError_t (*)(void**, size_t, unsigned)>(nullptr), "hipHostMalloc",
                   &memory, kBytes, 0u));
  return memory;
}

void copy(const World& world, void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  const hipError_t error = CALL(world, hipMemcpy, to, from, bytes, kind);
  if (bytes <= kBytes) check(error);
}

void work(const World& world, size_t back) {
  static char host[2 * kBytes];
  void* memory = device_memory(world);
  copy(world, memory, host, kBytes, hipMemcpyHostToDevice);
  copy(world, host, memory, back, hipMemcpyDeviceToHost);
  check(CALL(world, hipFree, memory));
}

// Two streams of B share pinned memory; `between` is said to wait for the first.
template <typename Between>
void hand_over(const World& b, Between between) {
  void* source = device_memory(b);
  void* target = device_memory(b);
  void* pinned = pinned_memory(b);
  hipStream_t first = nullptr;
  hipStream_t second = nullptr;
  check(CALL(b, hipStreamCreate, &first));
  check(CALL(b, hipStreamCreate, &second));
  check(CALL(b, hipMemcpy, source, pinned, kBytes, hipMemcpyHostToDevice));
  check(CALL(b, hipMemcpyAsync, pinned, source, kBytes, hipMemcpyDeviceToHost, first));
  between();
  check(CALL(b, hipMemcpyAsync, target, pinned, kBytes, hipMemcpyHostToDevice, second));
  check(CALL0(b, hipDeviceSynchronize));
}

}  // namespace

int main(int, char** arguments) {
  const World a(arguments[1]);
  const World b(arguments[2]);
  const std::string scene = arguments[3];
  work(a, scene == "a copies past the end" ? kBytes + 64 : kBytes);
  if (scene == "a copies past the end") work(b, kBytes);
  if (scene == "clean") work(b, kBytes);
  if (scene == "b copies past the end") work(b, kBytes + 64);
  if (scene == "a is reset") {
    void* memory = device_memory(b);
    check(CALL0(a, hipDeviceReset));
    static char host[kBytes];
    copy(b, memory, host, kBytes, hipMemcpyHostToDevice);
    copy(b, host, memory, kBytes, hipMemcpyDeviceToHost);
  }
  if (scene == "a waits for b") hand_over(b, [&] { check(CALL0(a, hipDeviceSynchronize)); });
  if (scene == "b waits for b") hand_over(b, [&] { check(CALL0(b, hipDeviceSynchronize)); });
  return 0;
}
