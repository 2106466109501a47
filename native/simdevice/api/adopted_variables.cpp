#include "api/adopted_variables.h"

#include "device/memory.h"
#include "device/recorder_notes.h"

namespace greta::api {

void AdoptedVariables::adopt(const sim::CodeObject& code, int device,
                             const std::map<std::string, const void*, std::less<>>& symbols) {
  for (const sim::GlobalVariable& variable : code.globals()) {
    const sim::Span span{reinterpret_cast<uintptr_t>(variable.address), variable.bytes};
    auto adopted = sim::adopt(sim::MemoryKind::module, device, span, 0);
    if (!adopted.allocation) continue;
    allocations_.push_back(adopted.allocation);
    const auto symbol = symbols.find(variable.name);
    sim::tell_variable(variable.address, variable.bytes,
                       symbol != symbols.end() ? symbol->second : nullptr);
  }
}

void AdoptedVariables::release() {
  for (const sim::AllocationRef& allocation : allocations_) sim::release(allocation);
  allocations_.clear();
}

}  // namespace greta::api
