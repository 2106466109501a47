#include "recorder/lanes/segment_ahead.h"

#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include "recorder/lanes/held_signals.h"
#include "recorder/lanes/mapped_file.h"
#include "recorder/lanes/own_files.h"

namespace greta::recorder {
namespace {

struct Requests {
  std::mutex mutex;
  std::condition_variable ready;
  std::deque<std::function<void()>> queue;
  bool thread_runs = false;
};

Requests& requests() {
  static Requests* const instance = new Requests;
  return *instance;
}

void* prepare_for_ever(void*) {
  have_own_descriptors();
  prctl(PR_SET_NAME, "greta-recorder");  // pthread_setname_np would open a file for it
  Requests& all = requests();
  for (;;) {
    std::unique_lock<std::mutex> lock(all.mutex);
    all.ready.wait(lock, [&] { return !all.queue.empty(); });
    const std::function<void()> task = std::move(all.queue.front());
    all.queue.pop_front();
    lock.unlock();
    task();
  }
  return nullptr;
}

// Signals are for the program's own threads.
bool start_thread() {
  constexpr size_t kStackBytes = 256 * 1024;
  const HeldSignals held;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  const bool started = pthread_create(&thread, &attributes, prepare_for_ever, nullptr) == 0;
  pthread_attr_destroy(&attributes);
  return started;
}

bool leave_to_thread(std::function<void()> task) {
  Requests& all = requests();
  std::lock_guard<std::mutex> lock(all.mutex);
  if (!all.thread_runs) return false;
  all.queue.push_back(std::move(task));
  all.ready.notify_one();
  return true;
}

}  // namespace

SegmentAhead::SegmentAhead(std::string path, uint64_t offset, uint64_t bytes)
    : path_(std::move(path)), offset_(offset), bytes_(bytes) {}

SegmentAhead::~SegmentAhead() { unmap(segment_, bytes_); }

void* SegmentAhead::take() {
  const std::lock_guard<std::mutex> lock(mutex_);
  taken_ = true;
  return std::exchange(segment_, nullptr);
}

void SegmentAhead::prepare() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!taken_) segment_ = map_file_part(path_.c_str(), offset_, bytes_);
}

void prepare_soon(SegmentAheadRef segment) {
  {
    Requests& all = requests();
    std::lock_guard<std::mutex> lock(all.mutex);
    if (!all.thread_runs) all.thread_runs = start_thread();
  }
  // Without the thread the lane maps it when it gets there.
  leave_to_thread([segment = std::move(segment)] { segment->prepare(); });
}

void unmap_soon(void* segment, uint64_t bytes) {
  if (!leave_to_thread([=] { unmap(segment, bytes); })) unmap(segment, bytes);
}

void cut_soon(std::string path, uint64_t bytes) {
  // If it cannot be cut, it ends with zeros, which readers take for its end.
  const auto cut = [path = std::move(path), bytes] {
    [[maybe_unused]] const int result = truncate(path.c_str(), static_cast<off_t>(bytes));
  };
  if (!leave_to_thread(cut)) cut();
}

void forget_preparing_thread() {
  // What the parent had queued is its own; its memory is not worth the risk of touching it.
  new (&requests()) Requests;
}

}  // namespace greta::recorder
