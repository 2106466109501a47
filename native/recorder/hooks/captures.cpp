#include "recorder/hooks/captures.h"

#include <atomic>

#include "recorder/hooks/real_functions.h"

namespace greta::recorder {
namespace {

std::atomic<int> g_captures{0};

}  // namespace

void count_capture(int change) { g_captures.fetch_add(change, std::memory_order_relaxed); }

bool is_captured(void* stream) {
  if (g_captures.load(std::memory_order_relaxed) <= 0) return false;
  // To ask about the default stream can be an error, which the program would then find.
  if (reinterpret_cast<uintptr_t>(stream) <= 1) return true;
  using IsCapturing = int (*)(void*, int*);
  const auto ask = reinterpret_cast<IsCapturing>(real_function(Call::hipStreamIsCapturing));
  int status = 0;
  return ask(stream, &status) != 0 || status != 0;
}

}  // namespace greta::recorder
