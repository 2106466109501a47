// Memory that graphs allocate, that is mapped page by page, and that two handles name.
#include <cstring>

#include "hip_check.h"

using namespace scheduler;

namespace {

constexpr size_t kBytes = 6000;

hipGraphExec_t instantiate(hipGraph_t graph) {
  hipGraphExec_t exec = nullptr;
  HIP(hipGraphInstantiateWithFlags(&exec, graph, 0));
  return exec;
}

// Allocates, fills and copies out; frees it again unless the program is to do so.
hipGraph_t graph_with_memory(int value, void* result, bool freed, void** memory) {
  hipGraph_t graph = nullptr;
  HIP(hipGraphCreate(&graph, 0));
  hipMemAllocNodeParams asked{};
  asked.poolProps.allocType = hipMemAllocationTypePinned;
  asked.poolProps.location = {hipMemLocationTypeDevice, 0};
  asked.bytesize = kBytes;
  hipGraphNode_t allocated = nullptr, filled = nullptr, copied = nullptr, given_back = nullptr;
  HIP(hipGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &asked));
  *memory = asked.dptr;
  hipMemsetParams fill{};
  fill.dst = asked.dptr;
  fill.value = static_cast<unsigned>(value);
  fill.elementSize = 1;
  fill.width = kBytes;
  fill.height = 1;
  HIP(hipGraphAddMemsetNode(&filled, graph, &allocated, 1, &fill));
  HIP(hipGraphAddMemcpyNode1D(&copied, graph, &filled, 1, result, asked.dptr, kBytes,
                              hipMemcpyDefault));
  if (freed) HIP(hipGraphAddMemFreeNode(&given_back, graph, &copied, 1, asked.dptr));
  return graph;
}

hipMemAllocationProp on_device() {
  hipMemAllocationProp wanted{};
  wanted.type = hipMemAllocationTypePinned;
  wanted.location = {hipMemLocationTypeDevice, 0};
  return wanted;
}

void allow(void* address, size_t bytes) {
  hipMemAccessDesc rights{};
  rights.location = {hipMemLocationTypeDevice, 0};
  rights.flags = hipMemAccessFlagsProtReadWrite;
  HIP(hipMemSetAccess(address, bytes, &rights, 1));
}

}  // namespace

TEST(graphs_allocate_and_free_beside_each_other) {
  on_threads(kThreads, [](int thread) {
    Stream stream;
    void *raw = nullptr, *memory = nullptr;
    HIP(hipHostMalloc(&raw, kBytes, 0));
    auto* result = static_cast<unsigned char*>(raw);
    for (const bool freed : {true, false}) {
      const hipGraph_t graph = graph_with_memory(thread + 1, raw, freed, &memory);
      const hipGraphExec_t exec = instantiate(graph);
      for (int i = 0; i < 20 * kRounds; ++i) {
        HIP(hipGraphLaunch(exec, stream));
        if (!freed) HIP(hipFreeAsync(memory, stream));
        HIP(hipStreamSynchronize(stream));
        CHECK_EQUAL(int{result[kBytes - 1]}, thread + 1);
        result[kBytes - 1] = 0;
        if (i % 8 == 0) HIP(hipDeviceGraphMemTrim(0));
      }
      HIP(hipGraphExecDestroy(exec));
      HIP(hipGraphDestroy(graph));
    }
    HIP(hipHostFree(raw));
  });
}

TEST(event_nodes_order_graphs_of_two_streams) {
  on_threads(kThreads, [](int) {
    Stream first, second;
    Event written, read;
    int shared = 0;  // only the events order the accesses to it
    hipHostNodeParams add{[](void* value) { ++*static_cast<int*>(value); }, &shared};
    hipGraph_t graphs[2];
    hipGraphExec_t execs[2];
    for (int side = 0; side < 2; ++side) {
      hipGraphNode_t waited = nullptr, added = nullptr, recorded = nullptr;
      HIP(hipGraphCreate(&graphs[side], 0));
      HIP(hipGraphAddEventWaitNode(&waited, graphs[side], nullptr, 0, side ? written : read));
      HIP(hipGraphAddHostNode(&added, graphs[side], &waited, 1, &add));
      HIP(hipGraphAddEventRecordNode(&recorded, graphs[side], &added, 1, side ? read : written));
      execs[side] = instantiate(graphs[side]);
    }
    for (int i = 0; i < 50 * kRounds; ++i) {
      HIP(hipGraphLaunch(execs[0], first));
      HIP(hipGraphLaunch(execs[1], second));
    }
    HIP(hipStreamSynchronize(second));
    CHECK_EQUAL(shared, 100 * kRounds);
    HIP(hipStreamSynchronize(first));
    for (int side = 0; side < 2; ++side) {
      HIP(hipGraphExecDestroy(execs[side]));
      HIP(hipGraphDestroy(graphs[side]));
    }
  });
}

TEST(memory_is_mapped_and_unmapped_while_others_use_theirs) {
  on_threads(kThreads, [](int thread) {
    Stream stream;
    const hipMemAllocationProp wanted = on_device();
    size_t page = 0;
    HIP(hipMemGetAllocationGranularity(&page, &wanted, hipMemAllocationGranularityMinimum));
    for (int i = 0; i < 5 * kRounds; ++i) {
      void* address = nullptr;
      hipMemGenericAllocationHandle_t memory{};
      HIP(hipMemAddressReserve(&address, 2 * page, 0, nullptr, 0));
      HIP(hipMemCreate(&memory, page, &wanted, 0));
      auto* second = static_cast<char*>(address) + page;
      HIP(hipMemMap(address, page, 0, memory, 0));
      HIP(hipMemMap(second, page, 0, memory, 0));  // the same memory twice
      HIP(hipMemRelease(memory));
      allow(address, 2 * page);
      HIP(hipMemsetAsync(address, thread + 1, page, stream));
      unsigned char seen[16] = {};
      HIP(hipMemcpyAsync(seen, second + page - 16, 16, hipMemcpyDefault, stream));
      CHECK_EQUAL(int{seen[15]}, thread + 1);
      HIP(hipStreamSynchronize(stream));
      HIP(hipMemUnmap(address, 2 * page));
      HIP(hipMemAddressFree(address, 2 * page));
    }
  });
}

TEST(a_pool_is_exported_and_imported_by_many) {
  hipMemPoolProps properties{};
  properties.allocType = hipMemAllocationTypePinned;
  properties.handleTypes = hipMemHandleTypePosixFileDescriptor;
  properties.location = {hipMemLocationTypeDevice, 0};
  hipMemPool_t pool = nullptr;
  HIP(hipMemPoolCreate(&pool, &properties));
  on_threads(kThreads, [&](int) {
    for (int i = 0; i < 5 * kRounds; ++i) {
      Stream stream;
      void* memory = nullptr;
      HIP(hipMallocFromPoolAsync(&memory, kBytes, pool, stream));
      hipMemPoolPtrExportData exported{};
      HIP(hipMemPoolExportPointer(&exported, memory));
      HIP(hipFreeAsync(memory, stream));
    }
  });
  HIP(hipMemPoolDestroy(pool));
}
