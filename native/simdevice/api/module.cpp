// Code objects, the functions and variables in them.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <mutex>
#include <vector>

#include "api/adopted_variables.h"
#include "api/function_handles.h"
#include "api/generated/impl.h"
#include "device/address_map.h"
#include "device/device.h"
#include "device/fault.h"
#include "device/launch.h"
#include "device/log.h"

namespace greta::api {

using sim::CodeObject;
using sim::FunctionRef;

namespace {

struct Module {
  std::shared_ptr<CodeObject> code;
  AdoptedVariables variables;
  std::mutex mutex;
  std::map<std::string, hipFunction_t, std::less<>> functions;
};

sim::HandleTable<Module>& module_table() {
  static auto* const table = new sim::HandleTable<Module>(3);
  return *table;
}

hipError_t load(hipModule_t* out, const void* image) {
  if (!out || !image) return hipErrorInvalidValue;
  *out = nullptr;
  sim::CodeObjectLoad loaded = CodeObject::load(image);
  if (loaded.error != hipSuccess) {
    sim::log_line(0, "hip_module.cpp", "%s", loaded.message.c_str());
    return loaded.error;
  }
  auto module = std::make_shared<Module>();
  module->code = std::move(loaded.code_object);
  module->variables.adopt(*module->code, sim::current_ordinal());
  *out = static_cast<hipModule_t>(module_table().add(std::move(module)));
  return hipSuccess;
}

constexpr size_t kMostFileBytes = size_t{1} << 30;

bool read_all(int file, char* to, size_t bytes) {
  while (bytes > 0) {
    const ssize_t count = read(file, to, bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    to += count;
    bytes -= static_cast<size_t>(count);
  }
  return true;
}

// A copy of a file that ends where readable memory ends: a header that claims more than the file
// holds is found out by the loader's checked reads.
class FileContents {
 public:
  explicit FileContents(const char* path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat status{};
    found_ = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    const size_t bytes = found_ ? static_cast<size_t>(status.st_size) : 0;
    if (bytes > 0 && bytes <= kMostFileBytes) take(file, bytes);
    close(file);
  }
  ~FileContents() {
    if (pages_ != MAP_FAILED) munmap(pages_, mapped_);
  }
  FileContents(const FileContents&) = delete;

  bool found() const { return found_; }
  // Null if the file is empty, too large, or cannot be read.
  const void* data() const { return data_; }

 private:
  void take(int file, size_t bytes) {
    const size_t whole = (bytes + sim::kPageBytes - 1) / sim::kPageBytes * sim::kPageBytes;
    mapped_ = whole + sim::kPageBytes;
    pages_ = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages_ == MAP_FAILED || mprotect(pages_, whole, PROT_READ | PROT_WRITE) != 0) return;
    char* const begin = static_cast<char*>(pages_) + whole - bytes;
    if (read_all(file, begin, bytes)) data_ = begin;
  }

  bool found_ = false;
  size_t mapped_ = 0;
  void* pages_ = MAP_FAILED;
  const void* data_ = nullptr;
};

FunctionRef make_function(const Module& module, hipModule_t handle, const sim::Kernel& kernel) {
  auto function = std::make_shared<sim::Function>();
  function->code = module.code;
  function->kernel = &kernel;
  function->module = handle;
  return function;
}

int left_for_dynamic_shared(const sim::Function& function) {
  const auto fixed = static_cast<int64_t>(function.kernel->static_shared_bytes);
  return static_cast<int>(std::max<int64_t>(0, int64_t{sim::kSharedBytesPerBlock} - fixed));
}

int most_dynamic_shared(const sim::Function& function) {
  return std::min(function.max_dynamic_shared.load(), left_for_dynamic_shared(function));
}

int attribute_value(const sim::Function& function, hipFunction_attribute attribute) {
  const sim::Kernel& kernel = *function.kernel;
  switch (attribute) {
    case HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      return static_cast<int>(kernel.max_block_threads);
    case HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      return static_cast<int>(kernel.static_shared_bytes);
    case HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      return static_cast<int>(kernel.private_bytes);
    case HIP_FUNC_ATTRIBUTE_NUM_REGS:
      return static_cast<int>(kernel.vector_registers);
    case HIP_FUNC_ATTRIBUTE_PTX_VERSION:
    case HIP_FUNC_ATTRIBUTE_BINARY_VERSION:
      return 94;
    case HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      return most_dynamic_shared(function);
    default:
      return 0;
  }
}

}  // namespace

sim::HandleTable<sim::Function>& function_table() {
  static auto* const table = new sim::HandleTable<sim::Function>(4);
  return *table;
}

hipError_t hipModuleLoad(hipModule_t* module, const char* path) {
  if (!module || !path || !*path) return hipErrorInvalidValue;
  *module = nullptr;
  const FileContents file(path);
  if (!file.found()) return hipErrorFileNotFound;
  return file.data() ? load(module, file.data()) : hipErrorInvalidImage;
}

hipError_t hipModuleLoadData(hipModule_t* module, const void* image) { return load(module, image); }

hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned int count,
                               hipJitOption* options, void** values) {
  if (count > 0 && (!options || !values)) return hipErrorInvalidValue;
  return load(module, image);
}

// A fat binary is an image like any other: the part for this device is found in it.
hipError_t hipModuleLoadFatBinary(hipModule_t* module, const void* image) {
  return load(module, image);
}

bool kernels_of(hipModule_t handle, std::vector<std::string>* names) {
  const auto module = module_table().find(handle);
  if (!module) return false;
  for (const sim::Kernel& kernel : module->code->kernels()) names->push_back(kernel.name);
  return true;
}

hipError_t hipModuleGetFunctionCount(unsigned int* count, hipModule_t handle) {
  std::vector<std::string> names;
  if (!count) return hipErrorInvalidValue;
  if (!kernels_of(handle, &names)) return hipErrorInvalidHandle;
  *count = static_cast<unsigned>(names.size());
  return hipSuccess;
}

hipError_t hipModuleUnload(hipModule_t handle) {
  if (!handle) return hipErrorInvalidHandle;
  const auto module = module_table().remove(handle);
  if (!module) return hipErrorNotFound;
  // First out of reach: what is launched from here on is refused. What is queued still needs them.
  std::vector<FunctionRef> queued_perhaps;
  {
    std::lock_guard<std::mutex> lock(module->mutex);
    for (const auto& entry : module->functions) {
      queued_perhaps.push_back(function_table().remove(entry.second));
    }
  }
  for (int i = 0; i < sim::device_count(); ++i) sim::device_at(i).synchronize();
  // A wait that a fault cut short: kernels may still be running. Under handles that nobody has,
  // what they need stays.
  if (sim::device_lost()) {
    module_table().add(module);
    for (const FunctionRef& function : queued_perhaps) function_table().add(function);
  }
  return hipSuccess;
}

hipError_t hipModuleGetFunction(hipFunction_t* out, hipModule_t handle, const char* name) {
  if (!out || !name || !*name) return hipErrorInvalidValue;
  *out = nullptr;
  if (!handle) return hipErrorInvalidHandle;
  const auto module = module_table().find(handle);
  if (!module) return hipErrorNotFound;
  const sim::Kernel* kernel = module->code->find_kernel(name);
  if (!kernel) return hipErrorNotFound;
  std::lock_guard<std::mutex> lock(module->mutex);
  hipFunction_t& function = module->functions[name];
  if (!function) {
    function =
        static_cast<hipFunction_t>(function_table().add(make_function(*module, handle, *kernel)));
  }
  *out = function;
  return hipSuccess;
}

hipError_t hipModuleGetGlobal(hipDeviceptr_t* address, size_t* bytes, hipModule_t handle,
                              const char* name) {
  if (!name || !*name || (!address && !bytes)) return hipErrorInvalidValue;
  if (!handle) return hipErrorInvalidHandle;
  const auto module = module_table().find(handle);
  if (!module) return hipErrorNotFound;
  const sim::GlobalVariable* variable = module->code->find_global(name);
  if (!variable) return hipErrorNotFound;
  if (address) *address = variable->address;
  if (bytes) *bytes = variable->bytes;
  return hipSuccess;
}

hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute attribute, hipFunction_t handle) {
  if (!value || attribute < 0 || attribute >= HIP_FUNC_ATTRIBUTE_MAX) return hipErrorInvalidValue;
  const FunctionRef function = function_from_handle(handle);
  if (!function) return hipErrorInvalidHandle;
  *value = attribute_value(*function, attribute);
  return hipSuccess;
}

hipError_t hipFuncGetAttributes(hipFuncAttributes* attributes, const void* stub) {
  if (!attributes) return hipErrorInvalidValue;
  const StubLookup found = function_from_any(stub);
  if (!found.function) return found.error;
  const sim::Function& function = *found.function;
  *attributes = {};
  attributes->binaryVersion = attribute_value(function, HIP_FUNC_ATTRIBUTE_BINARY_VERSION);
  attributes->ptxVersion = attributes->binaryVersion;
  attributes->localSizeBytes = function.kernel->private_bytes;
  attributes->maxDynamicSharedSizeBytes = most_dynamic_shared(function);
  attributes->maxThreadsPerBlock = static_cast<int>(function.kernel->max_block_threads);
  attributes->numRegs = static_cast<int>(function.kernel->vector_registers);
  attributes->sharedSizeBytes = function.kernel->static_shared_bytes;
  return hipSuccess;
}

hipError_t hipFuncSetAttribute(const void* stub, hipFuncAttribute attribute, int value) {
  const StubLookup found = function_from_any(stub);
  if (!found.function) return found.error;
  if (attribute < 0 || attribute > hipFuncAttributeMax) return hipErrorInvalidValue;
  if (attribute == hipFuncAttributePreferredSharedMemoryCarveout) {
    return value >= -1 && value <= 100 ? hipSuccess : hipErrorInvalidValue;  // percent, or any
  }
  if (attribute != hipFuncAttributeMaxDynamicSharedMemorySize) return hipSuccess;
  if (value < 0 || value > left_for_dynamic_shared(*found.function)) return hipErrorInvalidValue;
  found.function->max_dynamic_shared = value;
  return hipSuccess;
}

// Hints about caches and banks, which are not simulated: only the arguments are checked.
hipError_t hipFuncSetCacheConfig(const void* stub, hipFuncCache_t config) {
  if (!stub) return hipErrorInvalidDeviceFunction;
  if (config > hipFuncCachePreferEqual) return hipErrorInvalidValue;
  const StubLookup found = function_from_any(stub);
  return found.function ? hipSuccess : found.error;
}

hipError_t hipFuncSetSharedMemConfig(const void* stub, hipSharedMemConfig config) {
  if (!stub) return hipErrorInvalidDeviceFunction;
  return config <= hipSharedMemBankSizeEightByte ? hipSuccess : hipErrorInvalidValue;
}

}  // namespace greta::api
