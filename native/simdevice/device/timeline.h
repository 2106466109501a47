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
  bool somebody_waits() const { return waiting_.load(std::memory_order_relaxed) != 0; }
  // Blocks until `ticket` is complete, or the process-wide GPU error is set.
  void wait(Ticket ticket) const;

 private:
  static constexpr Ticket kNobody = ~Ticket{0};

  void wait_until_complete(Ticket ticket) const;
  void ask_to_be_woken_at(Ticket ticket) const;

  // On a line of its own: it changes with every operation, the rest hardly ever.
  alignas(64) std::atomic<Ticket> completed_{0};
  // The first ticket that a sleeper waits for: completing an earlier one wakes nobody, so that a
  // long queue costs one wake-up, not one per operation.
  alignas(64) mutable std::atomic<Ticket> wake_at_{kNobody};
  mutable std::atomic<uint32_t> waiting_{0};
  std::atomic<uint32_t> wakes_{0};
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
