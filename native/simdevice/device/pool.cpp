#include "device/pool.h"

#include <fcntl.h>

#include <algorithm>

#include "device/device.h"
#include "device/shared_memory.h"
#include "device/stream.h"

namespace greta::sim {
namespace {

constexpr char kPoolName[] = "greta-memory-pool";

std::mutex g_pools_mutex;

std::vector<std::weak_ptr<MemoryPool>>& created_pools() {
  static auto* const instance = new std::vector<std::weak_ptr<MemoryPool>>;
  return *instance;
}

std::vector<PoolRef> pools_of(Device& device) {
  std::vector<PoolRef> pools{device.default_pool};
  std::lock_guard<std::mutex> lock(g_pools_mutex);
  for (const auto& weak : created_pools()) {
    if (PoolRef pool = weak.lock(); pool && &pool->device() == &device) pools.push_back(pool);
  }
  return pools;
}

// A block much larger than asked for would waste memory.
bool fits(const Allocation& block, size_t bytes) {
  const size_t has = block.placed.pages.bytes;
  return has >= bytes && has / 2 <= std::max(bytes, kPageBytes);
}

}  // namespace

MemoryPool::~MemoryPool() {
  for (const FreeBlock& entry : free_) drop(*entry.block);
}

std::shared_ptr<MemoryPool> MemoryPool::import(Device& device, int file) {
  auto shared = SharedFile::open(kPoolName, file);
  if (!shared) return nullptr;
  auto pool = std::make_shared<MemoryPool>(device);
  pool->imported_ = true;
  pool->file_ = std::move(shared);
  return pool;
}

int MemoryPool::export_file() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!file_) file_ = SharedFile::create(kPoolName, kPageBytes);
  return file_ ? fcntl(file_->file(), F_DUPFD_CLOEXEC, 0) : -1;
}

AllocateResult MemoryPool::allocate(const Stream& stream, size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  AllocationRef allocation = take_fitting(stream, bytes);
  if (!allocation) {
    if (max_bytes_ && reserved_ + bytes > max_bytes_) return {hipErrorOutOfMemory, nullptr};
    AllocateResult fresh = allocate_device(device_, bytes, 0);
    if (fresh.error != hipSuccess) return fresh;
    allocation = fresh.allocation;
    allocation->pool = weak_from_this();
    reserved_ += allocation->placed.pages.bytes;
    reserved_high_ = std::max(reserved_high_, reserved_);
  }
  used_ += allocation->placed.pages.bytes;
  used_high_ = std::max(used_high_, used_);
  return {hipSuccess, allocation};
}

AllocationRef MemoryPool::take_fitting(const Stream& stream, size_t bytes) {
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    // What is captured may be launched on any stream, where the free has perhaps not been reached.
    const bool same_stream = it->stream == stream.id() && !stream.capturing.load();
    const bool reached = reuse_opportunistic_ && it->free.done();
    if (!fits(*it->block, bytes) || !(same_stream || reached)) continue;
    const AllocationRef former = it->block;
    const bool pending = !it->free.done();
    free_.erase(it);
    return revive(*former, bytes, pending);
  }
  return nullptr;
}

AllocationRef MemoryPool::revive(const Allocation& block, size_t bytes, bool pending) {
  AllocationRef next = reincarnate(block, bytes);
  if (pending) next->former = block.reach();
  // Work queued before the free may still write where the new red zone begins.
  if (!pending) fill_red_zones(next->placed);
  next->red_zones_filled = !pending;
  address_map().replace(block, next);
  forget_accessible_ranges();
  return next;
}

void MemoryPool::give_back(const AllocationRef& allocation, const Stream& stream,
                           const Marker& free) {
  std::lock_guard<std::mutex> lock(mutex_);
  used_ -= allocation->placed.pages.bytes;
  free_.push_front({allocation, stream.id(), free});
}

void MemoryPool::give_back_now(const AllocationRef& allocation) {
  reached(allocation);
  std::lock_guard<std::mutex> lock(mutex_);
  used_ -= allocation->placed.pages.bytes;
  free_.push_front({allocation, 0, Marker{}});
}

void MemoryPool::reached(const AllocationRef& allocation) {
  check_red_zones(*allocation);
  if (address_map().remove(*allocation)) forget_accessible_ranges();
}

void MemoryPool::trim_to(size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (auto it = free_.end(); it != free_.begin() && reserved_ > bytes;) {
    --it;
    if (!it->free.done()) continue;
    drop(*it->block);
    it = free_.erase(it);
  }
}

void MemoryPool::trim_to_threshold() {
  uint64_t threshold;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    threshold = release_threshold_;
  }
  trim_to(threshold);
}

void MemoryPool::reset() {
  std::lock_guard<std::mutex> lock(mutex_);
  for (const FreeBlock& entry : free_) drop(*entry.block);
  free_.clear();
  reserved_ = used_ = 0;
}

void MemoryPool::drop(Allocation& block) {
  address_map().remove(block);
  forget_accessible_ranges();
  reserved_ -= block.placed.pages.bytes;
  unmap(block);
}

hipError_t MemoryPool::set_attribute(hipMemPoolAttr attribute, void* value) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto flag = [&] { return *static_cast<const int*>(value); };
  const auto number = [&] { return *static_cast<const uint64_t*>(value); };
  switch (attribute) {
    case hipMemPoolReuseFollowEventDependencies:
      reuse_event_dependencies_ = flag();
      break;
    case hipMemPoolReuseAllowOpportunistic:
      reuse_opportunistic_ = flag();
      break;
    case hipMemPoolReuseAllowInternalDependencies:
      reuse_internal_dependencies_ = flag();
      break;
    case hipMemPoolAttrReleaseThreshold:
      release_threshold_ = number();
      break;
    case hipMemPoolAttrReservedMemHigh:
      if (number() != 0) return hipErrorInvalidValue;
      reserved_high_ = reserved_;
      break;
    case hipMemPoolAttrUsedMemHigh:
      if (number() != 0) return hipErrorInvalidValue;
      used_high_ = used_;
      break;
    default:
      return hipErrorInvalidValue;
  }
  return hipSuccess;
}

hipError_t MemoryPool::get_attribute(hipMemPoolAttr attribute, void* value) {
  std::lock_guard<std::mutex> lock(mutex_);
  int* flag = static_cast<int*>(value);
  uint64_t* number = static_cast<uint64_t*>(value);
  switch (attribute) {
    case hipMemPoolReuseFollowEventDependencies:
      *flag = reuse_event_dependencies_;
      break;
    case hipMemPoolReuseAllowOpportunistic:
      *flag = reuse_opportunistic_;
      break;
    case hipMemPoolReuseAllowInternalDependencies:
      *flag = reuse_internal_dependencies_;
      break;
    case hipMemPoolAttrReleaseThreshold:
      *number = release_threshold_;
      break;
    case hipMemPoolAttrReservedMemCurrent:
      *number = reserved_;
      break;
    case hipMemPoolAttrReservedMemHigh:
      *number = reserved_high_;
      break;
    case hipMemPoolAttrUsedMemCurrent:
      *number = used_;
      break;
    case hipMemPoolAttrUsedMemHigh:
      *number = used_high_;
      break;
    default:
      return hipErrorInvalidValue;
  }
  return hipSuccess;
}

void trim_pools(Device& device) {
  for (const PoolRef& pool : pools_of(device)) pool->trim_to_threshold();
}

void reset_pools(Device& device) {
  for (const PoolRef& pool : pools_of(device)) pool->reset();
  std::lock_guard<std::mutex> lock(device.pool_mutex);
  device.current_pool = device.default_pool;
}

void register_pool(const PoolRef& pool) {
  std::lock_guard<std::mutex> lock(g_pools_mutex);
  auto& pools = created_pools();
  auto gone = [](const std::weak_ptr<MemoryPool>& weak) { return weak.expired(); };
  pools.erase(std::remove_if(pools.begin(), pools.end(), gone), pools.end());
  pools.push_back(pool);
}

}  // namespace greta::sim
