#include "hiprtc/program.h"

#include <cstdlib>
#include <sstream>

#include "hiprtc/name_expression.h"

namespace greta::hiprtc {
namespace {

// As with AMD's hipRTC, more options may come from the environment.
void append_from_environment(std::vector<std::string>& options) {
  const char* more = secure_getenv("HIPRTC_COMPILE_OPTIONS_APPEND");
  std::istringstream words(more ? more : "");
  for (std::string word; words >> word;) options.push_back(word);
}

}  // namespace

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
  append_from_environment(options);
  input_.options = std::move(options);
  attempted_ = true;
  output_ = build(input_);
  return output_.succeeded ? HIPRTC_SUCCESS : HIPRTC_ERROR_COMPILATION;
}

hiprtcResult Program::lowered_name(const std::string& expression, const char** name) const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!output_.succeeded) return HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  for (const auto& [known, symbol] : output_.lowered_names) {
    if (normal_form(known) != normal_form(expression)) continue;
    *name = symbol.c_str();
    return HIPRTC_SUCCESS;
  }
  return HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

hiprtcResult Program::code(const std::string** code) const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!output_.succeeded) return HIPRTC_ERROR_INVALID_PROGRAM;
  *code = &output_.code;
  return HIPRTC_SUCCESS;
}

hiprtcResult Program::bitcode(const std::string** bitcode) const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (output_.bitcode.empty()) return HIPRTC_ERROR_INVALID_PROGRAM;
  *bitcode = &output_.bitcode;
  return HIPRTC_SUCCESS;
}

}  // namespace greta::hiprtc
