// Everything that the generated hooks use.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "recorder/hooks/abi_types.h"
#include "recorder/hooks/export.h"
#include "recorder/hooks/kernel_arguments.h"
#include "recorder/hooks/modules.h"
#include "recorder/hooks/real_functions.h"
#include "recorder/hooks/recorded_call.h"
#include "recorder/lanes/live_table.h"
#include "recorder/lanes/tables.h"
#include "recorder/watch/added_work.h"
#include "recorder/watch/guards.h"

#define GRETA_CALLER __builtin_return_address(0)
// Where the return address lies.
#define GRETA_STACK (static_cast<const char*>(__builtin_frame_address(0)) + 8)

namespace greta::recorder {

// As a word of a record: signed numbers keep their sign, floating-point numbers their bits.
template <typename T>
uint64_t widened(T value) {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<uint64_t>(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
  } else {
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  }
}

// What a call that succeeded left at the address it was given.
template <typename T>
uint64_t filled(const void* address) {
  if (address == nullptr) return 0;
  T value;
  std::memcpy(&value, address, sizeof value);
  return widened(value);
}
inline void* filled(const void* address) {
  return address != nullptr ? *static_cast<void* const*>(address) : nullptr;
}

// A number inside a struct that the program passes by its address.
template <typename T>
T in_struct(const void* address, size_t offset) {
  T value{};
  if (address != nullptr) {
    std::memcpy(&value, static_cast<const char*>(address) + offset, sizeof value);
  }
  return value;
}

// By its hipMemcpyKind: a copy within a device is only queued.
inline bool copy_blocks(int kind) { return kind != kDeviceToDevice && kind != kDeviceToDeviceNoCu; }

// A free waits for the streams of the device, but not of pool memory, and not of nothing.
inline bool waits_for_device(const void* freed, const LiveTable::Ended& ended) {
  constexpr uint32_t kPlain = (1u << GRETA_RUNTIME_SHIFT) - 1;  // without the library's number
  return freed != nullptr && (ended.kind & kPlain) != GRETA_LIVE_POOL_MEMORY;
}
inline int device_of(const LiveTable::Ended& ended) {
  return ended.handle != 0 ? ended.device : current_device();
}

inline void set_current_device(int device) { current_device() = device; }

inline void* node_function(const void* params) {
  return params != nullptr ? static_cast<const abi::hipKernelNodeParams*>(params)->function
                           : nullptr;
}
inline const void* node_params(const void* params) {
  return params != nullptr ? static_cast<const abi::hipKernelNodeParams*>(params)->kernel_params
                           : nullptr;
}
inline const void* node_extra(const void* params) {
  return params != nullptr ? static_cast<const abi::hipKernelNodeParams*>(params)->extra : nullptr;
}

}  // namespace greta::recorder
