#include "recorder/lanes/roomy_stack.h"

#include <sys/mman.h>

#include <cstddef>

namespace greta::recorder {

bool run_on_roomy_stack(void (*function)(void*), void* argument) {
  constexpr size_t kBytes = 256 * 1024;
  void* stack = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return false;
  void* top = static_cast<char*>(stack) + kBytes;  // aligned as a call expects it
  asm volatile(
      "mov %%rsp, %%rbx\n\t"
      "mov %[top], %%rsp\n\t"
      "call *%[function]\n\t"
      "mov %%rbx, %%rsp"
      : "+D"(argument), [top] "+r"(top), [function] "+r"(function)
      :
      : "rbx", "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "memory", "cc", "xmm0", "xmm1",
        "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
        "xmm13", "xmm14", "xmm15");
  munmap(stack, kBytes);
  return true;
}

}  // namespace greta::recorder
