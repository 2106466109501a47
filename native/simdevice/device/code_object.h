// Loads code objects: from whatever image a program hands to hipModuleLoadData or registers, to
// kernels that can be launched and device variables that can be looked up.
//
// Accepted: an x86-64 shared object made by our hipRTC, or machine code for gfx942, bare or in a
// clang offload bundle, compressed or not.
// No binary for this device (209): code for other GPUs.
// Invalid image (200): everything else. A corrupt image never crashes the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "device/hip_error.h"
#include "device/kernel.h"

namespace greta::sim {

struct GlobalVariable {
  std::string name;
  void* address = nullptr;
  size_t bytes = 0;
};

// A mapped part of the code object.
struct CodeObjectSegment {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  bool writable = false;  // holds device variables: device memory in the eyes of the program
};

class CodeObject;
namespace gfx {
class Module;
}

struct CodeObjectLoad {
  hipError_t error = hipErrorInvalidImage;
  std::string message;  // why it failed
  std::unique_ptr<CodeObject> code_object;
};

// One loaded instance. Two loads of one image have separate device variables.
class CodeObject {
 public:
  // `image` comes without a size, as in hipModuleLoadData; it may point at anything.
  static CodeObjectLoad load(const void* image);

  // Unloads. No launch of its kernels may be running or queued.
  ~CodeObject();

  CodeObject(const CodeObject&) = delete;
  CodeObject& operator=(const CodeObject&) = delete;

  const Kernel* find_kernel(std::string_view name) const;
  Kernel* find_kernel(std::string_view name);
  const GlobalVariable* find_global(std::string_view name) const;

  // Kernels keep their address as long as the code object lives.
  const std::deque<Kernel>& kernels() const { return kernels_; }
  const std::vector<GlobalVariable>& globals() const { return globals_; }
  const std::vector<CodeObjectSegment>& segments() const { return segments_; }

  uintptr_t load_address() const { return load_address_; }
  // The file it was loaded from: what the addresses of its instructions mean is in there.
  const std::shared_ptr<const std::vector<unsigned char>>& file() const { return file_; }

  bool contains(uintptr_t address, size_t bytes) const;

  // The calling thread's instance of the code object's thread-local block, which holds its
  // __shared__ variables. False while the thread has not touched it yet.
  bool find_thread_block(CodeObjectSegment* block) const;

 private:
  friend class CodeObjectLoader;
  CodeObject() = default;

  void* handle_ = nullptr;
  std::shared_ptr<const gfx::Module> machine_code_;
  uintptr_t load_address_ = 0;
  size_t thread_block_bytes_ = 0;
  std::shared_ptr<const std::vector<unsigned char>> file_;
  std::deque<Kernel> kernels_;
  std::vector<GlobalVariable> globals_;
  std::vector<CodeObjectSegment> segments_;
};

}  // namespace greta::sim
