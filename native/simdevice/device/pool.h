// Stream-ordered allocation: a pool keeps freed blocks and hands them out again.
//
// A block freed with hipFreeAsync comes back at once to the stream that freed it: what is queued
// there later runs after the free anyway. Another stream gets it only when the free has been
// reached. So one address has several lives, quickly one after the other, as on hardware.
#pragma once

#include <hip/hip_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "device/address_map.h"
#include "device/memory.h"
#include "device/timeline.h"

namespace greta::sim {

class Device;
class Stream;

class MemoryPool : public std::enable_shared_from_this<MemoryPool> {
 public:
  explicit MemoryPool(Device& device, size_t max_bytes = 0)
      : device_(device), max_bytes_(max_bytes) {}
  ~MemoryPool();

  // What another process has exported; null if the file is something else.
  static std::shared_ptr<MemoryPool> import(Device& device, int file);
  bool is_imported() const { return imported_; }
  // Its memory may be given to other processes.
  void make_shareable() { shareable_ = true; }
  bool is_shareable() const { return shareable_; }
  // A file that stands for the pool, for whoever is to have it; -1 if there is none.
  int export_file();

  Device& device() const { return device_; }
  // The same for as long as the pool lives, which may be longer than the program knows it.
  void set_handle(hipMemPool_t handle) { handle_ = handle; }
  hipMemPool_t handle() const { return handle_; }

  // Memory for work that `stream` runs from now on.
  AllocateResult allocate(const Stream& stream, size_t bytes);
  // hipFreeAsync: the program has given it up; `free` is the place in `stream` where it is free.
  void give_back(const AllocationRef& allocation, const Stream& stream, const Marker& free);
  // The same for memory that no queued work can use any more.
  void give_back_now(const AllocationRef& allocation);
  // The stream has come to the place of the free.
  void reached(const AllocationRef& allocation);
  // Returns unused blocks to the device until no more than `bytes` are held.
  void trim_to(size_t bytes);
  // At a synchronization: what is above the release threshold goes back.
  void trim_to_threshold();
  // The device has been reset: whatever was allocated from here has been released.
  void reset();

  hipError_t set_attribute(hipMemPoolAttr attribute, void* value);
  hipError_t get_attribute(hipMemPoolAttr attribute, void* value);

 private:
  struct FreeBlock {
    AllocationRef block;  // not in the address map
    uint64_t stream;      // id
    Marker free;
  };

  AllocationRef take_fitting(const Stream& stream, size_t bytes);
  AllocationRef revive(const Allocation& block, size_t bytes, bool pending);
  void drop(Allocation& block);

  Device& device_;
  const size_t max_bytes_;
  hipMemPool_t handle_ = nullptr;
  bool imported_ = false;
  bool shareable_ = false;
  std::shared_ptr<SharedFile> file_;
  std::mutex mutex_;
  std::list<FreeBlock> free_;
  uint64_t release_threshold_ = 0;
  uint64_t reserved_ = 0;
  uint64_t reserved_high_ = 0;
  uint64_t used_ = 0;
  uint64_t used_high_ = 0;
  int reuse_event_dependencies_ = 1;
  int reuse_opportunistic_ = 1;
  int reuse_internal_dependencies_ = 1;
};

using PoolRef = std::shared_ptr<MemoryPool>;

// Trims every pool of the device; called by synchronizing calls.
void trim_pools(Device& device);
// Empties every pool of the device, which goes back to its default one.
void reset_pools(Device& device);
// Pools made by hipMemPoolCreate, so that trim_pools finds them.
void register_pool(const PoolRef& pool);

}  // namespace greta::sim
