// A kernel of a loaded code object: what a launch needs to know about it.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "codeobject/kernel_info.h"
#include "simt/launch_abi.h"

namespace greta::sim {

class CodeObject;
namespace gfx {
class KernelCode;
}

using codeobject::ArgumentKind;
using KernelArgument = codeobject::ArgumentInfo;

struct Kernel : codeobject::KernelInfo {
  Kernel() = default;
  explicit Kernel(codeobject::KernelInfo info) : KernelInfo(std::move(info)) {}

  // May be replaced by a native function with the same ABI before the first launch.
  greta_simt_entry entry = nullptr;

  // In place of an entry: machine code of the GPU, which the instruction engine runs.
  const gfx::KernelCode* machine_code = nullptr;

  // The code object this kernel came from; null for kernels that are part of the process.
  const CodeObject* code_object = nullptr;

  // Its accesses come by check_access, all of them.
  bool notes_accesses = false;

  // What one block of this kernel cost lately, 0 before the first launch. The executor's own
  // memory, by which it decides whether a launch is worth waking other cores for.
  mutable std::atomic<uint32_t> block_nanoseconds{0};
};

}  // namespace greta::sim
