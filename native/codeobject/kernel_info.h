// What a code object tells about a kernel: its name, and how its arguments lie.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace greta::codeobject {

enum class ArgumentKind : uint8_t {
  by_value,                // may hold pointers, in a struct: the note does not tell
  global_buffer,           // a pointer to device memory
  dynamic_shared_pointer,  // a pointer into __shared__ memory
  hidden,                  // hidden_*: filled in by the runtime, not among kernelParams
  other,                   // image, sampler, pipe, queue
};

struct ArgumentInfo {
  uint32_t offset = 0;  // in the kernarg segment
  uint32_t bytes = 0;
  ArgumentKind kind = ArgumentKind::by_value;
  std::string value_kind;  // as the note spells it
  std::string name;        // may be empty, as are those below
  std::string type_name;
  std::string access;  // read_only, write_only, read_write, where the compiler could prove it
  bool is_const = false;
};

struct KernelInfo {
  std::string name;                     // mangled, without ".kd"
  std::string symbol;                   // with ".kd"
  std::vector<ArgumentInfo> arguments;  // in parameter order, hidden ones last
  uint32_t kernarg_bytes = 0;           // hidden arguments included
  uint32_t kernarg_alignment = 8;
  uint32_t static_shared_bytes = 0;
  uint32_t private_bytes = 0;
  uint32_t max_block_threads = 1024;
  uint32_t vector_registers = 0;
  uint32_t scalar_registers = 0;
  uint32_t accumulation_registers = 0;  // among the vector registers
  uint32_t vector_spills = 0;
  uint32_t scalar_spills = 0;
  uint32_t wave_threads = 64;

  // The number of kernelParams: the arguments that are not hidden.
  size_t explicit_argument_count() const {
    size_t count = 0;
    for (const ArgumentInfo& argument : arguments) count += argument.kind != ArgumentKind::hidden;
    return count;
  }

  // Where the last argument that a program gives ends.
  size_t explicit_bytes() const {
    size_t end = 0;
    for (const ArgumentInfo& argument : arguments) {
      if (argument.kind == ArgumentKind::hidden) continue;
      end = std::max(end, size_t{argument.offset} + argument.bytes);
    }
    return end;
  }
};

}  // namespace greta::codeobject
