#include "api/adopted_variables.h"

#include "device/memory.h"

namespace greta::api {

void AdoptedVariables::adopt(const sim::CodeObject& code, int device) {
  for (const sim::GlobalVariable& variable : code.globals()) {
    const sim::Span span{reinterpret_cast<uintptr_t>(variable.address), variable.bytes};
    auto adopted = sim::adopt(sim::MemoryKind::module, device, span, 0);
    if (adopted.allocation) allocations_.push_back(adopted.allocation);
  }
}

void AdoptedVariables::release() {
  for (const sim::AllocationRef& allocation : allocations_) sim::release(allocation);
  allocations_.clear();
}

}  // namespace greta::api
