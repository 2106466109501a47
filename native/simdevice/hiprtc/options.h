// hipRTC's compile options, as the system's C++ compiler understands them.
#pragma once

#include <string>
#include <vector>

namespace greta::hiprtc {

struct CompileOptions {
  std::vector<std::string> preprocess;  // -D -U -I -include ...
  std::vector<std::string> compile;     // everything else that is passed on
  std::string standard = "-std=gnu++17";
  std::string optimization = "-O3";
};

// Relative paths are made absolute, because the compiler runs in a folder of its own.
CompileOptions translate_options(const std::vector<std::string>& options);

}  // namespace greta::hiprtc
