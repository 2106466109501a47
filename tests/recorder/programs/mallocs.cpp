// Calls hipMalloc twice, and a function that nobody wraps.
#include <hip/hip_runtime.h>

int main() {
  void* memory[2];
  for (void*& one : memory) {
    if (hipMalloc(&one, 64) != hipSuccess) return 1;
  }
  return hipFree(memory[0]) == hipSuccess ? 0 : 1;
}
