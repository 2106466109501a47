// A gfx942 code object in memory: its segments, relocated, the kernels and variables in it.
//
// Lies at addresses of the host, since the engine accesses memory there. Nothing in a file can
// harm the process: what does not fit is refused with a reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "device/fault_report.h"

namespace greta::sim {
struct KernelLaunch;
}

namespace greta::sim::gfx {

class KernelCode;
class Launch;

struct Object {
  std::string name;
  uintptr_t begin = 0;
  size_t bytes = 0;
  bool global = false;  // can be looked up by name

  // Descriptors of kernels and names of compilations: no variables of a program.
  bool is_compilers_own() const {
    const bool descriptor = name.size() > 3 && name.compare(name.size() - 3, 3, ".kd") == 0;
    return descriptor || name.compare(0, 11, "__hip_cuid_") == 0;
  }
};

struct Segment {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  bool writable = false;
};

class Module {
 public:
  // Null with the reason where it cannot be loaded.
  static std::shared_ptr<const Module> load(std::vector<unsigned char> file, std::string* reason);
  virtual ~Module() = default;

  // The code behind a kernel's descriptor (NAME.kd); null where there is none. Lives as long as
  // the module.
  virtual const KernelCode* find_kernel(std::string_view descriptor) const = 0;
  virtual const std::vector<Object>& objects() const = 0;
  virtual const std::vector<Segment>& segments() const = 0;
  // Where address 0 of the file lies.
  virtual uintptr_t load_address() const = 0;
  virtual const std::vector<unsigned char>& file() const = 0;
};

// Decodes the kernel, at its first launch. False with the reason where an instruction is not
// known to the engine.
bool prepare(const KernelCode& code, std::string* reason);

// The instructions of the kernel whose results may differ from hardware's in the last bits, with
// commas between; empty if there are none. After prepare.
std::string approximate_instructions(const KernelCode& code);

// What a block of a launch asks of whoever runs it.
class BlockOwner {
 public:
  virtual ~BlockOwner() = default;
  // Asked now and then: ends a kernel that never would. Blocks that have not begun are given a
  // chance, where this one may wait for them.
  virtual bool should_stop() = 0;
  // Waits for all blocks of the launch. False where they cannot come.
  virtual bool pass_grid_barrier() = 0;
};

// One launch while it runs; the threads that run its blocks share it.
class Launch {
 public:
  static std::unique_ptr<Launch> begin(const KernelLaunch& launch);
  virtual ~Launch() = default;

  // Runs the block with this linear index on the calling thread; false with a fault.
  virtual bool run(uint64_t block_index, BlockOwner& owner, FaultReport* fault) = 0;
};

}  // namespace greta::sim::gfx
