// The hiprtc* calls about programs.
#include <cstring>
#include <new>

#include "hip/hiprtc.h"
#include "hiprtc/program.h"

using greta::hiprtc::Program;

namespace {

Program* program_of(hiprtcProgram handle) { return reinterpret_cast<Program*>(handle); }

using Headers = std::vector<std::pair<std::string, std::string>>;

// No exception may reach a C caller.
template <class Call>
hiprtcResult guarded(Call call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return HIPRTC_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    return HIPRTC_ERROR_INTERNAL_ERROR;
  }
}

hiprtcResult create(hiprtcProgram* prog, const char* src, const char* name, int count,
                    const char* const* headers, const char* const* names) {
  Headers given;
  for (int i = 0; i < count; ++i) {
    if (!headers[i] || !names[i] || !*names[i]) return HIPRTC_ERROR_INVALID_INPUT;
    given.emplace_back(names[i], headers[i]);
  }
  *prog = reinterpret_cast<hiprtcProgram>(new Program(src, name ? name : "", std::move(given)));
  return HIPRTC_SUCCESS;
}

hiprtcResult compile(hiprtcProgram prog, int count, const char* const* options) {
  std::vector<std::string> given;
  for (int i = 0; i < count; ++i) {
    if (!options[i]) return HIPRTC_ERROR_INVALID_INPUT;
    given.emplace_back(options[i]);
  }
  return program_of(prog)->compile(std::move(given));
}

}  // namespace

extern "C" {

hiprtcResult hiprtcCreateProgram(hiprtcProgram* prog, const char* src, const char* name,
                                 int numHeaders, const char* const* headers,
                                 const char* const* includeNames) {
  if (!prog) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (!src || !*src || numHeaders < 0) return HIPRTC_ERROR_INVALID_INPUT;
  if (numHeaders > 0 && (!headers || !includeNames)) return HIPRTC_ERROR_INVALID_INPUT;
  return guarded([&] { return create(prog, src, name, numHeaders, headers, includeNames); });
}

hiprtcResult hiprtcCompileProgram(hiprtcProgram prog, int numOptions, const char* const* options) {
  if (!prog) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (numOptions < 0 || (numOptions > 0 && !options)) return HIPRTC_ERROR_INVALID_INPUT;
  return guarded([&] { return compile(prog, numOptions, options); });
}

hiprtcResult hiprtcDestroyProgram(hiprtcProgram* prog) {
  if (!prog) return HIPRTC_ERROR_INVALID_INPUT;
  delete program_of(*prog);
  *prog = nullptr;
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcAddNameExpression(hiprtcProgram prog, const char* name_expression) {
  if (!prog) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (!name_expression || !*name_expression) return HIPRTC_ERROR_INVALID_INPUT;
  return guarded([&] { return program_of(prog)->add_name(name_expression); });
}

hiprtcResult hiprtcGetLoweredName(hiprtcProgram prog, const char* name_expression,
                                  const char** lowered_name) {
  if (!prog) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (!name_expression || !lowered_name) return HIPRTC_ERROR_INVALID_INPUT;
  return guarded([&] { return program_of(prog)->lowered_name(name_expression, lowered_name); });
}

hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram prog, size_t* logSizeRet) {
  if (!prog) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (!logSizeRet) return HIPRTC_ERROR_INVALID_INPUT;
  const std::string& log = program_of(prog)->log();
  *logSizeRet = log.empty() ? 0 : log.size() + 1;
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcGetProgramLog(hiprtcProgram prog, char* log) {
  if (!prog) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (!log) return HIPRTC_ERROR_INVALID_INPUT;
  const std::string& text = program_of(prog)->log();
  if (!text.empty()) std::memcpy(log, text.c_str(), text.size() + 1);
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcGetCodeSize(hiprtcProgram prog, size_t* codeSizeRet) {
  if (!prog) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (!codeSizeRet) return HIPRTC_ERROR_INVALID_INPUT;
  const std::string* code = nullptr;
  hiprtcResult result = program_of(prog)->code(&code);
  *codeSizeRet = code ? code->size() : 0;
  return result;
}

hiprtcResult hiprtcGetCode(hiprtcProgram prog, char* code) {
  if (!prog) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (!code) return HIPRTC_ERROR_INVALID_INPUT;
  const std::string* bytes = nullptr;
  hiprtcResult result = program_of(prog)->code(&bytes);
  if (result == HIPRTC_SUCCESS) std::memcpy(code, bytes->data(), bytes->size());
  return result;
}

// A kernel that was compiled for the CPU, that is, without -fgpu-rdc, has none.
hiprtcResult hiprtcGetBitcode(hiprtcProgram prog, char* bitcode) {
  if (!prog) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (!bitcode) return HIPRTC_ERROR_INVALID_INPUT;
  const std::string* bytes = nullptr;
  hiprtcResult result = program_of(prog)->bitcode(&bytes);
  if (result == HIPRTC_SUCCESS) std::memcpy(bitcode, bytes->data(), bytes->size());
  return result;
}

hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram prog, size_t* bitcode_size) {
  if (!prog) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (!bitcode_size) return HIPRTC_ERROR_INVALID_INPUT;
  const std::string* bytes = nullptr;
  hiprtcResult result = program_of(prog)->bitcode(&bytes);
  *bitcode_size = bytes ? bytes->size() : 0;
  return result;
}

}  // extern "C"
