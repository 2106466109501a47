// Kernels in HIP C++, compiled by our libhiprtc, run by the executor alone. Skipped where there is
// no libhiprtc yet: GRETA_HIPRTC names the file to look for.
#include <dlfcn.h>
#include <hip/hiprtc.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>

#include "check.h"
#include "device/code_object.h"
#include "device/executor.h"
#include "inaccessible_page.h"

namespace greta::sim {
namespace {

constexpr const char* kSource = R"(
extern "C" {

__device__ int launches = 100;

__global__ void scale(float* values, float factor, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= factor;
}

__global__ void sum_block(const int* values, int* sums, int count) {
  __shared__ int partial[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < count ? values[i] : 0;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

__global__ void sum_wave(const int* values, int* sums) {
  int sum = values[blockIdx.x * blockDim.x + threadIdx.x];
  for (int offset = 32; offset > 0; offset /= 2) sum += __shfl_down(sum, offset);
  if (threadIdx.x % 64 == 0) atomicAdd(&sums[blockIdx.x], sum);
}

__global__ void ballots(unsigned long long* out) {
  int lane = threadIdx.x;
  unsigned long long votes;
  if (lane % 2) {
    votes = __ballot(lane % 3 == 0);
  } else {
    votes = __ballot(lane % 5 == 0);
  }
  out[lane] = votes;
  out[64 + lane] = __ballot(1);
}

__global__ void reverse(int* values) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void count_launch(int* out) { *out = ++launches; }

__global__ void overrun(char* memory, int bytes) {
  __syncthreads();
  if (threadIdx.x == 5) memory[bytes] = 1;
}

__global__ void divide(int* out, int divisor) { out[threadIdx.x] = (int)threadIdx.x / divisor; }

}
)";

// The functions of libhiprtc that we need; null members if it is not there.
struct Compiler {
  decltype(&hiprtcCreateProgram) create = nullptr;
  decltype(&hiprtcCompileProgram) compile = nullptr;
  decltype(&hiprtcGetCodeSize) code_size = nullptr;
  decltype(&hiprtcGetCode) code = nullptr;
  decltype(&hiprtcGetProgramLogSize) log_size = nullptr;
  decltype(&hiprtcGetProgramLog) log = nullptr;
  decltype(&hiprtcDestroyProgram) destroy = nullptr;

  Compiler() {
    const char* path = std::getenv("GRETA_HIPRTC");
    void* library = dlopen(path != nullptr ? path : HIPRTC_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return;
    find(library, "hiprtcCreateProgram", &create);
    find(library, "hiprtcCompileProgram", &compile);
    find(library, "hiprtcGetCodeSize", &code_size);
    find(library, "hiprtcGetCode", &code);
    find(library, "hiprtcGetProgramLogSize", &log_size);
    find(library, "hiprtcGetProgramLog", &log);
    find(library, "hiprtcDestroyProgram", &destroy);
  }

  template <typename Function>
  static void find(void* library, const char* name, Function* function) {
    *function = reinterpret_cast<Function>(dlsym(library, name));
  }
};

std::vector<unsigned char> compile(const char* source) {
#if defined(__SANITIZE_THREAD__)
  // GCC's ThreadSanitizer takes the posix_spawn of a compiler for a fork of ourselves, and loses
  // sight of all synchronization from then on.
  return {};
#endif
  const Compiler compiler;
  if (compiler.create == nullptr) return {};
  hiprtcProgram program = nullptr;
  compiler.create(&program, source, "test.hip", 0, nullptr, nullptr);
  size_t size = 0;
  if (compiler.compile(program, 0, nullptr) != HIPRTC_SUCCESS) {
    compiler.log_size(program, &size);
    std::string log(size, '\0');
    compiler.log(program, log.data());
    check::report_failure(__FILE__, __LINE__, log);
  }
  std::vector<unsigned char> code;
  if (compiler.code_size(program, &size) == HIPRTC_SUCCESS) {
    code.resize(size);
    compiler.code(program, reinterpret_cast<char*>(code.data()));
  }
  compiler.destroy(&program);
  return code;
}

const std::vector<unsigned char>& compiled() {
  static const auto* const code = new std::vector<unsigned char>(compile(kSource));
  return *code;
}

class Module {
 public:
  Module() {
    if (compiled().empty()) {
      std::printf("(skipped) ");
      return;
    }
    loaded_ = CodeObject::load(compiled().data());
    CHECK_EQUAL(loaded_.message, std::string());
  }
  explicit operator bool() const { return loaded_.code_object != nullptr; }
  CodeObject& code() { return *loaded_.code_object; }

  // Arguments one after the other at their places in the kernarg segment.
  template <typename... Arguments>
  FaultReport launch(const char* name, uint32_t blocks, uint32_t threads, Arguments... arguments) {
    const Kernel* kernel = code().find_kernel(name);
    if (kernel == nullptr) {
      CHECK(!"the kernel is there");
      return {};
    }
    std::vector<unsigned char> kernarg(kernel->kernarg_bytes + 16);
    size_t next = 0;
    (std::memcpy(kernarg.data() + kernel->arguments[next++].offset, &arguments, sizeof arguments),
     ...);
    KernelLaunch launch;
    launch.kernel = kernel;
    launch.grid = {blocks, 1, 1};
    launch.block = {threads, 1, 1};
    launch.dynamic_shared_bytes = 4096;
    launch.kernarg = kernarg.data();
    return execute(launch);
  }

 private:
  CodeObjectLoad loaded_;
};

TEST(hiprtc_plain_kernel) {
  Module module;
  if (!module) return;
  std::vector<float> values(100000, 3.0f);
  CHECK(!module.launch("scale", 400, 256, values.data(), 2.0f, 100000));
  for (float value : values) CHECK_EQUAL(value, 6.0f);
}

TEST(hiprtc_block_reduction) {
  Module module;
  if (!module) return;
  std::vector<int> values(100 * 256), sums(100);
  std::iota(values.begin(), values.end(), 0);
  const int count = static_cast<int>(values.size());
  CHECK(!module.launch("sum_block", 100, 256, values.data(), sums.data(), count));
  for (int b = 0; b < 100; ++b) CHECK_EQUAL(sums[b], b * 65536 + 255 * 128);
}

TEST(hiprtc_wave_reduction) {
  Module module;
  if (!module) return;
  std::vector<int> values(20 * 256, 1), sums(20, 0);
  CHECK(!module.launch("sum_wave", 20, 256, values.data(), sums.data()));
  for (int sum : sums) CHECK_EQUAL(sum, 256);
}

TEST(hiprtc_divergent_ballots) {
  Module module;
  if (!module) return;
  std::vector<unsigned long long> out(128);
  CHECK(!module.launch("ballots", 1, 64, out.data()));
  unsigned long long odd = 0, even = 0;
  for (int lane = 0; lane < 64; ++lane) {
    if (lane % 2 && lane % 3 == 0) odd |= 1ull << lane;
    if (lane % 2 == 0 && lane % 5 == 0) even |= 1ull << lane;
  }
  for (int lane = 0; lane < 64; ++lane) {
    CHECK_EQUAL(out[lane], lane % 2 ? odd : even);
    CHECK_EQUAL(out[64 + lane], ~0ull);
  }
}

TEST(hiprtc_dynamic_shared_memory) {
  Module module;
  if (!module) return;
  std::vector<int> values(1000);
  std::iota(values.begin(), values.end(), 0);
  CHECK(!module.launch("reverse", 1, 1000, values.data()));
  for (int i = 0; i < 1000; ++i) CHECK_EQUAL(values[i], 999 - i);
}

TEST(hiprtc_device_variables) {
  Module module;
  if (!module) return;
  int out = 0;
  CHECK(!module.launch("count_launch", 1, 1, &out));
  CHECK(!module.launch("count_launch", 1, 1, &out));
  CHECK_EQUAL(out, 102);
  const GlobalVariable* launches = module.code().find_global("launches");
  CHECK(launches != nullptr && *static_cast<int*>(launches->address) == 102);
}

TEST(hiprtc_overrun_names_the_thread) {
  Module module;
  if (!module) return;
  InaccessiblePage page;
  const int bytes = static_cast<int>(InaccessiblePage::kBytes);
  const FaultReport fault = module.launch("overrun", 3, 32, page.accessible(), bytes);
  CHECK(fault.kind == FaultKind::illegal_address);
  CHECK_EQUAL(fault.address, reinterpret_cast<uintptr_t>(page.address()));
  CHECK_EQUAL(fault.kernel, std::string("overrun"));
  CHECK(fault.access == AccessKind::write && fault.thread_known);
  CHECK_EQUAL(fault.thread.x, 5u);
}

TEST(hiprtc_division_by_zero) {
  Module module;
  if (!module) return;
  std::vector<int> out(64);
  CHECK(!module.launch("divide", 1, 64, out.data(), 0));
  for (int quotient : out) CHECK_EQUAL(quotient, -1);
}

TEST(hiprtc_damaged_code_is_invalid) {
  if (compiled().empty()) return;
  std::vector<unsigned char> image = compiled();
  std::mt19937 random(4);
  for (int i = 0; i < repetitions(2000); ++i) {
    const size_t at = random() % image.size();
    const auto flip = static_cast<unsigned char>(1 + random() % 255);
    image[at] ^= flip;
    CHECK(CodeObject::load(image.data()).error != hipSuccess);
    image[at] ^= flip;
  }
}

}  // namespace
}  // namespace greta::sim
