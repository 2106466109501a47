// Reads what a program hands to hipModuleLoadData, hipModuleLoad or __hipRegisterFatBinary: which
// kernels are in it, and how their arguments lie.
//
// An image is an AMDGPU code object or one of the simulated device, bare, in an offload bundle, or
// in a compressed one. It comes without a size and may be anything: nothing in it can make the
// reader crash, and what cannot be read is told in ModuleInfo::problem.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codeobject/image_bytes.h"
#include "codeobject/kernel_info.h"
#include "codeobject/memory_reader.h"

namespace greta::codeobject {

struct ModuleInfo {
  std::string kind;                  // "elf", "bundle", "compressed bundle"; empty if neither
  uint64_t bytes = 0;                // the image's length, from its headers; 0 if they do not tell
  std::vector<std::string> targets;  // all it has code for: "hipv4-amdgcn-amd-amdhsa--gfx942"
  std::string target;                // the one whose kernels these are
  std::vector<KernelInfo> kernels;
  std::string problem;  // why there are no kernels; empty if they could be read

  const KernelInfo* find_kernel(std::string_view name) const;
};

// `processor` chooses among the targets of a bundle: "gfx942", or what hipDeviceProp_t calls
// gcnArchName. Without it, or if no target has it, the first that can be read is taken: the
// explicit arguments of a kernel lie in the same places for all.
ModuleInfo read_module(const MemoryReader& memory, const void* image,
                       std::string_view processor = {});

ModuleInfo read_module_file(const std::string& path, std::string_view processor = {});

// An ELF file by itself. `available` is how much of it there is, where a bundle says so.
ModuleInfo read_code_object(const ImageBytes& image, uint64_t available);

// `wrapper` is the argument of __hipRegisterFatBinary.
ModuleInfo read_fat_binary(const MemoryReader& memory, const void* wrapper,
                           std::string_view processor = {});

}  // namespace greta::codeobject
