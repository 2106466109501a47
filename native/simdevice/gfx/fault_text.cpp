#include "gfx/fault_text.h"

#include <algorithm>
#include <cstdio>

#include "codeobject/readable_name.h"
#include "device/address_map.h"
#include "gfx/lines.h"

namespace greta::sim::gfx {
namespace {

std::string hex(uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string count_of(uint64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

std::string position(const Dim3& at) {
  return std::to_string(at.x) + "," + std::to_string(at.y) + "," + std::to_string(at.z);
}

const char* word_of(isa::AccessKind kind) {
  switch (kind) {
    case isa::AccessKind::read:
      return "read";
    case isa::AccessKind::write:
      return "write";
    default:
      return "atomic update";
  }
}

// The allocation or variable that an address is nearest to, and how it lies to it.
struct Nearest {
  uintptr_t begin = 0;
  size_t bytes = 0;
  std::string name;
  uint64_t distance = ~uint64_t{0};

  void consider(uintptr_t at, size_t size, const std::string& what, uint64_t address) {
    const uint64_t away = address < at          ? at - address
                          : address - at < size ? 0
                                                : address - at - size;
    if (away >= distance) return;
    *this = {at, size, what, away};
  }
};

constexpr uint64_t kNear = uint64_t{1} << 32;

Nearest nearest_to(uint64_t address, const LoadedModule& module) {
  Nearest nearest;
  for (const AllocationRef& allocation : address_map().all()) {
    nearest.consider(allocation->base, allocation->bytes, "buffer", address);
  }
  for (const Object& object : module.objects()) {
    if (object.is_compilers_own()) continue;
    nearest.consider(object.begin, object.bytes, "variable " + object.name, address);
  }
  return nearest;
}

std::string relation(const isa::Fault& fault, const LoadedModule& module) {
  const Nearest nearest = nearest_to(fault.address, module);
  if (nearest.distance >= kNear) return "near no memory of the device";
  const std::string what =
      "the " + nearest.name + " of " + count_of(nearest.bytes) + " at " + hex(nearest.begin);
  const uintptr_t end = nearest.begin + nearest.bytes;
  if (fault.address < nearest.begin) {
    return count_of(nearest.begin - fault.address) + " before the beginning of " + what;
  }
  if (fault.address >= end) {
    return count_of(fault.address - end) + " past the end of " + what;
  }
  if (fault.bytes > end - fault.address) return "across the end of " + what;
  return "inside " + what + ", which may not be accessed so";
}

std::string what_happened(const isa::Fault& fault, const KernelCode& code) {
  const std::string access = std::string(word_of(fault.access)) + " of " + count_of(fault.bytes);
  switch (fault.kind) {
    case isa::FaultKind::memory:
      return access + " at " + hex(fault.address) + ", " + relation(fault, code.module());
    case isa::FaultKind::lds:
      return access + " at byte " + std::to_string(fault.address) +
             " of the block's shared memory, beyond its end";
    case isa::FaultKind::scratch:
      return access + " at byte " + std::to_string(fault.address) +
             " of the thread's private memory, beyond its end";
    case isa::FaultKind::trap:
      return "trap";
    default:
      break;
  }
  for (const isa::Program::Refused& function : code.program().refused) {
    if (function.byte == fault.address - code.code_begin()) {
      return "call of a function that cannot be run: " + function.reason;
    }
  }
  return "the program counter left the code";
}

// ", file.cpp:12"; empty where the code object does not tell.
std::string line_of(const isa::Step& step, const KernelCode& code) {
  const LoadedModule& module = code.module();
  const SourceLine line =
      find_line(module.file(), module.file_address(code.code_begin() + step.offset));
  return line.file.empty() || line.line == 0 ? ""
                                             : ", " + line.file + ":" + std::to_string(line.line);
}

}  // namespace

std::string text_of_fault(const isa::Fault& fault, const FaultPlace& place) {
  std::string text = what_happened(fault, place.code) + ", by thread " + position(place.thread) +
                     " of block " + position(place.block) + " of " +
                     codeobject::readable_name(place.kernel);
  const auto& steps = place.code.program().steps;
  if (fault.step >= steps.size()) return text;
  const isa::Step& step = steps[fault.step];
  text += line_of(step, place.code);
  if (step.instruction.row != nullptr) {
    text += ", " + isa::text_of(step.instruction, place.code.module().architecture());
  }
  return text;
}

}  // namespace greta::sim::gfx
