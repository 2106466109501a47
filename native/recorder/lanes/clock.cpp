#include "recorder/lanes/clock.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>

#include "recorder/lanes/own_files.h"

namespace greta::recorder {

bool g_ticks_are_counter = false;

namespace {

constexpr size_t kMostRead = 4096;

size_t read_beginning(const char* path, char (&text)[kMostRead]) {
  const int file = open_own(path, O_RDONLY);
  if (file < 0) return 0;
  const ssize_t bytes = read(file, text, kMostRead - 1);
  close(file);
  text[bytes > 0 ? bytes : 0] = '\0';
  return bytes > 0 ? static_cast<size_t>(bytes) : 0;
}

}  // namespace

bool counter_is_fit() {
  char text[kMostRead];
  if (read_beginning("/proc/cpuinfo", text) == 0) return false;
  if (!std::strstr(text, " constant_tsc") || !std::strstr(text, " nonstop_tsc")) return false;
  // The kernel has given up the counter where it found the cores to disagree.
  const char* path = "/sys/devices/system/clocksource/clocksource0/available_clocksource";
  if (read_beginning(path, text) == 0) return true;
  return std::strstr(text, "tsc") != nullptr || std::strstr(text, "kvm-clock") != nullptr;
}

}  // namespace greta::recorder
