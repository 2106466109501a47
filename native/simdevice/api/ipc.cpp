// Memory and events of other processes.
#include <unistd.h>

#include <cstring>

#include "api/event_handles.h"
#include "api/generated/impl.h"
#include "device/device.h"
#include "device/fault.h"
#include "device/memory.h"
#include "device/shared_event.h"
#include "device/shared_memory.h"

namespace greta::api {
namespace {

constexpr uint64_t kMemoryMark = 0x4D43504947524554;
constexpr uint64_t kEventMark = 0x4543504947524554;

// What lies in a handle: a mark, and the ticket.
template <typename Ticket>
struct Sealed {
  uint64_t mark;
  Ticket ticket;
};

template <typename Ticket, typename Handle>
void seal(uint64_t mark, const Ticket& ticket, Handle* handle) {
  const Sealed<Ticket> sealed{mark, ticket};
  static_assert(sizeof sealed <= sizeof *handle);
  std::memset(handle, 0, sizeof *handle);
  std::memcpy(handle, &sealed, sizeof sealed);
}

// False if it is no handle of ours.
template <typename Ticket, typename Handle>
bool unseal(uint64_t mark, const Handle& handle, Ticket* ticket) {
  Sealed<Ticket> sealed;
  std::memcpy(static_cast<void*>(&sealed), &handle, sizeof sealed);
  *ticket = sealed.ticket;
  return sealed.mark == mark;
}

bool can_be_shared(const sim::Allocation& allocation) {
  return allocation.kind == sim::MemoryKind::device && !allocation.mapping &&
         !allocation.is_imported && allocation.placed.pages.bytes != 0;
}

}  // namespace

hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t* handle, void* pointer) {
  if (!handle || !pointer) return hipErrorInvalidValue;
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const sim::AllocationRef allocation = sim::address_map().find(address);
  if (!allocation || !can_be_shared(*allocation)) return hipErrorInvalidValue;
  sim::device_at(allocation->device).synchronize();
  sim::MemoryTicket ticket;
  if (!sim::share(*allocation, address, &ticket)) return hipErrorOutOfMemory;
  seal(kMemoryMark, ticket, handle);
  return hipSuccess;
}

hipError_t hipIpcOpenMemHandle(void** pointer, hipIpcMemHandle_t handle, unsigned int flags) {
  if (!pointer || flags != hipIpcMemLazyEnablePeerAccess) return hipErrorInvalidValue;
  sim::MemoryTicket ticket;
  if (!unseal(kMemoryMark, handle, &ticket)) return hipErrorInvalidValue;
  if (ticket.file.process == getpid()) return hipErrorInvalidContext;
  const sim::AllocationRef opened = sim::open_shared(sim::current_device(), ticket);
  if (!opened) return hipErrorInvalidDevicePointer;
  *pointer = reinterpret_cast<void*>(opened->base + ticket.offset);
  return hipSuccess;
}

hipError_t hipIpcCloseMemHandle(void* pointer) {
  if (!pointer) return hipErrorInvalidValue;
  const sim::AllocationRef opened = sim::address_map().find(reinterpret_cast<uintptr_t>(pointer));
  if (!opened || !opened->is_imported) return hipErrorInvalidValue;
  sim::device_at(opened->device).synchronize();
  if (!sim::device_lost()) sim::release(opened);
  return hipSuccess;
}

hipError_t hipIpcGetEventHandle(hipIpcEventHandle_t* handle, hipEvent_t event_handle) {
  const sim::EventRef event = find_event(event_handle);
  if (!handle || !event) return hipErrorInvalidValue;
  if (!event->shared()) return hipErrorInvalidConfiguration;
  seal(kEventMark, event->shared()->ticket(), handle);
  return hipSuccess;
}

hipError_t hipIpcOpenEventHandle(hipEvent_t* out, hipIpcEventHandle_t handle) {
  sim::FileTicket ticket;
  if (!out || !unseal(kEventMark, handle, &ticket)) return hipErrorInvalidValue;
  auto shared = sim::SharedEvent::open(ticket);
  if (!shared) return hipErrorInvalidValue;
  constexpr unsigned kFlags = hipEventInterprocess | hipEventDisableTiming;
  *out = static_cast<hipEvent_t>(event_table().add(
      std::make_shared<sim::Event>(kFlags, sim::current_ordinal(), std::move(shared))));
  return hipSuccess;
}

}  // namespace greta::api
