// A thread waits in a HIP call for ever; the program ends meanwhile, for reasons of its own.
//   bystander exit | signal
#include <hip/hip_runtime.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <thread>

int main(int, char** words) {
  uint32_t* never = nullptr;
  hipStream_t stream = nullptr;
  if (hipMalloc(reinterpret_cast<void**>(&never), 4096) != hipSuccess) return 1;
  if (hipMemset(never, 0, 4096) != hipSuccess) return 1;
  if (hipStreamCreate(&stream) != hipSuccess) return 1;
  if (hipStreamWaitValue32(stream, never, 1, hipStreamWaitValueEq, 0xFFFFFFFF) != hipSuccess)
    return 1;
  std::thread([stream] { (void)hipStreamSynchronize(stream); }).detach();
  while (hipStreamQuery(stream) != hipErrorNotReady) {
  }
  usleep(200000);  // until the thread is in its call
  if (std::strcmp(words[1], "signal") == 0) std::raise(SIGSEGV);
  _exit(5);
}
