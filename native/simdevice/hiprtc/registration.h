// The code that hipRTC appends to a kernel file: one entry function, table row and argument
// record per kernel, and one record per name expression.
#pragma once

#include <string>
#include <vector>

#include "hiprtc/kernel_scan.h"

namespace greta::hiprtc {

struct Registration {
  std::string text;
  // By the index that its record carries: what was written about the kernel's parameters.
  std::vector<std::vector<KernelParameter>> parameters;
  // By the index of the name expression's own record: the expression.
  std::vector<std::string> names;
};

Registration write_registration(const std::vector<FoundKernel>& kernels,
                                const std::vector<std::string>& name_expressions);

}  // namespace greta::hiprtc
