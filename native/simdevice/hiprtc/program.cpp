#include "hiprtc/program.h"

namespace greta::hiprtc {

Program::Program(std::string source, std::string name,
                 std::vector<std::pair<std::string, std::string>> headers)
    : input_{std::move(name), std::move(source), std::move(headers), {}, {}} {}

hiprtcResult Program::add_name(const std::string& expression) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (attempted_) return HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  for (const std::string& known : input_.name_expressions)
    if (known == expression) return HIPRTC_SUCCESS;
  input_.name_expressions.push_back(expression);
  return HIPRTC_SUCCESS;
}

hiprtcResult Program::compile(std::vector<std::string> options) {
  std::lock_guard<std::mutex> lock(mutex_);
  input_.options = std::move(options);
  attempted_ = true;
  output_ = build(input_);
  return output_.succeeded ? HIPRTC_SUCCESS : HIPRTC_ERROR_COMPILATION;
}

hiprtcResult Program::lowered_name(const std::string& expression, const char** name) const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!output_.succeeded) return HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  auto found = output_.lowered_names.find(expression);
  if (found == output_.lowered_names.end()) return HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  *name = found->second.c_str();
  return HIPRTC_SUCCESS;
}

hiprtcResult Program::code(const std::string** code) const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!output_.succeeded) return HIPRTC_ERROR_INVALID_PROGRAM;
  *code = &output_.code;
  return HIPRTC_SUCCESS;
}

}  // namespace greta::hiprtc
