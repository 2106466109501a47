// Launches on several devices: one call is given a list of them. Each element is recorded by
// itself, behind the call, with its kernel, arguments and stream; whatever asks for launches finds
// them.
#pragma once

#include <cstdint>

#include "contract/recording.h"
#include "recorder/hooks/abi_types.h"
#include "recorder/sites/call_stack.h"

namespace greta::recorder {

// `call` is the record of the call, which has returned `result`. A list that HIP refused is left
// alone: it may be anything.
template <typename Element>
void record_parts(const greta_record& call, const void* list, uint64_t count, int result,
                  HookFrame hook);

extern template void record_parts<abi::hipLaunchParams>(const greta_record&, const void*, uint64_t,
                                                        int, HookFrame);
extern template void record_parts<abi::hipFunctionLaunchParams>(const greta_record&, const void*,
                                                                uint64_t, int, HookFrame);

}  // namespace greta::recorder
