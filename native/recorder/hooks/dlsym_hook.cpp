// dlsym(RTLD_NEXT, ...) means "after the library of whoever called", which the C library finds out
// by the return address. So our dlsym must not be seen there: it asks greta_recorder_dlsym for a
// hook, and if there is none it jumps, with everything as it was, to the real one.
#include "recorder/hooks/dlsym_hook.h"

#include <dlfcn.h>

#include <cstring>

#include "recorder/hooks/real_functions.h"
#include "recorder/hooks/roctx_hooks.h"

extern "C" {
__attribute__((visibility("hidden"))) greta::recorder::DlsymFunction greta_recorder_real_dlsym;
extern const char greta_recorder_our_dlsym __attribute__((visibility("hidden")));
__attribute__((visibility("hidden"))) void* greta_recorder_dlsym(void* handle, const char* name,
                                                                 const void* site);
}

asm(R"(
  .text
  .globl dlsym
  .type dlsym, @function
  .globl greta_recorder_our_dlsym
  .hidden greta_recorder_our_dlsym
greta_recorder_our_dlsym:
dlsym:
  .cfi_startproc
  push %rdi
  .cfi_def_cfa_offset 16
  push %rsi
  .cfi_def_cfa_offset 24
  sub $8, %rsp
  .cfi_def_cfa_offset 32
  mov 24(%rsp), %rdx
  call greta_recorder_dlsym
  add $8, %rsp
  .cfi_def_cfa_offset 24
  pop %rsi
  .cfi_def_cfa_offset 16
  pop %rdi
  .cfi_def_cfa_offset 8
  test %rax, %rax
  jne 1f
  jmp *greta_recorder_real_dlsym(%rip)
1:
  cmp $-1, %rax
  jne 2f
  xor %eax, %eax
2:
  ret
  .cfi_endproc
  .size dlsym, .-dlsym
)");

namespace greta::recorder {
namespace {

// Tells the code above to answer null.
void* const kNothing = reinterpret_cast<void*>(-1);

bool may_be_hooked(const char* name) {
  return std::strncmp(name, "hip", 3) == 0 || std::strncmp(name, "__hip", 5) == 0 ||
         std::strncmp(name, "_Z2", 3) == 0 || std::strncmp(name, "roctx", 5) == 0;
}

}  // namespace

uintptr_t our_dlsym() { return reinterpret_cast<uintptr_t>(&greta_recorder_our_dlsym); }

DlsymFunction real_dlsym() {
  if (greta_recorder_real_dlsym == nullptr) {
    void* found = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
    if (found == nullptr) found = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
    greta_recorder_real_dlsym = reinterpret_cast<DlsymFunction>(found);
  }
  return greta_recorder_real_dlsym;
}

}  // namespace greta::recorder

// `site`: where dlsym was called.
extern "C" void* greta_recorder_dlsym(void* handle, const char* name, const void* site) {
  using namespace greta::recorder;
  const DlsymFunction real = real_dlsym();
  look_at_opened_code();
  if (name == nullptr || !may_be_hooked(name)) return nullptr;
  if (handle == RTLD_NEXT) return reinterpret_cast<void*>(hook_for_next(name, site));
  auto found = reinterpret_cast<AnyFunction>(real(handle, name));
  if (found == nullptr) return nullptr;  // the real one says so, and keeps the error for dlerror
  if (is_hook(name, found)) {            // the first of that name in the process is ours
    const void* asks = handle == RTLD_DEFAULT ? site : nullptr;  // else: for the program
    if (AnyFunction hook = hook_for_name(name, asks)) return reinterpret_cast<void*>(hook);
    real(RTLD_NEXT, name);  // finds nothing, and keeps the error for dlerror
    return kNothing;
  }
  AnyFunction hook = hook_for(name, found);
  if (hook == nullptr) hook = roctx_hook_for(name, found);
  return reinterpret_cast<void*>(hook);
}
