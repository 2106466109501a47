// Stream-ordered allocation and its pools.
#include <cstring>
#include <mutex>

#include "api/generated/impl.h"
#include "api/pool_handles.h"
#include "api/stream_handles.h"
#include "device/capture.h"
#include "device/device.h"
#include "device/enqueue.h"
#include "device/fault.h"
#include "device/graph_allocation.h"
#include "device/handle_table.h"
#include "device/memory.h"
#include "device/shared_memory.h"

namespace greta::api {

using sim::AllocationRef;
using sim::PoolRef;
using sim::StreamRef;

namespace {

sim::HandleTable<sim::MemoryPool>& pool_table() {
  static auto* const table = new sim::HandleTable<sim::MemoryPool>(8);
  return *table;
}

std::mutex g_handles_mutex;

hipError_t allocate_from(void** out, size_t bytes, const PoolRef& pool, hipStream_t handle) {
  if (!out) return hipErrorInvalidValue;
  *out = nullptr;
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  if (!stream) return error;
  if (pool->is_imported()) return hipErrorInvalidValue;
  if (bytes == 0) return hipSuccess;
  const sim::AllocateResult result = pool->allocate(*stream, bytes);
  if (result.error != hipSuccess) return result.error;
  // In a capture the address is fixed now; the node only keeps the place.
  if (sim::is_capturing(*stream)) error = sim::capture_allocation(stream, result.allocation);
  if (error == hipSuccess) {
    *out = reinterpret_cast<void*>(result.allocation->base);
  } else {
    result.allocation->live = false;
    pool->give_back_now(result.allocation);
  }
  return error;
}

// A device always reaches its own memory, for reading and writing.
hipError_t check_access(const sim::MemoryPool& pool, const hipMemAccessDesc& wanted) {
  if (wanted.location.type != hipMemLocationTypeDevice) return hipErrorInvalidValue;
  if (!sim::is_device(wanted.location.id)) return hipErrorInvalidDevice;
  if (wanted.flags > hipMemAccessFlagsProtReadWrite) return hipErrorInvalidValue;
  const bool own = wanted.location.id == pool.device().ordinal();
  if (own && wanted.flags == hipMemAccessFlagsProtNone) return hipErrorInvalidDevice;
  return own && wanted.flags == hipMemAccessFlagsProtRead ? hipErrorNotSupported : hipSuccess;
}

bool is_pool_place(const hipMemLocation* location, hipMemAllocationType type) {
  return location && location->type == hipMemLocationTypeDevice && sim::is_device(location->id) &&
         type == hipMemAllocationTypePinned;
}

PoolRef pool_of(sim::Device& device) {
  std::lock_guard<std::mutex> lock(device.pool_mutex);
  return device.current_pool;
}

}  // namespace

// Default pools get theirs when they are first asked for.
hipMemPool_t pool_handle(const PoolRef& pool) {
  std::lock_guard<std::mutex> lock(g_handles_mutex);
  if (!pool->handle()) pool->set_handle(static_cast<hipMemPool_t>(pool_table().add(pool)));
  return pool->handle();
}

PoolRef find_pool(hipMemPool_t handle) { return pool_table().find(handle); }

hipError_t free_to_pool(const AllocationRef& allocation, const StreamRef& stream) {
  const PoolRef pool = allocation->pool.lock();
  if (!pool || !allocation->live.exchange(false)) return hipErrorInvalidValue;
  if (allocation->is_imported) {  // the memory is another process's; only the view of it goes
    sim::device_at(allocation->device).synchronize();
    if (!sim::device_lost()) sim::release(allocation);
    return hipSuccess;
  }
  const sim::Marker free = stream->submit(sim::PoolFreeWork{pool, allocation});
  pool->give_back(allocation, *stream, free);
  return hipSuccess;
}

hipError_t hipMallocAsync(void** pointer, size_t bytes, hipStream_t handle) {
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  if (!stream) return error;
  return allocate_from(pointer, bytes, pool_of(stream->device()), handle);
}

hipError_t hipMallocFromPoolAsync(void** pointer, size_t bytes, hipMemPool_t handle,
                                  hipStream_t stream) {
  const PoolRef pool = find_pool(handle);
  return pool ? allocate_from(pointer, bytes, pool, stream) : hipErrorInvalidValue;
}

hipError_t hipFreeAsync(void* pointer, hipStream_t handle) {
  if (!pointer) return hipSuccess;
  hipError_t error;
  const StreamRef stream = find_stream(handle, &error);
  if (!stream) return error;
  const auto base = reinterpret_cast<uintptr_t>(pointer);
  const AllocationRef allocation = sim::address_map().find(base);
  if (!allocation || allocation->base != base) return hipErrorInvalidValue;
  if (auto graph = allocation->graph_allocation.lock()) {
    const bool capturing = sim::is_capturing(*stream);
    const bool may = capturing ? graph->claim_free_node() : graph->end_life();
    if (may && !capturing) sim::note_owner(*allocation, false);
    return may ? sim::enqueue(stream, sim::GraphMemoryWork{std::move(graph), false})
               : hipErrorInvalidValue;
  }
  // A graph keeps the memory it was captured with: the node only keeps the place.
  if (sim::is_capturing(*stream)) return sim::capture_free(stream, allocation);
  if (allocation->pool.lock()) return free_to_pool(allocation, stream);
  return api::hipFree(pointer);
}

hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t* pool, int device) {
  if (!pool) return hipErrorInvalidValue;
  if (!sim::is_device(device)) return hipErrorInvalidDevice;
  *pool = pool_handle(sim::device_at(device).default_pool);
  return hipSuccess;
}

hipError_t hipDeviceGetMemPool(hipMemPool_t* pool, int device) {
  if (!pool || !sim::is_device(device)) return hipErrorInvalidValue;
  *pool = pool_handle(pool_of(sim::device_at(device)));
  return hipSuccess;
}

hipError_t hipDeviceSetMemPool(int device, hipMemPool_t handle) {
  const PoolRef pool = find_pool(handle);
  if (!pool || !sim::is_device(device)) return hipErrorInvalidValue;
  if (pool->device().ordinal() != device) return hipErrorInvalidDevice;
  std::lock_guard<std::mutex> lock(sim::device_at(device).pool_mutex);
  sim::device_at(device).current_pool = pool;
  return hipSuccess;
}

hipError_t hipMemPoolCreate(hipMemPool_t* out, const hipMemPoolProps* props) {
  if (!out || !props) return hipErrorInvalidValue;
  if (props->allocType != hipMemAllocationTypePinned ||
      props->location.type != hipMemLocationTypeDevice || !sim::is_device(props->location.id)) {
    return hipErrorInvalidValue;
  }
  const bool shareable = props->handleTypes == hipMemHandleTypePosixFileDescriptor;
  if (props->handleTypes != hipMemHandleTypeNone && !shareable) return hipErrorNotSupported;
  auto pool = std::make_shared<sim::MemoryPool>(sim::device_at(props->location.id), props->maxSize);
  if (shareable) pool->make_shareable();
  sim::register_pool(pool);
  *out = pool_handle(pool);
  return hipSuccess;
}

hipError_t hipMemPoolDestroy(hipMemPool_t handle) {
  const PoolRef pool = find_pool(handle);
  if (!pool || pool == pool->device().default_pool) return hipErrorInvalidValue;
  {
    std::lock_guard<std::mutex> lock(pool->device().pool_mutex);
    if (pool->device().current_pool == pool) {
      pool->device().current_pool = pool->device().default_pool;
    }
  }
  // A queued free, or a thread that asks for its memory's pool, may keep it alive a little longer.
  return pool_table().remove(handle) ? hipSuccess : hipErrorInvalidValue;
}

hipError_t hipMemPoolTrimTo(hipMemPool_t handle, size_t bytes) {
  const PoolRef pool = find_pool(handle);
  if (!pool) return hipErrorInvalidValue;
  pool->trim_to(bytes);
  return hipSuccess;
}

hipError_t hipMemPoolSetAttribute(hipMemPool_t handle, hipMemPoolAttr attribute, void* value) {
  const PoolRef pool = find_pool(handle);
  return pool && value ? pool->set_attribute(attribute, value) : hipErrorInvalidValue;
}

hipError_t hipMemPoolGetAttribute(hipMemPool_t handle, hipMemPoolAttr attribute, void* value) {
  const PoolRef pool = find_pool(handle);
  return pool && value ? pool->get_attribute(attribute, value) : hipErrorInvalidValue;
}

// A pool's memory is device memory like any other: peers reach it when peer access is on.
hipError_t hipMemPoolSetAccess(hipMemPool_t handle, const hipMemAccessDesc* descriptions,
                               size_t count) {
  const PoolRef pool = find_pool(handle);
  if (!pool || (count > 0 && !descriptions)) return hipErrorInvalidValue;
  for (size_t i = 0; i < count; ++i) {
    if (const hipError_t error = check_access(*pool, descriptions[i])) return error;
  }
  const int owner = pool->device().ordinal();
  for (size_t i = 0; i < count; ++i) {
    const hipMemAccessDesc& wanted = descriptions[i];
    if (wanted.location.id == owner) continue;
    const bool reachable = wanted.flags != hipMemAccessFlagsProtNone;
    sim::device_at(wanted.location.id).set_peer(owner, reachable);
  }
  return hipSuccess;
}

hipError_t hipMemPoolGetAccess(hipMemAccessFlags* flags, hipMemPool_t handle,
                               hipMemLocation* location) {
  const PoolRef pool = find_pool(handle);
  if (!flags || !pool || !location) return hipErrorInvalidValue;
  if (location->type != hipMemLocationTypeDevice || !sim::is_device(location->id)) {
    return hipErrorInvalidValue;
  }
  const int owner = pool->device().ordinal();
  const bool reachable = location->id == owner || sim::device_at(location->id).peer_enabled(owner);
  *flags = reachable ? hipMemAccessFlagsProtReadWrite : hipMemAccessFlagsProtNone;
  return hipSuccess;
}

// Only devices have pools; what is asked of the host is refused.
hipError_t hipMemGetDefaultMemPool(hipMemPool_t* pool, hipMemLocation* location,
                                   hipMemAllocationType type) {
  if (!pool || !is_pool_place(location, type)) return hipErrorInvalidValue;
  return api::hipDeviceGetDefaultMemPool(pool, location->id);
}

hipError_t hipMemGetMemPool(hipMemPool_t* pool, hipMemLocation* location,
                            hipMemAllocationType type) {
  if (!pool || !is_pool_place(location, type)) return hipErrorInvalidValue;
  return api::hipDeviceGetMemPool(pool, location->id);
}

hipError_t hipMemSetMemPool(hipMemLocation* location, hipMemAllocationType type,
                            hipMemPool_t pool) {
  if (!is_pool_place(location, type)) return hipErrorInvalidValue;
  return api::hipDeviceSetMemPool(location->id, pool);
}

hipError_t hipMemPoolExportToShareableHandle(void* out, hipMemPool_t handle,
                                             hipMemAllocationHandleType type, unsigned int flags) {
  const PoolRef pool = find_pool(handle);
  if (!out || !pool || flags != 0) return hipErrorInvalidValue;
  if (type != hipMemHandleTypePosixFileDescriptor || !pool->is_shareable()) {
    return hipErrorInvalidValue;
  }
  const int file = pool->export_file();
  if (file < 0) return hipErrorOutOfMemory;
  *static_cast<int*>(out) = file;
  return hipSuccess;
}

// Memory of the other process's pool is reached by hipMemPoolImportPointer; nothing can be
// allocated from it here. The handle is the descriptor itself.
hipError_t hipMemPoolImportFromShareableHandle(hipMemPool_t* out, void* shared,
                                               hipMemAllocationHandleType type,
                                               unsigned int flags) {
  if (!out || !shared || flags != 0) return hipErrorInvalidValue;
  if (type != hipMemHandleTypePosixFileDescriptor) return hipErrorInvalidValue;
  const auto file = static_cast<int>(reinterpret_cast<intptr_t>(shared));
  PoolRef pool = sim::MemoryPool::import(sim::current_device(), file);
  if (!pool) return hipErrorInvalidValue;
  *out = pool_handle(pool);
  return hipSuccess;
}

hipError_t hipMemPoolExportPointer(hipMemPoolPtrExportData* out, void* pointer) {
  if (!out || !pointer) return hipErrorInvalidValue;
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const AllocationRef allocation = sim::address_map().find(address);
  const PoolRef pool = allocation ? allocation->pool.lock() : nullptr;
  if (!pool || !pool->is_shareable()) return hipErrorInvalidValue;
  sim::device_at(allocation->device).synchronize();
  sim::MemoryTicket ticket;
  if (!sim::share(*allocation, address, &ticket)) return hipErrorOutOfMemory;
  static_assert(sizeof ticket <= sizeof *out);
  *out = {};
  std::memcpy(out, &ticket, sizeof ticket);
  return hipSuccess;
}

hipError_t hipMemPoolImportPointer(void** pointer, hipMemPool_t handle,
                                   hipMemPoolPtrExportData* data) {
  const PoolRef pool = find_pool(handle);
  if (!pointer || !pool || !data || !pool->is_imported()) return hipErrorInvalidValue;
  sim::MemoryTicket ticket;
  std::memcpy(static_cast<void*>(&ticket), data, sizeof ticket);
  const AllocationRef opened = sim::open_shared(pool->device(), ticket);
  if (!opened) return hipErrorInvalidValue;
  opened->pool = pool;
  *pointer = reinterpret_cast<void*>(opened->base + ticket.offset);
  return hipSuccess;
}

}  // namespace greta::api
