#include "device/work.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "device/address_map.h"
#include "device/code_object.h"
#include "device/copy.h"
#include "device/executor.h"
#include "device/fault.h"
#include "device/futex.h"
#include "device/graph.h"
#include "device/graph_allocation.h"
#include "device/guard.h"
#include "device/heap_book.h"
#include "device/pool.h"
#include "device/recorder_notes.h"
#include "device/settings.h"
#include "device/shared_event.h"
#include "device/written.h"
#include "gfx/module.h"

namespace greta::sim {
namespace {

// A fault near a replaced argument is told with the address the program gave.
uintptr_t as_given(const KernelWork& work, uintptr_t address) {
  constexpr intptr_t kHalfSlot = intptr_t{8} << 30;
  for (const Unreachable& pair : work.arguments.unreachable()) {
    const auto offset = static_cast<intptr_t>(address - pair.replacement);
    if (offset > -kHalfSlot && offset < kHalfSlot)
      return pair.given + static_cast<uintptr_t>(offset);
  }
  return address;
}

template <typename Action>
void run_reporting(const WorkPlace& place, const char* operation, Action action) {
  if (const FaultReport fault = run_guarded(action)) {
    report_fault(record_of(fault, place, operation));
  }
}

// Where the instruction is in the file of its code object; a fault in a service has none.
void put_code(const Kernel& kernel, uintptr_t instruction, FaultRecord* record) {
  const CodeObject* code = kernel.code_object;
  if (code == nullptr || instruction == 0 || !code->contains(instruction, 1)) return;
  record->code = code->file();
  record->instruction = instruction - code->load_address();
}

void report_outside(const FaultReport& access, const KernelLaunch& launch, const WorkPlace& place) {
  FaultRecord record = record_of(access, place, "kernel");
  record.what = FaultClass::outside;
  put_code(*launch.kernel, access.instruction, &record);
  report_fault(std::move(record));
}

bool is_on_device(uintptr_t address) {
  const AllocationRef found = address_map().find_reachable(address);
  return found && found->kind == MemoryKind::device;
}

// Of a large copy some words, spread over all of it and at no regular distance: rows have one.
void note_brought(const CopyWork& work, const WorkPlace& place) {
  constexpr size_t kMost = 1024;
  const size_t each = std::min<size_t>(work.width, sizeof(uint32_t));
  if (each == 0) return;
  const size_t in_row = work.width / each;
  const size_t all = in_row * work.height * work.depth;
  const size_t step = std::max<size_t>(1, all / kMost);
  std::string words;
  for (size_t i = 0; i * step < all && i < kMost; ++i) {
    const size_t at = std::min(all - 1, i * step + i * 2654435761u % step);
    const size_t row = at / in_row;
    uint32_t word = 0;
    std::memcpy(
        &word,
        reinterpret_cast<const void*>(work.dst + row / work.height * work.dst_slice +
                                      row % work.height * work.dst_pitch + at % in_row * each),
        each);
    char digits[9];
    std::snprintf(digits, sizeof digits, "%08x", word);
    words += digits;
  }
  tell_brought(words, work.width * work.height * work.depth, place);
}

// What comes from memory that nobody wrote is as unwritten where it goes. Only a copy that leaves
// the device is told: the program may look at what it gets.
void note_copied(const CopyWork& work, const WorkPlace& place) {
  if (!has_recorder() || device_lost()) return;
  const bool stays = is_on_device(work.dst);
  if (settings().notes_results && !stays && is_on_device(work.src)) note_brought(work, place);
  bool told = stays;
  for (size_t slice = 0; slice < work.depth; ++slice) {
    for (size_t row = 0; row < work.height; ++row) {
      const uintptr_t src = work.src + slice * work.src_slice + row * work.src_pitch;
      const auto unwritten = find_unwritten(src, work.width);
      if (unwritten && !told) tell_unwritten(*unwritten, place, "copy", nullptr);
      told = told || unwritten;
      if (unwritten) continue;
      note_written(work.dst + slice * work.dst_slice + row * work.dst_pitch, work.width);
    }
  }
}

// Notes what the launch accesses, where that is asked for and its code can tell.
FaultReport execute_noting(KernelLaunch& launch, const WorkPlace& place) {
  if (!footprints_are_noted() || !launch.kernel->notes_accesses) {
    note_unknown_writes();
    return execute(launch);
  }
  LaunchFootprint footprint;
  launch.footprint = &footprint;
  FaultReport fault = execute(launch);
  const Footprint accessed = footprint.take();
  tell_footprint(accessed, place, launch.kernel->name.c_str(), static_cast<bool>(fault));
  if (const auto unwritten = find_unwritten(accessed, footprint.fresh_reads())) {
    tell_unwritten(*unwritten, place, "kernel", launch.kernel->name.c_str());
  }
  note_footprint_written(accessed);
  if (footprint.outside() != nullptr) report_outside(*footprint.outside(), launch, place);
  return fault;
}

// A report of nothing: the launch used more memory than can be watched.
void tell_race(const FaultReport& race, const KernelLaunch& launch, const WorkPlace& place) {
  FaultRecord record = record_of(race, place, "kernel");
  record.what = !race             ? FaultClass::unwatched
                : race.is_barrier ? FaultClass::barrier
                                  : FaultClass::race;
  record.kernel = launch.kernel->name;
  if (!race) record.message = "too much memory";
  record.variable = race.variable;
  if (!race.variable.empty()) record.allocation = race.variable_bytes;
  for (const FaultSide& side : race.sides) {
    put_code(*launch.kernel, side.instruction, &record);
    const uint64_t instruction = side.instruction == 0 ? 0 : record.instruction;
    record.sides.push_back({side.accesses,
                            static_cast<uint32_t>(side.access),
                            {side.block.x, side.block.y, side.block.z},
                            {side.thread.x, side.thread.y, side.thread.z},
                            instruction});
  }
  put_code(*launch.kernel, race.instruction, &record);
  tell_fault(record);
}

// What holds of a kernel is told once.
void tell_of_kernel(FaultClass what, const KernelLaunch& launch, const WorkPlace& place,
                    const std::string& message = "") {
  static std::mutex mutex;
  static auto* const told = new std::set<std::pair<FaultClass, std::string>>;
  const std::lock_guard<std::mutex> lock(mutex);
  if (!told->emplace(what, launch.kernel->name + '\n' + message).second) return;
  FaultRecord record = record_of({}, place, "kernel");
  record.what = what;
  record.kernel = launch.kernel->name;
  record.message = message;
  tell_fault(record);
}

void tell_approximate(const KernelLaunch& launch, const WorkPlace& place) {
  if (launch.kernel->machine_code == nullptr || !has_recorder()) return;
  const std::string names = gfx::approximate_instructions(*launch.kernel->machine_code);
  if (!names.empty()) tell_of_kernel(FaultClass::approximate, launch, place, names);
}

// Races are told to a recorder alone: the program goes on as on hardware.
FaultReport execute_watching(KernelLaunch& launch, const WorkPlace& place) {
  const bool asked = settings().races && has_recorder();
  if (asked && launch.kernel->machine_code == nullptr) {
    tell_of_kernel(FaultClass::unwatched, launch, place);  // only machine code can be watched
  }
  tell_approximate(launch, place);
  std::vector<FaultReport> races;
  if (asked) launch.races = &races;
  std::optional<HeapCaller> heap;
  if (settings().heap && has_recorder()) {
    launch.heap = &heap.emplace(*launch.kernel, record_of({}, place, "kernel"));
  }
  FaultReport fault = execute_noting(launch, place);
  if (heap) tell_heap();
  if (heap && heap->is_unknown()) {
    tell_of_kernel(FaultClass::heap, launch, place, "it does not say where it allocates");
  }
  for (const FaultReport& race : races) tell_race(race, launch, place);
  return fault;
}

struct Runner {
  const WorkPlace& place;

  void operator()(const EmptyWork&) const {}
  void operator()(const WaitWork& work) const {
    for (const Marker& marker : work.markers) marker.wait();
  }
  void operator()(const EventWork&) const {}
  void operator()(const PoolFreeWork& work) const { work.pool->reached(work.allocation); }
  void operator()(const GraphWork& work) const { run_plan(*work.plan, place, work.events.get()); }
  void operator()(const GraphEventWork&) const {}  // see run_plan, which knows the launch
  void operator()(const GraphMemoryWork& work) const {
    work.allocates ? work.memory->show() : work.memory->hide();
  }
  void operator()(const SharedEventWork& work) const {
    work.waits ? work.event->wait(work.number) : work.event->reached(work.number);
  }
  void operator()(const BatchWork& work) const {
    for (const auto& operation : work.operations) {
      if (!device_lost()) std::visit(*this, operation);
    }
  }

  // The program's own code may do anything, also replace the handlers of faults.
  void operator()(const HostWork& work) const {
    work.function(work.data);
    ensure_guard_installed();
  }

  void operator()(const CallbackWork& work) const {
    work.function(work.stream, hipSuccess, work.data);
    ensure_guard_installed();
  }

  void operator()(const KernelWork& work) const { run_kernel(work, place); }

  void operator()(const CopyWork& work) const {
    run_reporting(place, "copy", [&] { do_copy(work); });
    note_copied(work, place);
  }

  void operator()(const FillWork& work) const {
    run_reporting(place, "fill", [&] { do_fill(work); });
    for_each_row(work, [&](uintptr_t at) { note_written(at, work.width * work.element_bytes); });
  }

  void operator()(const WriteValueWork& work) const {
    run_reporting(place, "write value", [&] {
      if (work.bytes == 8) {
        reinterpret_cast<std::atomic<uint64_t>*>(work.address)->store(work.value);
      } else {
        reinterpret_cast<std::atomic<uint32_t>*>(work.address)
            ->store(static_cast<uint32_t>(work.value));
      }
    });
    note_written(work.address, work.bytes);
  }

  void operator()(const WaitValueWork& work) const {
    run_reporting(place, "wait value", [&] {
      while (!satisfied(work) && !device_lost()) cpu_pause();
    });
  }

  static bool satisfied(const WaitValueWork& work) {
    const uint64_t now = work.bytes == 8
                             ? reinterpret_cast<const std::atomic<uint64_t>*>(work.address)->load()
                             : reinterpret_cast<const std::atomic<uint32_t>*>(work.address)->load();
    const uint64_t masked = now & work.mask;
    switch (work.condition) {
      case hipStreamWaitValueEq:
        return masked == (work.value & work.mask);
      case hipStreamWaitValueAnd:
        return (masked & work.value) != 0;
      case hipStreamWaitValueNor:
        return (~(masked | work.value) & work.mask) != 0;
      default:
        return masked >= (work.value & work.mask);
    }
  }
};

}  // namespace

FaultRecord record_of(const FaultReport& fault, const WorkPlace& place, const char* operation) {
  FaultRecord record;
  const bool access = fault.kind == FaultKind::illegal_address;
  record.what = access ? FaultClass::illegal_access : FaultClass::trap;
  record.operation = operation;
  record.kernel = fault.kernel;
  record.message = fault.message;
  record.operation_number = place.operation_number;
  record.stream = place.stream;
  record.device = place.device;
  record.address = fault.address;
  record.address_known = fault.address_known;
  record.bytes = fault.bytes;
  record.access = fault.access;
  record.block = {fault.block.x, fault.block.y, fault.block.z};
  record.thread = {fault.thread.x, fault.thread.y, fault.thread.z};
  record.block_known = fault.block_known;
  record.thread_known = fault.thread_known;
  record.space = fault.space;
  if (fault.space != MemorySpace::global) record.allocation = {0, fault.space_bytes};
  record.call = place.call;
  record.node = place.node;
  return record;
}

void run_work(const Work& work, const WorkPlace& place) { std::visit(Runner{place}, work); }

void run_kernel(const KernelWork& work, const WorkPlace& place) {
  KernelLaunch launch;
  launch.kernel = work.function->kernel;
  launch.grid = work.grid;
  launch.block = work.block;
  launch.dynamic_shared_bytes = work.dynamic_shared_bytes;
  launch.kernarg = work.arguments.data();
  launch.cooperative = work.cooperative;
  launch.device = place.device;
  launch.faults_outside = settings().placement == Placement::strict;
  const FaultReport fault = execute_watching(launch, place);
  if (!fault) return;
  FaultRecord record = record_of(fault, place, "kernel");
  record.kernel = launch.kernel->name;
  record.address = as_given(work, record.address);
  put_code(*launch.kernel, fault.instruction, &record);
  report_fault(std::move(record));
}

}  // namespace greta::sim
