// printf of kernels: to stdout, a call's output in one piece, flushed when the kernel ends.
#pragma once

#include <cstdarg>

namespace greta::sim {

// Returns what printf would. The arguments may be bad pointers: call it in a guarded region.
int print_from_kernel(const char* format, va_list arguments);

// At the end of a launch.
void flush_kernel_prints();

}  // namespace greta::sim
