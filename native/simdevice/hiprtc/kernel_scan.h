// Finds the kernels in preprocessed HIP source.
//
// The compiler knows everything about a kernel except that it is one: for a CPU compiler
// __global__ is no keyword. This scanner finds them; types, offsets and mangled names then come
// from the compiler itself, through the code that registration.h writes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace greta::hiprtc {

struct KernelParameter {
  std::string type;  // as written
  std::string name;  // may be empty
};

struct FoundKernel {
  std::vector<std::string> namespaces;  // "" for an unnamed one
  std::string name;                     // inside them; may carry a class or template arguments
  std::vector<KernelParameter> parameters;
  std::string parameter_types;  // the parameter list as written, without default arguments
  std::string launch_bound;     // first argument of __launch_bounds__, or empty
  bool is_template = false;     // has no code of its own until an instance is asked for
};

struct KernelScan {
  std::vector<FoundKernel> kernels;
  // The text, with some words blanked or replaced by others of the same length, so that columns
  // stay: those that have no place beside what __global__ becomes, and keywords that mean
  // different things in different places (keywords.h).
  std::string text;
  // What the compiler would not find wrong: one message a line, as it would word it.
  std::string errors;
};

KernelScan scan_kernels(std::string preprocessed, std::string_view own_headers);

}  // namespace greta::hiprtc
