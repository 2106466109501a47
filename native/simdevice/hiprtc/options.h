// hipRTC's compile options, as the system's C++ compiler understands them.
#pragma once

#include <string>
#include <vector>

namespace greta::hiprtc {

struct CompileOptions {
  std::vector<std::string> preprocess;  // -I -include ..., and macros that headers ask for
  // The other -D and -U, as lines of a header. It is included behind HIP's own, which have words
  // like N and T in them; a program that is compiled with -DN=1024 is an ordinary one.
  std::string macros;
  std::vector<std::string> compile;  // everything else that is passed on
  bool relocatable = false;          // -fgpu-rdc
  std::string standard = "-std=gnu++17";
  std::string optimization = "-O3";
};

constexpr const char* kMacrosFile = "./.greta_macros.h";

// Relative paths are made absolute, because the compiler runs in a folder of its own.
CompileOptions translate_options(const std::vector<std::string>& options);

}  // namespace greta::hiprtc
