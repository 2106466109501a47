// What a stream or a graph node can be asked to do, as plain values: a stream queues them, a graph
// keeps them and runs copies of them at every launch.
#pragma once

#include <hip/hip_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "device/address_map.h"
#include "device/executor.h"
#include "device/function.h"
#include "device/kernel_arguments.h"
#include "device/timeline.h"

namespace greta::sim {

class Event;
class GraphAllocation;
class SharedEvent;
struct EventRecord;
struct FaultRecord;
struct GraphPlan;
class MemoryPool;

struct KernelWork {
  // Does not keep its code loaded: hipModuleUnload waits for the queues, and a count that one
  // thread raises and another lowers at every launch would cost more than the launch. A graph's
  // node holds a reference beside it.
  const Function* function = nullptr;
  Dim3 grid;
  Dim3 block;
  uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  KernelArguments arguments;
};

// A box of bytes; a plain copy has one row, a rectangle one slice.
struct CopyWork {
  uintptr_t dst = 0;
  uintptr_t src = 0;
  size_t width = 0;
  size_t height = 1;
  size_t dst_pitch = 0;
  size_t src_pitch = 0;
  size_t depth = 1;
  size_t dst_slice = 0;  // bytes from one slice to the next
  size_t src_slice = 0;
  // Holds the bytes of a pageable source that was read at submission; then src points into it.
  std::shared_ptr<std::vector<unsigned char>> staged;
};

struct FillWork {
  uintptr_t dst = 0;
  uint32_t value = 0;
  unsigned element_bytes = 1;
  size_t width = 0;  // in elements
  size_t height = 1;
  size_t pitch = 0;  // in bytes
  size_t depth = 1;
  size_t slice = 0;  // in bytes
};

struct HostWork {
  hipHostFn_t function = nullptr;
  void* data = nullptr;
};

struct CallbackWork {
  hipStreamCallback_t function = nullptr;
  hipStream_t stream = nullptr;
  void* data = nullptr;
};

// Writes the time at which the event's marker was reached.
struct EventWork {
  std::shared_ptr<EventRecord> record;
};

struct WriteValueWork {
  uintptr_t address = 0;
  uint64_t value = 0;
  unsigned bytes = 4;
};

struct WaitValueWork {
  uintptr_t address = 0;
  uint64_t value = 0;
  uint64_t mask = 0;
  unsigned condition = 0;  // hipStreamWaitValueGte, Eq, And, Nor
  unsigned bytes = 4;
};

// hipFreeAsync: from here on the block may be given out again.
struct PoolFreeWork {
  std::shared_ptr<MemoryPool> pool;
  AllocationRef allocation;
};

// Writes to memory and waits for it, one after the other.
struct BatchWork {
  std::vector<std::variant<WriteValueWork, WaitValueWork>> operations;
};

// Of an event that other processes have: its record is reached, or waited for.
struct SharedEventWork {
  std::shared_ptr<SharedEvent> event;
  uint64_t number = 0;
  bool waits = false;
};

// Of a graph's node: records the event, or waits for what it stood for when the graph was launched.
struct GraphEventWork {
  std::shared_ptr<Event> event;
  bool waits = false;
};

// Of a graph's node: from here on its memory is there, or no longer.
struct GraphMemoryWork {
  std::shared_ptr<GraphAllocation> memory;
  bool allocates = false;
};

struct LaunchedEvents;

struct GraphWork {
  std::shared_ptr<const GraphPlan> plan;
  std::shared_ptr<LaunchedEvents> events;  // of this launch; null if the graph has no event nodes
};

// What comes after it in the stream comes after these, too.
struct WaitWork {
  std::vector<Marker> markers;
};

// A point in the stream.
struct EmptyWork {};

using Work = std::variant<EmptyWork, WaitWork, KernelWork, CopyWork, FillWork, HostWork,
                          CallbackWork, EventWork, WriteValueWork, WaitValueWork, PoolFreeWork,
                          GraphWork, BatchWork, GraphEventWork, GraphMemoryWork, SharedEventWork>;

// Where a piece of work runs, for the record of a fault.
struct WorkPlace {
  int device = 0;
  uintptr_t stream = 0;
  uint64_t operation_number = 0;
  greta_call call{};  // that submitted it, if it is recorded
  greta_call node{};  // of a graph's node: the call that said what it does
};

// What the guard saw, with the place of the work that ended there.
FaultRecord record_of(const FaultReport& fault, const WorkPlace& place, const char* operation);

// Run it to its end on the calling thread; a fault is reported to the process.
void run_work(const Work& work, const WorkPlace& place);
void run_kernel(const KernelWork& work, const WorkPlace& place);

}  // namespace greta::sim
