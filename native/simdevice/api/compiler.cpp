// What compilers emit into programs with <<<>>>: registration before main, launch configuration.
//
// Registration only takes notes; the code object is loaded when one of its kernels or variables is
// first used, because this runs before the program and perhaps without a device.
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "api/adopted_variables.h"
#include "api/function_handles.h"
#include "api/generated/impl.h"
#include "api/registered_variables.h"
#include "codeobject/fat_binary.h"
#include "device/device.h"
#include "device/log.h"
#include "device/memory.h"
#include "device/thread_object.h"

namespace greta::api {

using sim::FunctionRef;

namespace {

struct ManagedVariable {
  std::string name;
  void* memory;
};

struct FatBinary {
  const void* image = nullptr;
  bool registered = true;
  bool tried = false;
  hipError_t error = hipSuccess;
  std::shared_ptr<sim::CodeObject> code;
  std::vector<ManagedVariable> managed;
  AdoptedVariables variables;
};

struct RegisteredFunction {
  FatBinary* binary;
  std::string name;
  FunctionRef function;
  hipFunction_t handle = nullptr;  // made when it is asked for
};

struct RegisteredVariable {
  FatBinary* binary;
  std::string name;
};

struct Registry {
  std::mutex mutex;
  std::vector<std::unique_ptr<FatBinary>> binaries;
  std::map<const void*, RegisteredFunction> functions;
  std::map<const void*, RegisteredVariable> variables;
};

Registry& registry() {
  static auto* const instance = new Registry;
  return *instance;
}

struct CallConfiguration {
  dim3 grid;
  dim3 block;
  size_t shared_bytes;
  hipStream_t stream;
  std::vector<char> arguments = {};  // of hipSetupArgument
};

std::vector<CallConfiguration>& configurations() {
  return sim::ThreadObject<std::vector<CallConfiguration>>::get();
}

// Null for what __hipRegisterFatBinary did not give, or has been taken back.
FatBinary* find_binary(const void* modules) {
  for (const auto& binary : registry().binaries) {
    if (binary.get() == modules && binary->registered) return binary.get();
  }
  return nullptr;
}

// Device code sees a managed variable through a pointer of the same name.
void connect_managed(FatBinary& binary) {
  for (const ManagedVariable& managed : binary.managed) {
    const sim::GlobalVariable* variable = binary.code->find_global(managed.name);
    if (variable && variable->bytes == sizeof(void*)) {
      std::memcpy(variable->address, &managed.memory, sizeof(void*));
    }
  }
}

std::map<std::string, const void*, std::less<>> symbols_of(const FatBinary& binary) {
  std::map<std::string, const void*, std::less<>> symbols;
  for (const auto& [symbol, variable] : registry().variables) {
    if (variable.binary == &binary) symbols[variable.name] = symbol;
  }
  return symbols;
}

hipError_t ensure_loaded(FatBinary& binary) {
  if (binary.tried) return binary.error;
  binary.tried = true;
  sim::CodeObjectLoad loaded = sim::CodeObject::load(binary.image);
  binary.error = loaded.error;
  if (loaded.error != hipSuccess) {
    sim::log_line(0, "hip_fatbin.cpp", "%s", loaded.message.c_str());
    return loaded.error;
  }
  binary.code = std::move(loaded.code_object);
  binary.variables.adopt(*binary.code, 0, symbols_of(binary));
  connect_managed(binary);
  return hipSuccess;
}

hipError_t ensure_found(RegisteredFunction& entry) {
  if (entry.function) return hipSuccess;
  if (const hipError_t error = ensure_loaded(*entry.binary)) return error;
  const sim::Kernel* kernel = entry.binary->code->find_kernel(entry.name);
  if (!kernel) return hipErrorInvalidDeviceFunction;
  entry.function = std::make_shared<sim::Function>();
  entry.function->code = entry.binary->code;
  entry.function->kernel = kernel;
  return hipSuccess;
}

}  // namespace

StubLookup function_from_host_stub(const void* stub) {
  std::lock_guard<std::mutex> lock(registry().mutex);
  auto it = registry().functions.find(stub);
  if (it == registry().functions.end()) return {hipErrorInvalidDeviceFunction, nullptr};
  const hipError_t error = ensure_found(it->second);
  return {error, it->second.function};
}

hipError_t handle_from_host_stub(const void* stub, hipFunction_t* handle) {
  std::lock_guard<std::mutex> lock(registry().mutex);
  auto it = registry().functions.find(stub);
  if (it == registry().functions.end()) return hipErrorInvalidDeviceFunction;
  RegisteredFunction& entry = it->second;
  if (const hipError_t error = ensure_found(entry)) return error;
  if (!entry.handle)
    entry.handle = static_cast<hipFunction_t>(function_table().add(entry.function));
  *handle = entry.handle;
  return hipSuccess;
}

StubLookup function_from_any(const void* handle_or_stub) {
  if (FunctionRef function = function_table().find(handle_or_stub)) return {hipSuccess, function};
  return function_from_host_stub(handle_or_stub);
}

VariableLookup find_registered_variable(const void* symbol) {
  std::lock_guard<std::mutex> lock(registry().mutex);
  auto it = registry().variables.find(symbol);
  if (it == registry().variables.end()) return {hipErrorInvalidSymbol, nullptr, 0};
  if (const hipError_t error = ensure_loaded(*it->second.binary)) return {error, nullptr, 0};
  const sim::GlobalVariable* found = it->second.binary->code->find_global(it->second.name);
  if (!found) return {hipErrorInvalidSymbol, nullptr, 0};
  return {hipSuccess, found->address, found->bytes};
}

void** __hipRegisterFatBinary(const void* data) {
  const auto* wrapper = static_cast<const codeobject::FatBinaryWrapper*>(data);
  if (!wrapper || !wrapper->is_valid()) {
    sim::log_line(1, "hip_platform.cpp", "Cannot Register fat binary. FatMagic: %u version: %u ",
                  wrapper ? wrapper->magic : 0, wrapper ? wrapper->version : 0);
    return nullptr;
  }
  std::lock_guard<std::mutex> lock(registry().mutex);
  registry().binaries.push_back(std::make_unique<FatBinary>());
  registry().binaries.back()->image = wrapper->binary;
  return reinterpret_cast<void**>(registry().binaries.back().get());
}

void __hipRegisterFunction(void** modules, const void* stub, char*, const char* name, unsigned int,
                           void*, void*, dim3*, dim3*, int*) {
  if (!stub || !name) return;
  std::lock_guard<std::mutex> lock(registry().mutex);
  FatBinary* const binary = find_binary(modules);
  if (binary) registry().functions[stub] = {binary, name, nullptr, nullptr};
}

void __hipRegisterVar(void** modules, void* variable, char*, char* name, int, size_t, int, int) {
  if (!variable || !name) return;
  std::lock_guard<std::mutex> lock(registry().mutex);
  FatBinary* const binary = find_binary(modules);
  if (binary) registry().variables[variable] = {binary, name};
}

void __hipRegisterManagedVar(void* module, void** pointer, void* initial, const char* name,
                             size_t bytes, unsigned int) {
  if (!pointer || !name || bytes == 0) return;
  std::lock_guard<std::mutex> lock(registry().mutex);
  FatBinary* const binary = find_binary(module);
  if (!binary) return;
  const auto result = sim::allocate_host(sim::MemoryKind::managed, 0, bytes, hipMemAttachGlobal);
  if (result.error != hipSuccess) return;
  *pointer = reinterpret_cast<void*>(result.allocation->base);
  if (initial) std::memcpy(*pointer, initial, bytes);
  binary->managed.push_back({name, *pointer});
}

// The code stays loaded: this runs while the program exits, when others may still be about to.
void __hipUnregisterFatBinary(void** modules) {
  if (!modules) return;
  for (int i = 0; i < sim::device_count(); ++i) sim::device_at(i).synchronize();
  std::lock_guard<std::mutex> lock(registry().mutex);
  FatBinary* const binary = find_binary(modules);
  if (!binary) return;
  binary->registered = false;
  for (const auto& entry : registry().functions) {
    if (entry.second.binary == binary) function_table().remove(entry.second.handle);
  }
  binary->variables.release();
  auto forget = [&](auto& entries) {
    for (auto it = entries.begin(); it != entries.end();) {
      it = it->second.binary == binary ? entries.erase(it) : std::next(it);
    }
  };
  forget(registry().functions);
  forget(registry().variables);
}

hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                      hipStream_t stream) {
  configurations().push_back({grid, block, shared_bytes, stream});
  return hipSuccess;
}

hipError_t __hipPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes,
                                     hipStream_t* stream) {
  if (configurations().empty()) return hipErrorMissingConfiguration;
  const CallConfiguration top = configurations().back();
  configurations().pop_back();
  if (grid) *grid = top.grid;
  if (block) *block = top.block;
  if (shared_bytes) *shared_bytes = top.shared_bytes;
  if (stream) *stream = top.stream;
  return hipSuccess;
}

// How compilers before 2018 launched: a configuration, its arguments one by one, the launch.
hipError_t hipConfigureCall(dim3 grid, dim3 block, size_t shared_bytes, hipStream_t stream) {
  return api::__hipPushCallConfiguration(grid, block, shared_bytes, stream);
}

hipError_t hipSetupArgument(const void* argument, size_t bytes, size_t offset) {
  constexpr size_t kMostBytes = 1 << 20;
  if (configurations().empty()) return hipErrorMissingConfiguration;
  if (!argument || bytes > kMostBytes || offset > kMostBytes) return hipErrorInvalidValue;
  std::vector<char>& all = configurations().back().arguments;
  if (all.size() < offset + bytes) all.resize(offset + bytes);
  std::memcpy(all.data() + offset, argument, bytes);
  return hipSuccess;
}

hipError_t hipLaunchByPtr(const void* stub) {
  if (configurations().empty()) return hipErrorMissingConfiguration;
  CallConfiguration top = std::move(configurations().back());
  configurations().pop_back();
  hipFunction_t function = nullptr;
  if (const hipError_t error = handle_from_host_stub(stub, &function)) return error;
  size_t bytes = top.arguments.size();
  void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, top.arguments.data(),
                   HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes, HIP_LAUNCH_PARAM_END};
  return api::hipModuleLaunchKernel(
      function, top.grid.x, top.grid.y, top.grid.z, top.block.x, top.block.y, top.block.z,
      static_cast<unsigned>(top.shared_bytes), top.stream, nullptr, bytes ? extra : nullptr);
}

// Empty on purpose: called on every failing call, for tools to take over.
void __hipOnError(const void*) {}

}  // namespace greta::api
