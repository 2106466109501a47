// Compiles a program for gfx942 instead of the CPU, where the caller's environment names a compiler
// that can: the checks that machine code alone allows then work on it.
#pragma once

#include <optional>
#include <string>

#include "hiprtc/build.h"

namespace greta::hiprtc {

// The code object; nothing where no such compiler is named, or it does not take the source.
// `names` are those that the code object must have.
std::optional<std::string> build_for_gpu(const BuildInput& input, const LoweredNames& names);

}  // namespace greta::hiprtc
