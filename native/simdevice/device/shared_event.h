// An event that several processes record and wait for: how many times it was recorded, and how many
// of these have been reached, in memory that all of them show.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "device/shared_memory.h"

namespace greta::sim {

class SharedEvent {
 public:
  // Null if the system gives no memory.
  static std::shared_ptr<SharedEvent> create();
  static std::shared_ptr<SharedEvent> open(const FileTicket& ticket);
  ~SharedEvent();
  SharedEvent(const SharedEvent&) = delete;

  FileTicket ticket() const { return file_->ticket(); }
  // The number of a new record.
  uint64_t record();
  void reached(uint64_t number);
  uint64_t latest() const;
  bool is_reached(uint64_t number) const;
  // Also returns when the device is lost, or whoever was to reach it is gone.
  void wait(uint64_t number) const;

 private:
  struct State {
    std::atomic<uint64_t> recorded;
    std::atomic<uint64_t> reached;
    std::atomic<int32_t> recorder;  // the process of the latest record
  };

  static std::shared_ptr<SharedEvent> show(SharedFileRef file);
  SharedEvent(SharedFileRef file, State* state) : file_(std::move(file)), state_(state) {}

  const SharedFileRef file_;
  State* const state_;
};

}  // namespace greta::sim
