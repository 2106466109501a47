#include "recorder/lanes/own_files.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>

#include "recorder/lanes/held_signals.h"

namespace greta::recorder {
namespace {

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
constexpr unsigned kUnshare = 2;  // CLOSE_RANGE_UNSHARE

constexpr int kStreams = 3;  // 0, 1 and 2
constexpr int kMostTries = 8;

__attribute__((tls_model("initial-exec"))) thread_local bool t_has_own_descriptors = false;

int open_lowest(const char* path, int flags) {
  long file = -1;
  do {
    file = syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0666);
  } while (file < 0 && errno == EINTR);
  return static_cast<int>(file);
}

void close_now(int file) { syscall(SYS_close, file); }

// --- one at a time -------------------------------------------------------------------------------

// The process one of whose threads opens a file; 0: none does. By its id a child knows that what it
// finds here was left by a thread of its parent.
std::atomic<pid_t> g_opener{0};

// While it lives no other thread of ours opens a file.
class OnlyOpener {
 public:
  OnlyOpener() {
    const pid_t process = getpid();
    for (pid_t found = 0; !g_opener.compare_exchange_weak(found, process);) {
      if (found != process) continue;
      sched_yield();
      found = 0;
    }
  }
  ~OnlyOpener() { g_opener.store(0); }
  OnlyOpener(const OnlyOpener&) = delete;
  OnlyOpener& operator=(const OnlyOpener&) = delete;

 private:
  const HeldSignals held_;
};

// --- closed streams ------------------------------------------------------------------------------

bool is_open(int file) { return fcntl(file, F_GETFD) >= 0; }

// Takes the place of standard streams that are closed. Who writes to such a place finds, as before,
// that nothing can be written there (EBADF): it is a mere name of the root folder.
class StreamsKept {
 public:
  StreamsKept() {
    if (is_open(0) && is_open(1) && is_open(2)) return;
    for (int filler; (filler = open_lowest("/", O_PATH)) >= 0;) {
      if (filler >= kStreams) {
        close_now(filler);
        break;
      }
      ours_[filler] = true;
    }
  }
  ~StreamsKept() {
    const int error = errno;
    for (int stream = 0; stream < kStreams; ++stream) {
      if (ours_[stream] && is_filler(stream)) close_now(stream);
    }
    errno = error;
  }
  StreamsKept(const StreamsKept&) = delete;
  StreamsKept& operator=(const StreamsKept&) = delete;

 private:
  // The program may have put a file of its own there in the meantime.
  static bool is_filler(int stream) {
    const int flags = fcntl(stream, F_GETFL);
    return flags >= 0 && (flags & O_PATH) != 0;
  }

  bool ours_[kStreams] = {};
};

int open_above_streams(const char* path, int flags) {
  const OnlyOpener alone;
  const StreamsKept kept;
  return open_lowest(path, flags);
}

}  // namespace

int open_own(const char* path, int flags) {
  if (t_has_own_descriptors) return open_lowest(path, flags);
  for (int i = 0; i < kMostTries; ++i) {
    const int file = open_above_streams(path, flags);
    if (file < 0 || file >= kStreams) return file;
    close_now(file);  // the program has closed a stream after we had looked
  }
  errno = EBADF;
  return -1;
}

void have_own_descriptors() {
  t_has_own_descriptors = syscall(SYS_close_range, 0u, UINT_MAX, kUnshare) == 0;
}

}  // namespace greta::recorder
