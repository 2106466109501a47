// Devices: count, choice, properties, peers, limits.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "api/device_properties.h"
#include "api/generated/impl.h"
#include "api/stream_handles.h"
#include "device/address_map.h"
#include "device/capture.h"
#include "device/device.h"
#include "device/fault.h"
#include "device/heap_book.h"
#include "device/memory.h"
#include "device/pool.h"

namespace greta::api {
namespace {

constexpr unsigned kKnownDeviceFlags =
    hipDeviceScheduleMask | hipDeviceMapHost | hipDeviceLmemResizeToMax;
constexpr int kBusIdLength = 13;  // "0000:01:00.0" and its end

std::atomic<size_t> g_stack_limit{1024};
std::atomic<size_t> g_printf_limit{size_t{1} << 20};
std::atomic<size_t> g_heap_limit{size_t{4} << 20};

std::string bus_id_of(int ordinal) {
  char text[32];
  std::snprintf(text, sizeof text, "0000:%02x:00.0", sim::device_at(ordinal).physical() + 1);
  return text;
}

std::atomic<size_t>* find_limit(hipLimit_t limit) {
  switch (limit) {
    case hipLimitStackSize:
      return &g_stack_limit;
    case hipLimitPrintfFifoSize:
      return &g_printf_limit;
    case hipLimitMallocHeapSize:
      return &g_heap_limit;
    default:
      return nullptr;
  }
}

bool owned_by(const sim::Allocation& allocation, int ordinal) {
  return allocation.device == ordinal && allocation.kind != sim::MemoryKind::module;
}

}  // namespace

hipError_t hipInit(unsigned int flags) { return flags == 0 ? hipSuccess : hipErrorInvalidValue; }

hipError_t hipDriverGetVersion(int* version) {
  if (!version) return hipErrorInvalidValue;
  *version = HIP_VERSION;
  return hipSuccess;
}

hipError_t hipRuntimeGetVersion(int* version) { return api::hipDriverGetVersion(version); }

hipError_t hipGetDeviceCount(int* count) {
  if (!count) return hipErrorInvalidValue;
  *count = sim::device_count();
  return *count > 0 ? hipSuccess : hipErrorNoDevice;
}

hipError_t hipGetDevice(int* device) {
  if (!device) return hipErrorInvalidValue;
  *device = sim::current_ordinal();
  return hipSuccess;
}

hipError_t hipSetDevice(int device) {
  if (!sim::is_device(device)) return hipErrorInvalidDevice;
  sim::set_current_ordinal(device);
  sim::device_at(device).primary_active = true;
  return hipSuccess;
}

// The first of them is the thread's, unless it has chosen one itself.
hipError_t hipSetValidDevices(int* devices, int count) {
  if (count == 0) return hipSuccess;
  if (!devices || count < 0 || count > sim::device_count()) return hipErrorInvalidValue;
  for (int i = 0; i < count; ++i) {
    if (!sim::is_device(devices[i])) return hipErrorInvalidDevice;
  }
  return sim::has_chosen_device() ? hipSuccess : api::hipSetDevice(devices[0]);
}

hipError_t hipDeviceGet(hipDevice_t* device, int ordinal) {
  if (!device) return hipErrorInvalidValue;
  if (!sim::is_device(ordinal)) return hipErrorInvalidDevice;
  *device = ordinal;
  return hipSuccess;
}

hipError_t hipDeviceGetName(char* name, int length, hipDevice_t device) {
  if (!name || length <= 0) return hipErrorInvalidValue;
  if (!sim::is_device(device)) return hipErrorInvalidDevice;
  hipDeviceProp_tR0600 properties;
  describe(sim::device_at(device), &properties);
  std::snprintf(name, static_cast<size_t>(length), "%s", properties.name);
  return hipSuccess;
}

hipError_t hipDeviceGetUuid(hipUUID* uuid, hipDevice_t device) {
  if (!uuid) return hipErrorInvalidValue;
  if (!sim::is_device(device)) return hipErrorInvalidDevice;
  *uuid = uuid_of(sim::device_at(device));
  return hipSuccess;
}

hipError_t hipDeviceGetPCIBusId(char* bus_id, int length, int device) {
  if (!sim::is_device(device)) return hipErrorInvalidDevice;
  if (!bus_id || length < kBusIdLength) return hipErrorInvalidValue;
  std::snprintf(bus_id, static_cast<size_t>(length), "%s", bus_id_of(device).c_str());
  return hipSuccess;
}

hipError_t hipDeviceGetByPCIBusId(int* device, const char* bus_id) {
  if (!device || !bus_id) return hipErrorInvalidValue;
  for (int i = 0; i < sim::device_count(); ++i) {
    if (bus_id_of(i) == bus_id) {
      *device = i;
      return hipSuccess;
    }
  }
  return hipErrorInvalidValue;
}

hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int device) {
  if (!value) return hipErrorInvalidValue;
  if (!sim::is_device(device)) return hipErrorInvalidDevice;
  const bool known = attribute_of(sim::device_at(device), attribute, value);
  return known ? hipSuccess : hipErrorInvalidValue;
}

hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t device) {
  if (!bytes) return hipErrorInvalidValue;
  if (!sim::is_device(device)) return hipErrorInvalidDevice;
  *bytes = sim::device_at(device).total_bytes();
  return hipSuccess;
}

hipError_t hipDeviceComputeCapability(int* major, int* minor, hipDevice_t device) {
  if (!major || !minor) return hipErrorInvalidValue;
  if (!sim::is_device(device)) return hipErrorInvalidDevice;
  attribute_of(sim::device_at(device), hipDeviceAttributeComputeCapabilityMajor, major);
  attribute_of(sim::device_at(device), hipDeviceAttributeComputeCapabilityMinor, minor);
  return hipSuccess;
}

hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600* properties, int device) {
  if (!properties) return hipErrorInvalidValue;
  if (!sim::is_device(device)) return hipErrorInvalidDevice;
  describe(sim::device_at(device), properties);
  return hipSuccess;
}

hipError_t hipGetDevicePropertiesR0000(hipDeviceProp_tR0000* properties, int device) {
  if (!properties) return hipErrorInvalidValue;
  if (!sim::is_device(device)) return hipErrorInvalidDevice;
  describe_old(sim::device_at(device), properties);
  return hipSuccess;
}

hipError_t hipGetDeviceProperties(hipDeviceProp_tR0000* properties, int device) {
  return api::hipGetDevicePropertiesR0000(properties, device);
}

// All simulated devices are alike: the first is as good as any.
hipError_t hipChooseDeviceR0600(int* device, const hipDeviceProp_tR0600* wanted) {
  if (!device || !wanted) return hipErrorInvalidValue;
  *device = 0;
  return hipSuccess;
}

hipError_t hipChooseDeviceR0000(int* device, const hipDeviceProp_tR0000* wanted) {
  if (!device || !wanted) return hipErrorInvalidValue;
  *device = 0;
  return hipSuccess;
}

hipError_t hipChooseDevice(int* device, const hipDeviceProp_tR0000* wanted) {
  return api::hipChooseDeviceR0000(device, wanted);
}

hipError_t hipDeviceSynchronize() {
  if (const hipError_t refused = sim::capture_forbids_device_wait()) return refused;
  sim::current_device().synchronize();
  sim::trim_pools(sim::current_device());
  return hipSuccess;
}

// Frees what the program left on the device. A GPU error it does not clear.
hipError_t hipDeviceReset() {
  sim::Device& device = sim::current_device();
  device.synchronize();
  if (sim::device_lost()) return hipSuccess;  // a fault meanwhile: work may still be running
  for (const auto& stream : stream_table().all()) {
    if (&stream->device() != &device || !stream_table().remove(stream->handle())) continue;
    sim::abandon_capture(stream);
    stream->close();
  }
  for (const auto& allocation : sim::address_map().all()) {
    if (owned_by(*allocation, device.ordinal())) sim::release(allocation);
  }
  sim::reset_pools(device);
  sim::forget_heap();
  device.flags = 0;
  device.primary_active = false;
  return hipSuccess;
}

hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least) *least = 1;
  if (greatest) *greatest = -1;
  return hipSuccess;
}

hipError_t hipGetDeviceFlags(unsigned int* flags) {
  if (!flags) return hipErrorInvalidValue;
  *flags = sim::current_device().flags.load();
  return hipSuccess;
}

hipError_t hipSetDeviceFlags(unsigned int flags) {
  if (flags & ~kKnownDeviceFlags) return hipErrorInvalidValue;
  const unsigned schedule = flags & hipDeviceScheduleMask;
  if (schedule & (schedule - 1)) return hipErrorInvalidValue;
  sim::current_device().flags = flags;
  return hipSuccess;
}

hipError_t hipDeviceCanAccessPeer(int* can, int device, int peer) {
  if (!can) return hipErrorInvalidValue;
  if (!sim::is_device(device) || !sim::is_device(peer)) return hipErrorInvalidDevice;
  *can = device != peer;
  return hipSuccess;
}

hipError_t hipDeviceEnablePeerAccess(int peer, unsigned int flags) {
  if (flags != 0) return hipErrorInvalidValue;
  if (!sim::is_device(peer) || peer == sim::current_ordinal()) return hipErrorInvalidDevice;
  const bool changed = sim::current_device().set_peer(peer, true);
  return changed ? hipSuccess : hipErrorPeerAccessAlreadyEnabled;
}

hipError_t hipDeviceDisablePeerAccess(int peer) {
  if (!sim::is_device(peer) || peer == sim::current_ordinal()) return hipErrorInvalidDevice;
  const bool changed = sim::current_device().set_peer(peer, false);
  return changed ? hipSuccess : hipErrorPeerAccessNotEnabled;
}

hipError_t hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr attribute, int source,
                                    int destination) {
  if (!value) return hipErrorInvalidValue;
  if (!sim::is_device(source) || !sim::is_device(destination) || source == destination) {
    return hipErrorInvalidDevice;
  }
  if (attribute > hipDevP2PAttrHipArrayAccessSupported) return hipErrorInvalidValue;
  const bool has =
      attribute == hipDevP2PAttrAccessSupported || attribute == hipDevP2PAttrNativeAtomicSupported;
  *value = has;
  return hipSuccess;
}

// All devices are side by side.
hipError_t hipExtGetLinkTypeAndHopCount(int first, int second, uint32_t* type, uint32_t* hops) {
  constexpr uint32_t kXgmi = 4;
  if (!sim::is_device(first) || !sim::is_device(second)) return hipErrorInvalidDevice;
  if (!type || !hops || first == second) return hipErrorInvalidValue;
  *type = kXgmi;
  *hops = 1;
  return hipSuccess;
}

hipError_t hipDeviceGetLimit(size_t* value, hipLimit_t limit) {
  if (!value || limit >= hipLimitRange) return hipErrorInvalidValue;
  const std::atomic<size_t>* found = find_limit(limit);
  if (!found) return hipErrorUnsupportedLimit;
  *value = found->load();
  return hipSuccess;
}

hipError_t hipDeviceSetLimit(hipLimit_t limit, size_t value) {
  if (limit >= hipLimitRange) return hipErrorInvalidValue;
  std::atomic<size_t>* found = find_limit(limit);
  if (!found) return hipErrorUnsupportedLimit;
  *found = value;
  return hipSuccess;
}

// Caches and banks are not simulated: what is set comes back, and changes nothing.
hipError_t hipDeviceSetCacheConfig(hipFuncCache_t config) {
  if (config > hipFuncCachePreferEqual) return hipErrorInvalidValue;
  sim::current_device().cache_config = config;
  return hipSuccess;
}

hipError_t hipDeviceGetCacheConfig(hipFuncCache_t* config) {
  if (!config) return hipErrorInvalidValue;
  *config = static_cast<hipFuncCache_t>(sim::current_device().cache_config.load());
  return hipSuccess;
}

hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config) {
  if (config > hipSharedMemBankSizeEightByte) return hipErrorInvalidValue;
  const bool unset = config == hipSharedMemBankSizeDefault;
  sim::current_device().shared_memory_config = unset ? hipSharedMemBankSizeFourByte : config;
  return hipSuccess;
}

hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig* config) {
  if (!config) return hipErrorInvalidValue;
  *config = static_cast<hipSharedMemConfig>(sim::current_device().shared_memory_config.load());
  return hipSuccess;
}

}  // namespace greta::api
