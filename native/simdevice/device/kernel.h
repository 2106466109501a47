// A kernel of a loaded code object: what a launch needs to know about it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "simt/launch_abi.h"

namespace greta::sim {

class CodeObject;

enum class ArgumentKind : uint8_t {
  by_value,
  global_buffer,           // a pointer to device memory
  dynamic_shared_pointer,  // a pointer into __shared__ memory
  hidden,                  // hidden_*: not among kernelParams
  other,                   // image, sampler, pipe, queue
};

struct KernelArgument {
  uint32_t offset = 0;  // in the kernarg segment
  uint32_t size = 0;
  ArgumentKind kind = ArgumentKind::by_value;
  std::string value_kind;  // as the note spells it
  std::string name;        // may be empty, as are those below
  std::string type_name;
  std::string actual_access;  // read_only, write_only, read_write
  bool is_const = false;
};

struct Kernel {
  std::string name;                       // mangled, without ".kd"
  std::string symbol;                     // with ".kd"
  std::vector<KernelArgument> arguments;  // in parameter order, hidden ones last
  uint32_t kernarg_bytes = 0;             // hidden arguments included
  uint32_t kernarg_alignment = 8;
  uint32_t static_shared_bytes = 0;
  uint32_t private_bytes = 0;
  uint32_t max_block_threads = 1024;
  uint32_t vector_registers = 0;
  uint32_t scalar_registers = 0;

  // May be replaced by a native function with the same ABI before the first launch.
  greta_simt_entry entry = nullptr;

  // The code object this kernel came from; null for kernels that are part of the process.
  const CodeObject* code_object = nullptr;

  // What one block of this kernel cost lately, 0 before the first launch. The executor's own
  // memory, by which it decides whether a launch is worth waking other cores for.
  mutable std::atomic<uint32_t> block_nanoseconds{0};

  // The number of kernelParams: the arguments that are not hidden.
  size_t explicit_argument_count() const {
    size_t count = 0;
    for (const KernelArgument& argument : arguments) count += argument.kind != ArgumentKind::hidden;
    return count;
  }
};

}  // namespace greta::sim
