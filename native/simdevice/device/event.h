// Events. An event stands for its latest record; a wait keeps the record it saw.
#pragma once

#include <hip/hip_runtime_api.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "device/shared_event.h"
#include "device/timeline.h"

namespace greta::sim {

struct CaptureSequence;
struct GraphNode;

struct EventRecord {
  Marker marker;                       // set before anyone else sees the record
  std::atomic<int64_t> reached_ns{0};  // steady clock, when the marker completed
  bool done() const { return marker.done(); }
};

using EventRecordRef = std::shared_ptr<EventRecord>;

class Event {
 public:
  Event(unsigned flags, int device, std::shared_ptr<SharedEvent> shared = nullptr)
      : flags_(flags), device_(device), shared_(std::move(shared)) {}

  // Set if other processes can have it: then that counts, not last().
  const std::shared_ptr<SharedEvent>& shared() const { return shared_; }

  unsigned flags() const { return flags_; }
  int device() const { return device_; }
  bool has_timing() const { return (flags_ & hipEventDisableTiming) == 0; }

  EventRecordRef last() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return last_;
  }
  void set_last(EventRecordRef record) {
    std::lock_guard<std::mutex> lock(mutex_);
    last_ = std::move(record);
    captured_.reset();
  }

  // A record made in a capturing stream is no record yet: it names a place in the graph.
  std::shared_ptr<CaptureSequence> captured() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return captured_.lock();
  }
  const std::vector<GraphNode*>& captured_nodes() const { return captured_nodes_; }
  void set_captured(const std::shared_ptr<CaptureSequence>& capture,
                    std::vector<GraphNode*> nodes) {
    std::lock_guard<std::mutex> lock(mutex_);
    captured_ = capture;
    captured_nodes_ = std::move(nodes);
  }

 private:
  const unsigned flags_;
  const int device_;
  const std::shared_ptr<SharedEvent> shared_;
  mutable std::mutex mutex_;
  EventRecordRef last_;
  std::weak_ptr<CaptureSequence> captured_;
  std::vector<GraphNode*> captured_nodes_;
};

using EventRef = std::shared_ptr<Event>;

}  // namespace greta::sim
