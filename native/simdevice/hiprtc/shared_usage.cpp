#include "hiprtc/shared_usage.h"

namespace greta::hiprtc {

uint32_t SharedUsage::bytes_used_from(const std::string& function) const {
  Found seen;
  for (uint32_t i = 0; i < object_.symbols().size(); ++i)
    if (object_.symbols()[i].name == function && object_.symbols()[i].type == STT_FUNC)
      follow(i, seen);
  uint64_t bytes = 0;
  for (uint32_t index : seen) {
    const ObjectSymbol& symbol = object_.symbols()[index];
    if (symbol.type == STT_TLS && symbol.section != SHN_UNDEF && !is_own_variable(symbol))
      bytes += symbol.size;
  }
  return static_cast<uint32_t>(bytes);
}

void SharedUsage::follow(uint32_t function, Found& seen) const {
  if (!seen.insert(function).second) return;
  const ObjectSymbol& symbol = object_.symbols()[function];
  if (symbol.type != STT_FUNC || symbol.section >= object_.sections().size()) return;
  for (const ObjectReference& reference : object_.sections()[symbol.section].references)
    if (reference.offset >= symbol.value && reference.offset < symbol.value + symbol.size)
      follow(resolve(reference), seen);
}

// The assembler writes calls of local functions as "section + distance from the next instruction".
uint32_t SharedUsage::resolve(const ObjectReference& reference) const {
  const ObjectSymbol& target = object_.symbols()[reference.symbol];
  if (target.type != STT_SECTION) return reference.symbol;
  for (uint32_t i = 0; i < object_.symbols().size(); ++i) {
    const ObjectSymbol& symbol = object_.symbols()[i];
    uint64_t place = static_cast<uint64_t>(reference.addend + 4);
    if (symbol.type == STT_FUNC && symbol.section == target.section && symbol.value <= place &&
        place < symbol.value + symbol.size)
      return i;
  }
  return reference.symbol;
}

// threadIdx and the like (simt/include/greta_simt/block.h).
bool SharedUsage::is_own_variable(const ObjectSymbol& symbol) const {
  static const std::set<std::string> kOwn = {"_ZL9threadIdx", "_ZL8blockIdx", "_ZL8blockDim",
                                             "_ZL7gridDim"};
  return kOwn.count(symbol.name) || symbol.name.find("10greta_simt") != std::string::npos;
}

}  // namespace greta::hiprtc
