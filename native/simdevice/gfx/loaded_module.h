// Module, as the parts of gfx/ know it.
#pragma once

#include <deque>
#include <map>

#include "codeobject/image_bytes.h"
#include "gfx/kernel_code.h"
#include "gfx/module.h"

namespace greta::sim::gfx {

class LoadedModule final : public Module {
 public:
  LoadedModule() = default;
  ~LoadedModule() override;
  LoadedModule(const LoadedModule&) = delete;

  bool load(std::vector<unsigned char> file, std::string* reason);

  const KernelCode* find_kernel(std::string_view descriptor) const override;
  const std::vector<Object>& objects() const override { return objects_; }
  const std::vector<Segment>& segments() const override { return segments_; }

  uintptr_t load_address() const override { return base_; }

  isa::Architecture architecture() const { return isa::Architecture::gfx942; }

  // The segment of code that an address lies in; null if there is none.
  const Segment* find_code(uintptr_t address) const;
  // Where functions begin.
  const std::vector<uintptr_t>& functions() const { return functions_; }

  // The functions of ROCm's malloc that are in it, by what their first instruction tells.
  struct HeapFunction {
    uintptr_t begin = 0, end = 0;
    HeapPoint point = HeapPoint::wrapper;
  };
  const std::vector<HeapFunction>& heap_functions() const { return heap_functions_; }

  // May a kernel access these bytes of the module?
  bool allows(uintptr_t address, size_t bytes, bool write, Segment* around) const;

  // The file, for what is not loaded: lines.
  const std::vector<unsigned char>& file() const override { return file_; }
  // From an address of the host to one of the file.
  uint64_t file_address(uintptr_t address) const { return address - base_; }

 private:
  friend class ModuleLoading;

  std::vector<unsigned char> file_;
  void* pages_ = nullptr;
  size_t mapped_ = 0;
  uintptr_t base_ = 0;
  std::vector<Segment> segments_;
  std::vector<Segment> code_;
  Segment constants_;            // what is read-only once it is relocated
  std::vector<Object> objects_;  // by address
  bool knows_all_objects_ = false;
  std::vector<uintptr_t> functions_;
  std::vector<HeapFunction> heap_functions_;
  std::map<std::string, KernelCode, std::less<>> kernels_;
};

}  // namespace greta::sim::gfx
