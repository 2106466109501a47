#include "device/work.h"

#include <atomic>
#include <type_traits>

#include "device/code_object.h"
#include "device/copy.h"
#include "device/executor.h"
#include "device/fault.h"
#include "device/futex.h"
#include "device/graph.h"
#include "device/guard.h"
#include "device/pool.h"
#include "device/recorder_notes.h"

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

// Notes what the launch accesses, where that is asked for and its code can tell.
FaultReport execute_noting(KernelLaunch& launch, const WorkPlace& place) {
  if (!footprints_are_noted() || !launch.kernel->notes_accesses) return execute(launch);
  LaunchFootprint footprint;
  launch.footprint = &footprint;
  FaultReport fault = execute(launch);
  tell_footprint(footprint.take(), place, launch.kernel->name.c_str(), static_cast<bool>(fault));
  if (footprint.outside() != nullptr) report_outside(*footprint.outside(), launch, place);
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
  void operator()(const GraphWork& work) const { run_plan(*work.plan, place); }

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
  }

  void operator()(const FillWork& work) const {
    run_reporting(place, "fill", [&] { do_fill(work); });
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
  const FaultReport fault = execute_noting(launch, place);
  if (!fault) return;
  FaultRecord record = record_of(fault, place, "kernel");
  record.kernel = launch.kernel->name;
  record.address = as_given(work, record.address);
  put_code(*launch.kernel, fault.instruction, &record);
  report_fault(std::move(record));
}

}  // namespace greta::sim
