#include "device/kernel_print.h"

#include <atomic>
#include <cstdio>
#include <vector>

namespace greta::sim {
namespace {

std::atomic<bool> g_unflushed{false};

}  // namespace

// Formats into private memory first: a bad %s faults there, where no lock of stdout is held.
int print_from_kernel(const char* format, va_list arguments) {
  static thread_local std::vector<char> text(1024);
  va_list again;
  va_copy(again, arguments);
  int length = std::vsnprintf(text.data(), text.size(), format, arguments);
  if (length >= static_cast<int>(text.size())) {
    text.resize(static_cast<size_t>(length) + 1);
    length = std::vsnprintf(text.data(), text.size(), format, again);
  }
  va_end(again);
  if (length <= 0) return length;
  std::fwrite(text.data(), 1, static_cast<size_t>(length), stdout);
  g_unflushed.store(true, std::memory_order_relaxed);
  return length;
}

void flush_kernel_prints() {
  if (!g_unflushed.load(std::memory_order_relaxed)) return;
  if (g_unflushed.exchange(false, std::memory_order_relaxed)) std::fflush(stdout);
}

}  // namespace greta::sim
