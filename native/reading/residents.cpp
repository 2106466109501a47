// Mapped files, of which no more is resident than is meant to be.
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include "reading/exported.h"
#include "reading/reading.h"

namespace {

constexpr auto look_every = std::chrono::milliseconds(5);

// Bytes of files that are mapped into this process.
int64_t resident_bytes() {
  char text[128] = {};
  long long all = 0, resident = 0, shared = 0;
  int statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (statm < 0) return 0;
  ssize_t read_bytes = read(statm, text, sizeof text - 1);
  close(statm);
  if (read_bytes <= 0) return 0;
  if (std::sscanf(text, "%lld %lld %lld", &all, &resident, &shared) != 3) return 0;
  return shared * sysconf(_SC_PAGESIZE);
}

// A thread lets go of pages while anything is mapped; they stay in the file. Python's threads could
// not: whoever reads a whole table does not let them run.
class Residents {
 public:
  void add(void* address, size_t size, int64_t most) {
    std::lock_guard<std::mutex> lock(mutex_);
    most_ = most;
    if (!is_watched_) std::thread([this] { watch(); }).detach();
    is_watched_ = true;
    mapped_[address] = size;
  }

  void let_go_if_due() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!mapped_.empty() && resident_bytes() > most_) let_go();
  }

  // No page may be let go of behind this: the addresses may then be somebody else's.
  void remove(void* address, size_t size) {
    std::lock_guard<std::mutex> lock(mutex_);
    mapped_.erase(address);
    munmap(address, size);
  }

  // The thread is not there in a forked child, and may have held the mutex.
  void before_fork() { mutex_.lock(); }
  void in_parent() { mutex_.unlock(); }
  void in_child() {
    is_watched_ = false;  // what is mapped from now on starts another one
    mutex_.unlock();
  }

 private:
  void watch() {
    while (look()) std::this_thread::sleep_for(look_every);
  }

  bool look() {
    std::lock_guard<std::mutex> lock(mutex_);
    is_watched_ = !mapped_.empty();
    if (is_watched_ && resident_bytes() > most_) let_go();
    return is_watched_;
  }

  void let_go() {
    for (auto [address, size] : mapped_) madvise(address, size, MADV_DONTNEED);
  }

  std::mutex mutex_;
  std::map<void*, size_t> mapped_;
  int64_t most_ = 0;
  bool is_watched_ = false;
};

// Is never destroyed: its thread may run until the process is over.
Residents& residents() {
  static Residents* const all = [] {
    auto* const made = new Residents;
    pthread_atfork([] { residents().before_fork(); }, [] { residents().in_parent(); },
                   [] { residents().in_child(); });
    return made;
  }();
  return *all;
}

}  // namespace

GRETA_EXPORTED void* greta_reading_map(int file, int64_t size, int64_t resident) {
  auto bytes = static_cast<size_t>(size);
  void* address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (address == MAP_FAILED) return nullptr;
  try {
    residents().add(address, bytes, resident);
  } catch (const std::bad_alloc&) {
  } catch (const std::system_error&) {  // no further thread
  }
  return address;
}

GRETA_EXPORTED void greta_reading_let_go() { residents().let_go_if_due(); }

GRETA_EXPORTED void greta_reading_unmap(void* address, int64_t size) {
  residents().remove(address, static_cast<size_t>(size));
}
