// The hiprtcLink* calls. A code object of the simulated device is already linked, so linking one
// is handing it back; there is nothing here that could join several, or compile bitcode.
#include <cstring>
#include <mutex>
#include <new>
#include <set>
#include <string>

#include "hip/hiprtc.h"
#include "hiprtc/files.h"

namespace {

struct LinkState {
  std::string code;
  bool has_input = false;
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
  if (state->has_input || !is_code_object(bytes)) return HIPRTC_ERROR_LINKING;
  state->code = std::move(bytes);
  state->has_input = true;
  return HIPRTC_SUCCESS;
}

}  // namespace

extern "C" {

hiprtcResult hiprtcLinkCreate(unsigned int num_options, hiprtcJIT_option* option_ptr,
                              void** option_vals_pptr, hiprtcLinkState* hip_link_state_ptr) {
  if (!hip_link_state_ptr) return HIPRTC_ERROR_INVALID_INPUT;
  if (num_options && (!option_ptr || !option_vals_pptr)) return HIPRTC_ERROR_INVALID_INPUT;
  LinkState* state = new (std::nothrow) LinkState;
  if (!state) return HIPRTC_ERROR_OUT_OF_MEMORY;
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
  if (!state->has_input) return HIPRTC_ERROR_LINKING;
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
