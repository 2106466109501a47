// Values in a registered array of a thread's stack are uploaded after the thread has ended.
#include <pthread.h>

#include "unmap.h"

struct Work {
  hipStream_t stream;
  float* values;
  bool waits;
};
constexpr size_t n = 4096, bytes = n * sizeof(float);

static void* upload(void* given) {
  const Work& work = *static_cast<Work*>(given);
  alignas(4096) float local[n];
  for (float& value : local) value = 6.0f;
  OK(hipHostRegister(local, bytes, hipHostRegisterDefault));
  OK(hipMemcpyAsync(work.values, local, bytes, hipMemcpyHostToDevice, work.stream));
  if (!work.waits) return nullptr;
  OK(hipStreamSynchronize(work.stream));
  OK(hipHostUnregister(local));
  return nullptr;
}

int main(int count, char** words) {
  const bool early = is(count, words, "early");
  const hipModule_t module = load_kernels();
  constexpr size_t stack_bytes = 1 << 18;
  Work work{new_stream(), on_device<float>(n), !early};
  hold(module, work.stream);
  void* stack =
      mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, stack_bytes);
  pthread_t thread;
  pthread_create(&thread, &attributes, upload, &work);
  pthread_join(thread, nullptr);
  unmap(stack, stack_bytes);
  OK(hipDeviceSynchronize());
  expect(to_host(work.values, n)[n - 1] == 6.0f, "the values are there");
  return 0;
}
