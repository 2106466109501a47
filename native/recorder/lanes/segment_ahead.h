// The next segment of each lane, mapped by a thread of the recorder's own before it is needed: the
// system takes microseconds for every new page of a file, which no call of the program should pay.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace greta::recorder {

// One segment that was asked for. Shared by the lane and the thread that prepares it.
class SegmentAhead {
 public:
  SegmentAhead(std::string path, uint64_t offset, uint64_t bytes);
  ~SegmentAhead();

  uint64_t offset() const { return offset_; }
  uint64_t bytes() const { return bytes_; }

  // The lane's side: the segment, once it is prepared if that has begun: its file must not be
  // filled with zeros by two. Null if it has not begun, or failed; then it never will.
  void* take();
  // The other side.
  void prepare();

 private:
  const std::string path_;
  const uint64_t offset_;
  const uint64_t bytes_;
  std::mutex mutex_;  // guards what follows; held while the segment is prepared
  void* segment_ = nullptr;
  bool taken_ = false;
};

using SegmentAheadRef = std::shared_ptr<SegmentAhead>;

void prepare_soon(SegmentAheadRef segment);

// The lane has left the segment. Giving 4 MiB back takes the system most of a millisecond.
void unmap_soon(void* segment, uint64_t bytes);

// The lane is closed: its file gets its true length, by the same thread, so that it is not cut
// while a segment of it is being prepared.
void cut_soon(std::string path, uint64_t bytes);

// In a forked child, which has none of its parent's threads.
void forget_preparing_thread();

}  // namespace greta::recorder
