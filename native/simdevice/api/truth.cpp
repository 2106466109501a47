// gretaSimGetFaults: the truth, for tests.
#include <hip/greta_sim.h>

#include <cstdio>

#include "api/call_scope.h"
#include "device/fault.h"

namespace greta::api {
namespace {

uint32_t kind_of(sim::FaultClass what) {
  switch (what) {
    case sim::FaultClass::illegal_access:
      return GRETA_SIM_ILLEGAL_ACCESS;
    case sim::FaultClass::trap:
      return GRETA_SIM_TRAP;
    default:
      return GRETA_SIM_RED_ZONE_DAMAGE;
  }
}

template <size_t N>
void put(char (&to)[N], const std::string& from) {
  std::snprintf(to, N, "%s", from.c_str());
}

gretaSimFault to_c(const sim::FaultRecord& record) {
  gretaSimFault fault{};
  fault.kind = kind_of(record.what);
  fault.device = record.device;
  fault.operationNumber = record.operation_number;
  fault.stream = record.stream;
  fault.address = record.address;
  fault.addressKnown = record.address_known;
  fault.isWrite = record.access != sim::AccessKind::read;
  fault.threadKnown = record.thread_known;
  for (size_t i = 0; i < 3; ++i) {
    fault.block[i] = record.block[i];
    fault.thread[i] = record.thread[i];
  }
  put(fault.operation, record.operation);
  put(fault.kernel, record.kernel);
  put(fault.message, record.message);
  return fault;
}

}  // namespace
}  // namespace greta::api

extern "C" GRETA_EXPORT int gretaSimGetFaults(gretaSimFault* faults, int capacity) {
  const auto records = greta::sim::reported_faults();
  const int count = static_cast<int>(records.size());
  for (int i = 0; i < count && i < capacity && faults; ++i) {
    faults[i] = greta::api::to_c(records[static_cast<size_t>(i)]);
  }
  return count;
}
