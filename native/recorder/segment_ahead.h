// The next segment of each lane, mapped by a thread of the recorder's own before it is needed: the
// system takes microseconds for every new page of a file, which no call of the program should pay.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace greta::recorder {

// One segment that was asked for. Shared by the lane and the thread that prepares it.
class SegmentAhead {
 public:
  SegmentAhead(std::string path, uint64_t offset, uint64_t bytes);
  ~SegmentAhead();

  uint64_t offset() const { return offset_; }
  uint64_t bytes() const { return bytes_; }

  // The lane's side: the segment if it is ready. Otherwise null, and whoever prepares it lets it
  // go.
  void* take();
  // The other side.
  void prepare();

 private:
  enum class State { asked_for, ready, taken, not_wanted };

  const std::string path_;
  const uint64_t offset_;
  const uint64_t bytes_;
  void* segment_ = nullptr;
  std::atomic<State> state_{State::asked_for};
};

using SegmentAheadRef = std::shared_ptr<SegmentAhead>;

void prepare_soon(SegmentAheadRef segment);

// The lane is closed: its file gets its true length, by the same thread, so that it is not cut
// while a segment of it is being prepared.
void cut_soon(std::string path, uint64_t bytes);

// In a forked child, which has none of its parent's threads.
void forget_preparing_thread();

}  // namespace greta::recorder
