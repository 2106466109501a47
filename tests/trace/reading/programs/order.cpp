// Events, waits and queries; default streams of a process and of a thread; a host function.
#include <thread>

#include "program.h"

int main(int, char** arguments) {
  Program p(arguments);
  hipEvent_t event = nullptr;
  hipEventCreateWithFlags(&event, hipEventDisableTiming);
  hipEventRecord(event, p.one);
  hipStreamWaitEvent(p.two, event, 0);
  hipEventSynchronize(event);
  hipEventQuery(event);
  hipEventDestroy(event);
  hipEventCreateWithFlags(&event, hipEventDisableTiming);
  hipEventRecord(event, p.two);
  hipLaunchHostFunc(p.one, [](void*) {}, nullptr);
  hipStreamSynchronize(p.one);
  hipStreamQuery(p.one);
  hipStreamSynchronize(nullptr);
  hipStreamSynchronize_spt(nullptr);
  hipMemsetAsync(p.device, 0, 16, nullptr);
  hipMemsetAsync(p.device, 0, 16, hipStreamPerThread);
  std::thread([&] { hipMemsetAsync(p.device, 0, 16, hipStreamPerThread); }).join();
  hipStreamDestroy(p.one);
  hipStream_t again = nullptr;
  hipStreamCreate(&again);
  hipMemsetAsync(p.device, 0, 16, again);
  hipDeviceSynchronize();
  return 0;
}
