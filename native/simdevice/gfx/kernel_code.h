// A kernel of a gfx942 module: its descriptor, and its program once it is decoded.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "isa/program.h"

namespace greta::sim::gfx {

class LoadedModule;

// As in the code object, 64 bytes.
struct KernelDescriptor {
  uint32_t group_segment_bytes;
  uint32_t private_segment_bytes;
  uint32_t kernarg_bytes;
  uint32_t reserved0;
  int64_t entry_offset;  // from the descriptor
  uint32_t reserved1[5];
  uint32_t rsrc3;
  uint32_t rsrc1;
  uint32_t rsrc2;
  uint16_t properties;
  uint16_t kernarg_preload;
  uint32_t reserved2;

  enum : uint16_t {
    kDispatchPointer = 1 << 1,
    kQueuePointer = 1 << 2,
    kKernargPointer = 1 << 3,
    kDispatchId = 1 << 4,
    kFlatScratchInit = 1 << 5,
    kPrivateSegmentSize = 1 << 6,
    kWave32 = 1 << 10,
    kDynamicStack = 1 << 11,
  };
  bool has(uint16_t property) const { return (properties & property) != 0; }
  uint32_t user_sgprs() const { return rsrc2 >> 1 & 31; }
  // Rounding, denormals and what is too large (FP16_OVFL), as the register MODE has them.
  uint32_t float_mode() const { return (rsrc1 >> 12 & 0xff) | (rsrc1 >> 26 & 1) << 23; }
};
static_assert(sizeof(KernelDescriptor) == 64);

// Where a wave is in ROCm's malloc and free: before it knows what for, and when memory was found.
enum class HeapPoint : uint8_t { wrapper, allocates, has_allocated, frees };

class KernelCode {
 public:
  KernelCode(const LoadedModule& module, const KernelDescriptor& descriptor, uintptr_t entry)
      : module_(module), descriptor_(descriptor), entry_(entry) {}

  const LoadedModule& module() const { return module_; }
  const KernelDescriptor& descriptor() const { return descriptor_; }

  // Decodes at the first call. False with the reason where it cannot be run.
  bool prepare(std::string* reason) const;
  // After prepare.
  const isa::Program& program() const { return program_; }
  uintptr_t code_begin() const { return code_begin_; }
  uint32_t entry_step() const { return entry_step_; }
  // By step; they are marked.
  const std::map<uint32_t, HeapPoint>& heap_points() const { return heap_points_; }

 private:
  void decode() const;
  void mark_heap() const;

  const LoadedModule& module_;
  const KernelDescriptor descriptor_;
  const uintptr_t entry_;
  mutable std::once_flag once_;
  mutable isa::Program program_;
  mutable std::string problem_;
  mutable uintptr_t code_begin_ = 0;
  mutable uint32_t entry_step_ = 0;
  mutable std::map<uint32_t, HeapPoint> heap_points_;
};

}  // namespace greta::sim::gfx
