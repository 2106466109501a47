#include "device/log.h"

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <cstdarg>
#include <cstdio>

#include "device/settings.h"

namespace greta::sim {
namespace {

// AMD prints the line of its own source there. Ours means nothing to a reader; a constant keeps
// the column.
constexpr int kSourceLine = 1;

long long now_us() {
  using namespace std::chrono;
  return duration_cast<microseconds>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace

bool logs(int level) { return level <= settings().log_level; }

void log_line(int level, const char* file, const char* format, ...) {
  if (!logs(level)) return;
  char text[2048];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  char who[64] = "";
  if (level > 0) {
    std::snprintf(who, sizeof who, "[pid:%-5d tid: 0x%lx]", static_cast<int>(getpid()),
                  static_cast<unsigned long>(pthread_self()));
  }
  // One call, so that lines of several threads do not mix.
  std::fprintf(stderr, ":%d:%-25s:%-4d: %010lld us: %s %s\n", level, file, kSourceLine, now_us(),
               who, text);
}

}  // namespace greta::sim
