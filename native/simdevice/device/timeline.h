// How far a stream has come. Tickets are handed out at submission, 1, 2, 3 ...; a stream completes
// them in that order. A marker (timeline, ticket) stands for "that operation has finished" and
// outlives the stream and the event it came from.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace greta::sim {

using Ticket = uint64_t;

class Timeline {
 public:
  Ticket completed() const { return completed_.load(std::memory_order_acquire); }
  void complete(Ticket ticket);
  // Blocks until `ticket` is complete, or the process-wide GPU error is set.
  void wait(Ticket ticket) const;

 private:
  std::atomic<Ticket> completed_{0};
  std::atomic<uint32_t> changed_{0};
  mutable std::atomic<uint32_t> sleepers_{0};
};

struct Marker {
  std::shared_ptr<Timeline> timeline;
  Ticket ticket = 0;

  bool done() const { return !timeline || timeline->completed() >= ticket; }
  void wait() const {
    if (timeline) timeline->wait(ticket);
  }
};

}  // namespace greta::sim
