// Lives of memory: reuse of addresses, pools, calls with freed memory, symbols, mistakes.
#include "program.h"

int main(int, char** arguments) {
  Program p(arguments);
  hipFree(p.other);
  hipMemsetAsync(p.other, 0, 64, p.one);  // freed
  hipFree(nullptr);
  hipFree(p.device + 1);  // inside an allocation
  hipFree(p.other);       // twice

  void* pool = nullptr;
  hipMallocAsync(&pool, 1024, p.one);
  hipMemsetAsync(pool, 0, 1024, p.one);
  hipFreeAsync(pool, p.one);
  void* again = nullptr;
  hipMallocAsync(&again, 1024, p.one);
  hipMemsetAsync(again, 0, 512, p.one);
  hipFree(again);
  void* plain = nullptr;
  hipMalloc(&plain, 256);
  hipFreeAsync(plain, p.one);

  void* managed = nullptr;
  hipMallocManaged(&managed, 2048, hipMemAttachGlobal);
  hipMemset(managed, 0, 100);

  size_t pitch = 0;
  void* rows = nullptr;
  hipMallocPitch(&rows, &pitch, 100, 4);
  hipMemset2D(rows, pitch, 1, 100, 4);

  hipDeviceptr_t counter = nullptr;
  size_t bytes = 0;
  hipModuleGetGlobal(&counter, &bytes, p.module, "counter");
  hipMemsetD8(counter, 0, 16);

  hipMemcpy(p.pinned, p.device, 5000, hipMemcpyDeviceToHost);  // refused: too long
  hipHostFree(p.pinned);
  hipDeviceReset();
  return 0;
}
