// The system's C++ compiler.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace greta::hiprtc {

struct Toolchain {
  std::string path;
};

// $GRETA_SIM_CXX, or else the first of c++, g++, clang++ on the PATH.
std::optional<Toolchain> find_toolchain();

// The full path of a program given by path or by name; "" if there is none.
std::string find_program(const std::string& name);

// Path, size and time of the compiler: another compiler makes other code.
std::string identity_of(const Toolchain& toolchain);

// What to tell a user who has none.
std::string missing_toolchain_text();

// Options for making code: position-independent, optimized for a set of instructions.
std::vector<std::string> code_flags(const Toolchain& toolchain);
// The same for checked builds, where every access asks the device first.
std::vector<std::string> checking_flags(const Toolchain& toolchain);
std::vector<std::string> link_flags(const Toolchain& toolchain);

}  // namespace greta::hiprtc
