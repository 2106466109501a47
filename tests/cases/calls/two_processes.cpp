// One process owns a buffer, another one fills it; an event of both says when. Before, the owner
// fills it itself, on another stream, and an event tells the other process when.
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

int second(const char* variant, char** texts) {
  const char *memory_text = texts[0], *event_text = texts[1], *begin_text = texts[2];
  void* memory = nullptr;
  hipEvent_t event, begin;
  OK(hipIpcOpenMemHandle(&memory, handle_of<hipIpcMemHandle_t>(memory_text),
                         hipIpcMemLazyEnablePeerAccess));
  OK(hipIpcOpenEventHandle(&event, handle_of<hipIpcEventHandle_t>(event_text)));
  OK(hipIpcOpenEventHandle(&begin, handle_of<hipIpcEventHandle_t>(begin_text)));
  const hipStream_t stream = new_stream();
  OK(hipStreamWaitEvent(stream, begin, 0));
  if (std::strcmp(variant, "closed_first") == 0) OK(hipIpcCloseMemHandle(memory));
  OK(hipMemsetAsync(memory, 7, kBytes, stream));
  OK(hipEventRecord(event, stream));
  // Whether the next call waits for the fill, HIP does not say.
  if (std::strcmp(variant, "closed_in_flight") != 0) OK(hipStreamSynchronize(stream));
  OK(hipIpcCloseMemHandle(memory));
  OK(hipStreamSynchronize(stream));
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count == 5) return second(words[1], words + 2);
  unsigned char* const memory = on_device<unsigned char>(kBytes);
  hipEvent_t event, begin;
  OK(hipEventCreateWithFlags(&event, hipEventInterprocess | hipEventDisableTiming));
  OK(hipEventCreateWithFlags(&begin, hipEventInterprocess | hipEventDisableTiming));
  const hipStream_t fills = new_stream(), reads = new_stream();
  const bool too_early = is(count, words, "recorded_first");
  if (too_early) OK(hipEventRecord(begin, fills));
  OK(hipMemsetAsync(memory, 1, kBytes, fills));
  if (!too_early) OK(hipEventRecord(begin, fills));
  hipIpcMemHandle_t memory_handle;
  hipIpcEventHandle_t event_handle, begin_handle;
  OK(hipIpcGetMemHandle(&memory_handle, memory));
  OK(hipIpcGetEventHandle(&event_handle, event));
  OK(hipIpcGetEventHandle(&begin_handle, begin));
  const std::string first = text_of(memory_handle), other = text_of(event_handle),
                    third = text_of(begin_handle);
  const pid_t child = vfork();
  if (child == 0) {
    execl("/proc/self/exe", words[0], count > 1 ? words[1] : "right", first.c_str(), other.c_str(),
          third.c_str(), nullptr);
    _exit(98);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) return 1;
  // The other process has waited for this one's first fill, and this one waits for the other: it
  // has ended, or its event has happened.
  unsigned char* const copy = on_device<unsigned char>(kBytes);
  if (!is(count, words, "told")) OK(hipStreamWaitEvent(reads, event, 0));
  OK(hipMemcpyAsync(copy, memory, kBytes, hipMemcpyDeviceToDevice, reads));
  OK(hipStreamSynchronize(reads));
  tell(to_host(copy, kBytes)[kBytes - 1] == 7, "the other process filled it last");
  return 0;
}
