// Compiles one program: source text in, code object out.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hiprtc/compiled_kernels.h"

namespace greta::hiprtc {

struct BuildInput {
  std::string name;  // of the program, for messages
  std::string source;
  std::vector<std::pair<std::string, std::string>> headers;  // include name, text
  std::vector<std::string> name_expressions;
  std::vector<std::string> options;
};

struct BuildOutput {
  bool succeeded = false;
  std::string log;
  std::string code;
  std::string bitcode;  // of a program to be linked with others (-fgpu-rdc), in place of code
  LoweredNames lowered_names;
};

BuildOutput build(const BuildInput& input);

}  // namespace greta::hiprtc
