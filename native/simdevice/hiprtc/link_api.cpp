// The hiprtcLink* calls. LLVM bitcode of several programs becomes one code object of gfx942. A code
// object that was compiled for the CPU is already linked, so linking one is handing it back.
#include <algorithm>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <vector>

#include "hip/hiprtc.h"
#include "hiprtc/files.h"
#include "hiprtc/gpu_build.h"

namespace {

struct LogBuffer {
  char* text = nullptr;
  size_t bytes = 0;
};

struct LinkState {
  std::string code;
  std::vector<std::string> bitcode;
  std::vector<std::string> options;  // for the code generator
  LogBuffer errors;
};

std::mutex g_mutex;

// What is being linked: a handle that is none of these is not followed.
std::set<LinkState*>& states() {
  static auto* const instance = new std::set<LinkState*>;
  return *instance;
}

LinkState* state_of(hiprtcLinkState handle) {
  const std::lock_guard<std::mutex> lock(g_mutex);
  auto* state = reinterpret_cast<LinkState*>(handle);
  return states().count(state) != 0 ? state : nullptr;
}

bool is_code_object(const std::string& bytes) {
  return bytes.size() > 64 && !std::memcmp(bytes.data(), "\177ELF", 4) &&
         bytes.find("greta_simt_kernels") != std::string::npos;
}

hiprtcResult add(hiprtcLinkState handle, std::string bytes) {
  LinkState* state = state_of(handle);
  if (!state) return HIPRTC_ERROR_INVALID_INPUT;
  if (greta::hiprtc::is_bitcode(bytes) && (state->code.empty() || !state->bitcode.empty())) {
    state->code.clear();
    state->bitcode.push_back(std::move(bytes));
    return HIPRTC_SUCCESS;
  }
  const bool first = state->code.empty() && state->bitcode.empty();
  if (!first || !is_code_object(bytes)) return HIPRTC_ERROR_LINKING;
  state->code = std::move(bytes);
  return HIPRTC_SUCCESS;
}

// The value of an option is a pointer, or a number where a pointer would be.
void take(LinkState& state, unsigned count, const hiprtcJIT_option* names, void** values) {
  const char* const* options = nullptr;
  size_t option_count = 0;
  for (unsigned i = 0; i < count; ++i) {
    const auto number = reinterpret_cast<size_t>(values[i]);
    if (names[i] == hipJitOptionErrorLogBuffer) state.errors.text = static_cast<char*>(values[i]);
    if (names[i] == hipJitOptionErrorLogBufferSizeBytes) state.errors.bytes = number;
    if (names[i] == hipJitOptionIRtoISAOptExt) options = static_cast<const char* const*>(values[i]);
    if (names[i] == hipJitOptionIRtoISAOptCountExt) option_count = number;
  }
  for (size_t i = 0; options && i < option_count; ++i) {
    if (options[i]) state.options.emplace_back(options[i]);
  }
}

hiprtcResult complete(LinkState& state) {
  if (state.code.empty() && !state.bitcode.empty()) {
    std::string log;
    state.code = greta::hiprtc::link_bitcode(state.bitcode, state.options, &log).value_or("");
    if (state.errors.text && state.errors.bytes > 0) {
      const size_t kept = std::min(log.size(), state.errors.bytes - 1);
      std::memcpy(state.errors.text, log.data(), kept);
      state.errors.text[kept] = '\0';
    }
  }
  return state.code.empty() ? HIPRTC_ERROR_LINKING : HIPRTC_SUCCESS;
}

}  // namespace

extern "C" {

hiprtcResult hiprtcLinkCreate(unsigned int num_options, hiprtcJIT_option* option_ptr,
                              void** option_vals_pptr, hiprtcLinkState* hip_link_state_ptr) {
  if (!hip_link_state_ptr) return HIPRTC_ERROR_INVALID_INPUT;
  if (num_options && (!option_ptr || !option_vals_pptr)) return HIPRTC_ERROR_INVALID_INPUT;
  LinkState* state = new (std::nothrow) LinkState;
  if (!state) return HIPRTC_ERROR_OUT_OF_MEMORY;
  take(*state, num_options, option_ptr, option_vals_pptr);
  {
    const std::lock_guard<std::mutex> lock(g_mutex);
    states().insert(state);
  }
  *hip_link_state_ptr = reinterpret_cast<hiprtcLinkState>(state);
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcLinkAddFile(hiprtcLinkState hip_link_state, hiprtcJITInputType,
                               const char* file_path, unsigned int, hiprtcJIT_option*, void**) {
  if (!hip_link_state || !file_path) return HIPRTC_ERROR_INVALID_INPUT;
  try {
    auto content = greta::hiprtc::read_file(file_path);
    if (!content) return HIPRTC_ERROR_PROGRAM_CREATION_FAILURE;
    return add(hip_link_state, std::move(*content));
  } catch (const std::bad_alloc&) {
    return HIPRTC_ERROR_OUT_OF_MEMORY;
  }
}

hiprtcResult hiprtcLinkAddData(hiprtcLinkState hip_link_state, hiprtcJITInputType, void* image,
                               size_t image_size, const char*, unsigned int, hiprtcJIT_option*,
                               void**) {
  if (!hip_link_state || !image || !image_size) return HIPRTC_ERROR_INVALID_INPUT;
  try {
    return add(hip_link_state, std::string(static_cast<const char*>(image), image_size));
  } catch (const std::bad_alloc&) {
    return HIPRTC_ERROR_OUT_OF_MEMORY;
  }
}

hiprtcResult hiprtcLinkComplete(hiprtcLinkState hip_link_state, void** bin_out, size_t* size_out) {
  if (!hip_link_state || !bin_out || !size_out) return HIPRTC_ERROR_INVALID_INPUT;
  LinkState* state = state_of(hip_link_state);
  if (!state) return HIPRTC_ERROR_INVALID_INPUT;
  try {
    const hiprtcResult result = complete(*state);
    if (result != HIPRTC_SUCCESS) return result;
  } catch (const std::bad_alloc&) {
    return HIPRTC_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception&) {
    return HIPRTC_ERROR_LINKING;
  }
  *bin_out = state->code.data();
  *size_out = state->code.size();
  return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcLinkDestroy(hiprtcLinkState hip_link_state) {
  LinkState* state = state_of(hip_link_state);
  if (!state) return HIPRTC_ERROR_INVALID_INPUT;
  {
    const std::lock_guard<std::mutex> lock(g_mutex);
    states().erase(state);
  }
  delete state;
  return HIPRTC_SUCCESS;
}

}  // extern "C"
