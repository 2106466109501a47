// Code objects, the functions and variables in them.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <mutex>
#include <vector>

#include "api/function_handles.h"
#include "api/generated/impl.h"
#include "device/address_map.h"
#include "device/device.h"
#include "device/launch.h"
#include "device/log.h"
#include "device/memory.h"

namespace greta::api {

using sim::CodeObject;
using sim::FunctionRef;

namespace {

struct Module {
  std::shared_ptr<CodeObject> code;
  std::vector<sim::AllocationRef> variables;
  std::mutex mutex;
  std::map<std::string, hipFunction_t, std::less<>> functions;

  ~Module() {
    for (const auto& variable : variables) sim::release(variable);
  }
};

sim::HandleTable<Module>& module_table() {
  static auto* const table = new sim::HandleTable<Module>(3);
  return *table;
}

// Variables of a module are device memory: copies and pointer queries must know them.
void adopt_variables(Module& module) {
  for (const sim::GlobalVariable& variable : module.code->globals()) {
    if (variable.bytes == 0) continue;
    const sim::Span span{reinterpret_cast<uintptr_t>(variable.address), variable.bytes};
    auto adopted = sim::adopt(sim::MemoryKind::module, sim::current_ordinal(), span, 0);
    if (adopted.allocation) module.variables.push_back(adopted.allocation);
  }
}

hipError_t load(hipModule_t* out, const void* image) {
  if (!out || !image) return hipErrorInvalidValue;
  *out = nullptr;
  sim::CodeObjectLoad loaded = CodeObject::load(image);
  if (loaded.error != hipSuccess) {
    sim::log_line(1, "hip_module.cpp", "%s", loaded.message.c_str());
    return loaded.error;
  }
  auto module = std::make_shared<Module>();
  module->code = std::move(loaded.code_object);
  adopt_variables(*module);
  *out = static_cast<hipModule_t>(module_table().add(std::move(module)));
  return hipSuccess;
}

// A file's contents, followed by an unmapped page at the latest: a header that claims more than
// the file holds is found out by the loader's checked reads.
class MappedFile {
 public:
  explicit MappedFile(const char* path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat status{};
    found_ = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    bytes_ = found_ ? static_cast<size_t>(status.st_size) : 0;
    if (bytes_) data_ = mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
  }
  ~MappedFile() {
    if (data_ && data_ != MAP_FAILED) munmap(data_, bytes_);
  }
  MappedFile(const MappedFile&) = delete;

  bool found() const { return found_; }
  const void* data() const { return data_ == MAP_FAILED ? nullptr : data_; }

 private:
  bool found_ = false;
  size_t bytes_ = 0;
  void* data_ = nullptr;
};

FunctionRef make_function(const Module& module, hipModule_t handle, const sim::Kernel& kernel) {
  auto function = std::make_shared<sim::Function>();
  function->code = module.code;
  function->kernel = &kernel;
  function->module = handle;
  return function;
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
      return function.max_dynamic_shared.load();
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
  if (!module || !path) return hipErrorInvalidValue;
  const MappedFile file(path);
  if (!file.found()) return hipErrorFileNotFound;
  return file.data() ? load(module, file.data()) : hipErrorInvalidImage;
}

hipError_t hipModuleLoadData(hipModule_t* module, const void* image) { return load(module, image); }

hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned int count,
                               hipJitOption* options, void** values) {
  if (count > 0 && (!options || !values)) return hipErrorInvalidValue;
  return load(module, image);
}

hipError_t hipModuleUnload(hipModule_t handle) {
  const auto module = module_table().remove(handle);
  if (!module) return hipErrorInvalidValue;
  for (int i = 0; i < sim::device_count(); ++i) sim::device_at(i).synchronize();
  for (const auto& entry : module->functions) function_table().remove(entry.second);
  return hipSuccess;
}

hipError_t hipModuleGetFunction(hipFunction_t* out, hipModule_t handle, const char* name) {
  if (!out || !name) return hipErrorInvalidValue;
  *out = nullptr;
  const auto module = module_table().find(handle);
  if (!module) return hipErrorInvalidHandle;
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
  if (!name || (!address && !bytes)) return hipErrorInvalidValue;
  const auto module = module_table().find(handle);
  if (!module) return hipErrorInvalidHandle;
  const sim::GlobalVariable* variable = module->code->find_global(name);
  if (!variable) return hipErrorNotFound;
  if (address) *address = variable->address;
  if (bytes) *bytes = variable->bytes;
  return hipSuccess;
}

hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute attribute, hipFunction_t handle) {
  if (!value || attribute < 0 || attribute >= HIP_FUNC_ATTRIBUTE_MAX) return hipErrorInvalidValue;
  const FunctionRef function = function_from_handle(handle);
  if (!function) return hipErrorInvalidDeviceFunction;
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
  attributes->maxDynamicSharedSizeBytes = function.max_dynamic_shared.load();
  attributes->maxThreadsPerBlock = static_cast<int>(function.kernel->max_block_threads);
  attributes->numRegs = static_cast<int>(function.kernel->vector_registers);
  attributes->sharedSizeBytes = function.kernel->static_shared_bytes;
  return hipSuccess;
}

hipError_t hipFuncSetAttribute(const void* stub, hipFuncAttribute attribute, int value) {
  const StubLookup found = function_from_any(stub);
  if (!found.function) return found.error;
  if (attribute != hipFuncAttributeMaxDynamicSharedMemorySize) return hipSuccess;
  if (value < 0 || value > static_cast<int>(sim::kSharedBytesPerBlock)) return hipErrorInvalidValue;
  found.function->max_dynamic_shared = value;
  return hipSuccess;
}

// Hints about caches and banks, which are not simulated.
hipError_t hipFuncSetCacheConfig(const void*, hipFuncCache_t) { return hipSuccess; }
hipError_t hipFuncSetSharedMemConfig(const void*, hipSharedMemConfig) { return hipSuccess; }

}  // namespace greta::api
