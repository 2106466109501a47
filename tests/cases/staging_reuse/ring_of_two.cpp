// Blocks pass through a ring of registered host memory: down from one buffer, up into another.
#include "gpu.h"

int main() {
  constexpr int slots = 2, blocks = 3;
  constexpr size_t bytes = 8192;
  std::vector<char> ring(slots * bytes);
  char *from = nullptr, *to = nullptr;
  hipStream_t down, up;
  hipEvent_t landed;
  OK(hipStreamCreateWithFlags(&down, hipStreamNonBlocking));
  OK(hipStreamCreateWithFlags(&up, hipStreamNonBlocking));
  OK(hipEventCreateWithFlags(&landed, hipEventDisableTiming));
  OK(hipHostRegister(ring.data(), ring.size(), hipHostRegisterDefault));
  OK(hipMalloc(reinterpret_cast<void**>(&from), blocks * bytes));
  OK(hipMalloc(reinterpret_cast<void**>(&to), blocks * bytes));
  OK(hipMemset(from, 5, blocks * bytes));
  OK(hipDeviceSynchronize());
  for (int block = 0; block < blocks; ++block) {
    char* slot = ring.data() + block % slots * bytes;
    OK(hipMemcpyAsync(slot, from + block * bytes, bytes, hipMemcpyDeviceToHost, down));
    OK(hipEventRecord(landed, down));
    OK(hipStreamWaitEvent(up, landed, 0));
    OK(hipMemcpyAsync(to + block * bytes, slot, bytes, hipMemcpyHostToDevice, up));
  }
  OK(hipDeviceSynchronize());
  OK(hipHostUnregister(ring.data()));
  return 0;
}
