// The host waits, in one of three ways, for what stands behind a kernel that waits for a flag.
#include "gpu.h"

int main(int count, char** words) {
  const std::string how = count > 1 ? words[1] : "event";
  const bool forever = count > 2;
  const hipModule_t module = load_kernels();
  const hipStream_t one = new_stream(hipStreamDefault), two = new_stream();
  int* flag = on_device(std::vector<int>(1, 0));
  float* values = on_device(std::vector<float>(256, 0.0f));
  const hipEvent_t event = new_event();
  launch(kernel(module, "wait_for"), 1, 1, one, flag);
  launch(kernel(module, "set"), 2, 128, one, values, 1.0f, 256);
  OK(hipEventRecord(event, one));
  if (!forever) launch(kernel(module, "raise_flag"), 1, 1, two, flag);
  if (forever) lose_patience();
  if (how == "event") OK(hipEventSynchronize(event));
  if (how == "device") OK(hipDeviceSynchronize());
  expect(to_host(values, 256)[0] == 1.0f && !forever, "the values are there");
  OK(hipStreamSynchronize(two));  // or the program may end before the device says what it did
  return 0;
}
