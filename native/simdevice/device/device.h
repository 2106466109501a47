// One simulated GPU: its memory, its streams, whom it may reach.
#pragma once

#include <hip/hip_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "device/address_space.h"
#include "device/stream.h"

namespace greta::sim {

class MemoryPool;

class Device {
 public:
  Device(int ordinal, int physical);

  int ordinal() const { return ordinal_; }
  int physical() const { return physical_; }

  // Memory. Sizes are rounded up to pages for the account, as the real runtime does.
  AddressSpace& space() { return space_; }
  const AddressSpace& space() const { return space_; }
  size_t total_bytes() const { return total_bytes_; }
  size_t free_bytes() const { return total_bytes_ - used_bytes_.load(); }
  bool take_bytes(size_t bytes);
  void give_bytes(size_t bytes);

  // Streams.
  StreamRef create_stream(unsigned flags, int priority);
  Stream& default_stream();     // lives as long as the device
  Stream& per_thread_stream();  // as long as the calling thread
  void forget(const Stream& stream);
  std::vector<Marker> blocking_stream_markers() const;
  void add_default_stream_barriers(const Stream& submitting, std::vector<Marker>& waits);
  // Waits for everything queued on any stream of this device.
  void synchronize();

  // Peers.
  bool peer_enabled(int other) const { return peers_[static_cast<size_t>(other)].load(); }
  // False if it was that way already.
  bool set_peer(int other, bool enabled);

  // The pool that hipMallocAsync uses, and the one that always exists.
  std::shared_ptr<MemoryPool> default_pool;
  std::shared_ptr<MemoryPool> current_pool;
  std::mutex pool_mutex;

  std::atomic<unsigned> flags{0};
  std::atomic<int> cache_config{hipFuncCachePreferNone};
  std::atomic<int> shared_memory_config{hipSharedMemBankSizeFourByte};
  std::atomic<bool> primary_active{false};

 private:
  StreamRef make_stream(Stream::Role role, unsigned flags, int priority);

  const int ordinal_;
  const int physical_;
  const size_t total_bytes_;
  std::atomic<size_t> used_bytes_{0};
  AddressSpace space_;

  mutable std::mutex streams_mutex_;
  std::vector<StreamRef> streams_;
  StreamRef default_stream_;
  std::atomic<Stream*> default_stream_seen_{nullptr};
  std::vector<std::atomic<bool>> peers_;
};

// The devices the program sees; made on first use.
int device_count();
Device& device_at(int ordinal);
// The calling thread's current device.
int current_ordinal();
void set_current_ordinal(int ordinal);
bool has_chosen_device();  // set_current_ordinal was called
inline Device& current_device() { return device_at(current_ordinal()); }
inline bool is_device(int ordinal) { return ordinal >= 0 && ordinal < device_count(); }

// Pinned and managed host memory.
AddressSpace& host_space();
// Addresses that the device hands out, mapped now or not.
bool is_reserved(uintptr_t address);

}  // namespace greta::sim
