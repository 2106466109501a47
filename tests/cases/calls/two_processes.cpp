// One process owns a buffer, another one fills it; an event of both says when.
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "gpu.h"

namespace {

constexpr size_t kBytes = 1 << 16;

template <typename Handle>
std::string text_of(const Handle& handle) {
  std::string text;
  for (size_t i = 0; i < sizeof handle; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x",
                  reinterpret_cast<const unsigned char*>(&handle)[i]);
    text += digits;
  }
  return text;
}

template <typename Handle>
Handle handle_of(const char* text) {
  Handle handle;
  for (size_t i = 0; i < sizeof handle; ++i) {
    const std::string digits(text + 2 * i, 2);
    reinterpret_cast<unsigned char*>(&handle)[i] =
        static_cast<unsigned char>(std::stoi(digits, nullptr, 16));
  }
  return handle;
}

int second(const char* variant, const char* memory_text, const char* event_text) {
  void* memory = nullptr;
  hipEvent_t event;
  OK(hipIpcOpenMemHandle(&memory, handle_of<hipIpcMemHandle_t>(memory_text),
                         hipIpcMemLazyEnablePeerAccess));
  OK(hipIpcOpenEventHandle(&event, handle_of<hipIpcEventHandle_t>(event_text)));
  const hipStream_t stream = new_stream();
  if (std::strcmp(variant, "closed_first") == 0) OK(hipIpcCloseMemHandle(memory));
  OK(hipMemsetAsync(memory, 7, kBytes, stream));
  OK(hipEventRecord(event, stream));
  OK(hipStreamSynchronize(stream));
  OK(hipIpcCloseMemHandle(memory));
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count == 4) return second(words[1], words[2], words[3]);
  unsigned char* const memory = on_device<unsigned char>(kBytes);
  hipEvent_t event;
  OK(hipEventCreateWithFlags(&event, hipEventInterprocess | hipEventDisableTiming));
  hipIpcMemHandle_t memory_handle;
  hipIpcEventHandle_t event_handle;
  OK(hipIpcGetMemHandle(&memory_handle, memory));
  OK(hipIpcGetEventHandle(&event_handle, event));
  const std::string first = text_of(memory_handle), other = text_of(event_handle);
  const pid_t child = vfork();
  if (child == 0) {
    execl("/proc/self/exe", words[0], count > 1 ? words[1] : "right", first.c_str(), other.c_str(),
          nullptr);
    _exit(98);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) return 1;
  OK(hipEventSynchronize(event));
  expect(to_host(memory, kBytes)[kBytes - 1] == 7, "the other process filled it");
  return 0;
}
