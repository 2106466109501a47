// What is allocated or open right now, in a file of its own: a ring of records forgets where its
// buffers came from, this does not.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "contract/recording.h"

namespace greta::recorder {

class RecordedCall;

class LiveTable {
 public:
  bool open(const char* folder);

  void made(const RecordedCall& call, greta_live_kind kind, uint64_t handle, uint64_t bytes,
            uint64_t flags);
  // What the slot says, too; but somebody may damage the file.
  struct Life {
    greta_live* slot = nullptr;
    uint64_t handle = 0;
    uint64_t bytes = 0;
    uint32_t kind = GRETA_LIVE_FREE;
    int32_t device = 0;
  };
  using Ended = Life;
  // Before the call that ends it; after it, `settle` says whether it did.
  Ended end(const void* handle);
  void settle(const Ended& ended, bool for_good);
  // hipMemUnmap: all memory that begins in these bytes is gone.
  void end_within(const void* begin, uint64_t bytes);

  // hipDeviceReset: memory and streams of the current device are gone.
  void reset(int device);

  // In a forked child. What there was is left where it is: another thread may have been at it.
  void forget();

 private:
  greta_live* free_slot();
  bool grow();
  void take_in(const Life& life);
  void count_memory(const Life& life, bool made);
  template <typename IsGone>
  void end_all(IsGone is_gone);

  std::mutex mutex_;
  char path_[4096 + 16] = {};
  greta_live_header* header_ = nullptr;
  greta_live* next_ = nullptr;  // never used yet
  greta_live* limit_ = nullptr;
  uint64_t file_bytes_ = 0;
  uint64_t made_ = 0;
  std::vector<greta_live*> free_;
  // By handle and HIP library (of_runtime); streams, events and memory never share an address.
  std::unordered_map<uint64_t, Life> by_handle_;
};

LiveTable& live();

}  // namespace greta::recorder
