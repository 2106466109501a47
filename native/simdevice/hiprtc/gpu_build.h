// Compiles for gfx942 instead of the CPU, by clang.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hiprtc/build.h"

namespace greta::hiprtc {

// The code object, where the caller's environment names a compiler for that: the checks that
// machine code alone allows then work on it. Nothing where none is named, or it does not take the
// source. `names` are those that the code object must have.
std::optional<std::string> build_for_gpu(const BuildInput& input, const LoweredNames& names);

// LLVM bitcode, to be linked with that of other programs.
BuildOutput build_bitcode(const BuildInput& input);

// LLVM bitcode, or a bundle of clang's that has some.
bool is_bitcode(const std::string& bytes);

// One code object of several pieces of bitcode; nothing if they do not fit together, and then the
// log says why. `options` are for the code generator, as hipcc takes them.
std::optional<std::string> link_bitcode(const std::vector<std::string>& pieces,
                                        const std::vector<std::string>& options, std::string* log);

}  // namespace greta::hiprtc
