// A kernel of a loaded module, as the program holds it (hipFunction_t). Keeps its code loaded while
// launches of it are queued, also past hipModuleUnload.
#pragma once

#include <hip/hip_runtime_api.h>

#include <atomic>
#include <memory>

#include "device/code_object.h"

namespace greta::sim {

struct Function : std::enable_shared_from_this<Function> {
  std::shared_ptr<CodeObject> code;
  const Kernel* kernel = nullptr;
  hipModule_t module = nullptr;  // null for kernels registered by compiled programs
  std::atomic<int> max_dynamic_shared{65536};
};

using FunctionRef = std::shared_ptr<Function>;

}  // namespace greta::sim
