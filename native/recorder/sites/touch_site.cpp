#include "recorder/sites/touch_site.h"

#include <cstring>

#include "recorder/sites/loaded_code.h"

namespace greta::recorder {
namespace {

Code g_c_library;

// call rel32; call r/m64 in its usual lengths.
bool follows_a_call(uintptr_t address) {
  const auto* code = reinterpret_cast<const unsigned char*>(address);
  return code[-5] == 0xe8 || code[-2] == 0xff || code[-3] == 0xff || code[-6] == 0xff;
}

}  // namespace

void find_c_library() {
  void* (*const copy)(void*, const void*, size_t) = &std::memmove;
  g_c_library = code_around(reinterpret_cast<uintptr_t>(copy));
}

uintptr_t touch_site(uintptr_t instruction, uintptr_t stack_pointer) {
  if (!g_c_library.contains(instruction)) return instruction + 1;
  const uintptr_t caller = *reinterpret_cast<const uintptr_t*>(stack_pointer);
  const Code code = code_around(caller);
  const bool is_call = code.contains(caller - 7) && follows_a_call(caller);
  return is_call && !g_c_library.contains(caller) ? caller : instruction + 1;
}

}  // namespace greta::recorder
