// Loaded code objects and their kernels: from the handle or address a program launches by to how
// the kernel's arguments lie.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "codeobject/module_reader.h"
#include "recorder/hooks/kernel_arguments.h"

namespace greta::recorder {

class Modules {
 public:
  void loaded(const void* module, const void* image);
  void loaded_file(const void* module, const void* path);
  void unloaded(const void* module);
  void found_function(const void* function, const void* module, const void* name);
  // Another handle of the same kernel.
  void same_kernel(const void* function, const void* known);

  // Code compiled into the program: __hipRegisterFatBinary and __hipRegisterFunction.
  void registered_binary(const void* module, const void* wrapper);
  void registered_function(const void* module, const void* stub, const void* name);

  // Null if nothing is known of it.
  const KernelLayout* find(const void* function);
  // Changes whenever a handle may have come to mean something else.
  uint32_t epoch() const { return epoch_.load(std::memory_order_acquire); }

  // In a forked child: what is known is written again when it is launched, into the child's own
  // recording. If another thread was at it, all is forgotten, and left where it is.
  void forget();

 private:
  struct Module {
    uint32_t id;  // 0: not in this recording yet
    const void* handle;
    codeobject::ModuleInfo info;
    std::string file;
    std::map<std::string, const KernelLayout*> kernels;  // those asked for
  };

  void add(const void* module, codeobject::ModuleInfo info, const void* file);
  static void write(const Module& module);
  const KernelLayout* layout_of(Module& module, const std::string& name, const void* function);

  std::mutex mutex_;
  std::atomic<uint32_t> epoch_{1};
  uint32_t modules_seen_ = 0;
  uint32_t kernels_seen_ = 0;
  std::unordered_map<const void*, std::unique_ptr<Module>> modules_;
  struct Function {
    const void* module;
    const KernelLayout* layout;  // null: not in this recording yet
    std::string name;
  };
  std::unordered_map<const void*, Function> functions_;
};

Modules& modules();

// For launches: through a cache of the thread's own.
const KernelLayout* kernel_of_function(const void* function);
// The same: handles and addresses of stubs are in one table.
inline const KernelLayout* kernel_of_either(const void* function) {
  return kernel_of_function(function);
}

}  // namespace greta::recorder
