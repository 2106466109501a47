#include "device/recorder_notes.h"

#include <dlfcn.h>

#include <atomic>

#include "device/address_map.h"
#include "device/fault.h"
#include "device/settings.h"
#include "device/work.h"
#include "device/written.h"

namespace greta::sim {
namespace {

struct Recorder {
  greta_recorder_current_call_type* current_call = nullptr;
  greta_recorder_footprint_type* footprint = nullptr;
  greta_recorder_fault_type* fault = nullptr;
  greta_recorder_variable_type* variable = nullptr;
};

template <typename Function>
void find(Function** function, const char* name) {
  *function = reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

const Recorder& recorder() {
  static const Recorder found = [] {
    Recorder recorder;
    find(&recorder.current_call, GRETA_CURRENT_CALL_NAME);
    find(&recorder.footprint, GRETA_FOOTPRINT_NAME);
    find(&recorder.fault, GRETA_FAULT_NAME);
    find(&recorder.variable, GRETA_VARIABLE_NAME);
    return recorder;
  }();
  return found;
}

// Farther away it says nothing.
constexpr uintptr_t kNear = uintptr_t{1} << 30;

struct Nearest {
  uint64_t base = 0;
  uint64_t bytes = 0;
};

// The live allocation that holds the address, or the one whose end or begin is nearest.
Nearest nearest_allocation(uintptr_t address) {
  Nearest nearest;
  uintptr_t least = kNear;
  for (const AllocationRef& allocation : address_map().all()) {
    const uintptr_t begin = allocation->base;
    const uintptr_t end = begin + allocation->bytes;
    const uintptr_t distance = address < begin ? begin - address
                               : address < end ? 0
                                               : address - end + 1;
    if (distance >= least || !allocation->live.load()) continue;
    least = distance;
    nearest = {begin, allocation->bytes};
  }
  return nearest;
}

uint32_t event_of(FaultClass what) {
  switch (what) {
    case FaultClass::illegal_access:
      return GRETA_ILLEGAL_ACCESS;
    case FaultClass::trap:
      return GRETA_TRAP;
    case FaultClass::red_zone_damage:
      return GRETA_DAMAGE;
    case FaultClass::outside:
      return GRETA_OUTSIDE;
    case FaultClass::race:
      return GRETA_RACE;
    case FaultClass::barrier:
      return GRETA_BARRIER;
    case FaultClass::unwatched:
      return GRETA_UNWATCHED;
    case FaultClass::approximate:
      return GRETA_APPROXIMATE;
    case FaultClass::heap:
      return GRETA_HEAP;
  }
  return 0;
}

uint32_t known_of(const FaultRecord& record) {
  uint32_t known = 0;
  if (record.address_known) known |= GRETA_ADDRESS_KNOWN | GRETA_ACCESS_KNOWN;
  if (record.block_known) known |= GRETA_BLOCK_KNOWN;
  if (record.thread_known) known |= GRETA_THREAD_KNOWN;
  if (record.space == MemorySpace::shared) known |= GRETA_SHARED;
  if (record.space == MemorySpace::thread_private) known |= GRETA_PRIVATE;
  return known;
}

void put_code(const FaultRecord& record, greta_device_fault* fault) {
  if (record.code == nullptr) return;
  fault->code = record.code->data();
  fault->code_bytes = record.code->size();
  fault->instruction = record.instruction;
}

greta_device_fault note_of(uint32_t event, const WorkPlace& place, const char* operation) {
  greta_device_fault note = {};
  note.size = sizeof note;
  note.event = event;
  note.device = place.device;
  note.call = place.call;
  note.node = place.node;
  note.stream = place.stream;
  note.operation = operation;
  return note;
}

}  // namespace

bool has_recorder() { return recorder().fault != nullptr; }

greta_call current_call() {
  greta_call call = {};
  if (recorder().current_call != nullptr && recorder().current_call(&call) == 0) call = {};
  return call;
}

bool footprints_are_noted() {
  static const bool noted = has_recorder() && settings().footprints;
  return noted;
}

void tell_footprint(const Footprint& footprint, const WorkPlace& place, const char* kernel,
                    bool stopped) {
  if (recorder().footprint == nullptr || place.call.begin == 0) return;
  greta_footprint told = {};
  told.size = sizeof told;
  told.call = place.call;
  told.node = place.node;
  told.kernel = kernel;
  told.stopped = stopped;
  for (size_t kind = 0; kind < kAccessKinds; ++kind) {
    told.accessed[kind] = {footprint[kind].ranges.data(), footprint[kind].ranges.size(),
                           footprint[kind].cut};
  }
  recorder().footprint(&told);
}

void tell_variable(const void* address, size_t bytes, const void* symbol) {
  if (!footprints_are_noted() || recorder().variable == nullptr) return;
  greta_variable told = {};
  told.size = sizeof told;
  told.call = current_call();
  told.address = reinterpret_cast<uint64_t>(address);
  told.bytes = bytes;
  told.symbol = reinterpret_cast<uint64_t>(symbol);
  recorder().variable(&told);
}

void tell_unwritten(const Unwritten& bytes, const WorkPlace& place, const char* operation,
                    const char* kernel) {
  static std::atomic<int> told{0};
  constexpr int kMost = 4096;  // a loop that copies such memory does so for ever
  if (told.fetch_add(1, std::memory_order_relaxed) >= kMost) return;
  greta_device_fault fault = note_of(GRETA_UNWRITTEN, place, operation);
  fault.known =
      GRETA_ADDRESS_KNOWN | GRETA_ACCESS_KNOWN | (bytes.by_pattern ? GRETA_BY_PATTERN : 0u);
  fault.access = GRETA_READ;
  fault.kernel = kernel;
  fault.address = bytes.begin;
  fault.bytes = bytes.bytes;
  // Work that was queued before hipFreeAsync uses memory that is no longer the program's.
  const AllocationRef around = address_map().find_reachable(bytes.begin);
  fault.base = around ? around->base : 0;
  fault.base_bytes = around ? around->bytes : 0;
  recorder().fault(&fault);
}

void tell_graph_memory(const Span& memory, int device, bool is_programs) {
  WorkPlace place;
  place.device = device;
  place.call = current_call();
  greta_device_fault note = note_of(GRETA_GRAPH_MEMORY, place, "graph");
  note.known = GRETA_ADDRESS_KNOWN;
  note.address = memory.begin;
  note.bytes = memory.bytes;
  note.count = is_programs ? 1 : 0;
  recorder().fault(&note);
}

void tell_brought(const std::string& words, size_t bytes, const WorkPlace& place) {
  greta_device_fault fault = note_of(GRETA_BROUGHT, place, "copy");
  fault.message = words.c_str();
  fault.bytes = bytes;
  recorder().fault(&fault);
}

void tell_fault(const FaultRecord& record) {
  if (recorder().fault == nullptr) return;
  greta_device_fault fault = {};
  fault.size = sizeof fault;
  fault.event = event_of(record.what);
  fault.known = known_of(record);
  fault.access = static_cast<uint32_t>(record.access);
  fault.device = record.device;
  fault.call = record.call;
  fault.node = record.node;
  fault.stream = record.stream;
  fault.operation = record.operation.c_str();
  if (!record.kernel.empty()) fault.kernel = record.kernel.c_str();
  if (!record.message.empty()) fault.message = record.message.c_str();
  fault.address = record.address;
  fault.bytes = record.bytes;
  for (size_t i = 0; i < 3; ++i) {
    fault.block[i] = record.block[i];
    fault.thread[i] = record.thread[i];
  }
  Nearest nearest{record.allocation.begin, record.allocation.bytes};
  if (nearest.base == 0 && record.address_known && record.space == MemorySpace::global)
    nearest = nearest_allocation(record.address);
  fault.base = nearest.base;
  fault.base_bytes = nearest.bytes;
  if (!record.variable.empty()) fault.variable = record.variable.c_str();
  fault.sides = record.sides.data();
  fault.side_count = record.sides.size();
  fault.count = record.count;
  put_code(record, &fault);
  recorder().fault(&fault);
}

}  // namespace greta::sim
