// The head of one C++ declaration (what stands before its ';' or body), read as far as kernels
// and device variables need.
#pragma once

#include <string>
#include <vector>

#include "hiprtc/kernel_scan.h"
#include "hiprtc/tokens.h"

namespace greta::hiprtc {

// The index after the group of (), [] or {} that begins at `open`.
size_t after_group(const Tokens& tokens, size_t open);

class Declaration {
 public:
  Declaration(const Tokens& tokens, size_t begin, size_t end);

  bool has(std::string_view word) const;
  bool opens_namespace() const;
  bool opens_linkage() const;  // extern "C"
  bool opens_class() const;
  std::string namespace_name() const;
  std::string class_name() const;

  bool has_parameters() const { return parameters_ != end_; }
  bool has_initializer() const;  // an '=' outside of parentheses
  bool is_template() const;      // template <...> with parameters
  bool is_explicit_instantiation() const;
  bool is_explicit_specialization() const;  // template <>

  std::string declared_name() const;
  size_t name_offset() const;  // into the text
  bool returns_void() const;
  std::vector<KernelParameter> parameters() const;
  std::string parameter_types() const;
  std::string launch_bound() const;

  Tokens all() const;
  Tokens before_parameters() const;
  Tokens attributes() const;  // __attribute__((...)) and [[...]] before the parameters

 private:
  size_t find_parameters() const;
  size_t after_template_prefix() const;
  size_t name_begin() const;
  std::string text(size_t begin, size_t end) const;
  std::vector<std::string> arguments_of(std::string_view word) const;
  std::vector<std::pair<size_t, size_t>> parameter_ranges() const;

  const Tokens& tokens_;
  size_t begin_;
  size_t end_;
  size_t declarator_;  // after any template <...>
  size_t parameters_;  // the '(' of the parameter list, or end_
};

}  // namespace greta::hiprtc
