// From the object file that the compiler wrote: what its kernels are called, what their arguments
// are, and what has to be added before it can be linked into a code object.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hiprtc/kernel_metadata.h"
#include "hiprtc/object_file.h"
#include "hiprtc/registration.h"

namespace greta::hiprtc {

using LoweredNames = std::map<std::string, std::string>;  // name expression -> symbol

struct CompiledKernels {
  std::vector<KernelMetadata> kernels;  // by index
  LoweredNames lowered_names;
  std::vector<std::string> kernel_symbols;    // referred to for their name, defined nowhere
  std::vector<std::string> dynamic_shared;    // extern __shared__ arrays
  std::vector<std::string> device_variables;  // to be exported
};

CompiledKernels read_compiled_kernels(const ObjectFile& object, const Registration& registration);

// Assembly for the metadata note, the kernels' names and the dynamic shared memory.
std::string link_supplement(const CompiledKernels& compiled);

// Linker version script that exports the table and the device variables, and nothing else.
std::string export_script(const CompiledKernels& compiled);

}  // namespace greta::hiprtc
