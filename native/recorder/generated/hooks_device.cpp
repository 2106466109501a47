// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#include "recorder/generated/calls.h"
#include "recorder/hook.h"

namespace greta::recorder {

extern "C" GRETA_EXPORT int hipInit(unsigned int flags) {
  using Function = int (*)(unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipInit, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipInit, GRETA_CALLER, 0);
  if (!call) return real(flags);
  call.word(0) = widened(flags);
  call.begin();
  const auto result = real(flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDriverGetVersion(void* driverVersion) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDriverGetVersion, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDriverGetVersion, GRETA_CALLER, 0);
  if (!call) return real(driverVersion);
  call.word(0) = 0;
  call.begin();
  const auto result = real(driverVersion);
  if (result == 0) call.word(0) = filled<int>(driverVersion);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipRuntimeGetVersion(void* runtimeVersion) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipRuntimeGetVersion, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipRuntimeGetVersion, GRETA_CALLER, 0);
  if (!call) return real(runtimeVersion);
  call.word(0) = 0;
  call.begin();
  const auto result = real(runtimeVersion);
  if (result == 0) call.word(0) = filled<int>(runtimeVersion);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceGet(void* device, int ordinal) {
  using Function = int (*)(void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceGet, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceGet, GRETA_CALLER, 0);
  if (!call) return real(device, ordinal);
  call.word(0) = 0;
  call.word(1) = widened(ordinal);
  call.begin();
  const auto result = real(device, ordinal);
  if (result == 0) call.word(0) = filled<int>(device);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceGetName(void* name, int len, int device) {
  using Function = int (*)(void*, int, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceGetName, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceGetName, GRETA_CALLER, 0);
  if (!call) return real(name, len, device);
  call.word(0) = widened(name);
  call.word(1) = widened(len);
  call.word(2) = widened(device);
  call.begin();
  const auto result = real(name, len, device);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceGetPCIBusId(void* pciBusId, int len, int device) {
  using Function = int (*)(void*, int, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceGetPCIBusId, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceGetPCIBusId, GRETA_CALLER, 0);
  if (!call) return real(pciBusId, len, device);
  call.word(0) = widened(pciBusId);
  call.word(1) = widened(len);
  call.word(2) = widened(device);
  call.begin();
  const auto result = real(pciBusId, len, device);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceTotalMem(void* bytes, int device) {
  using Function = int (*)(void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceTotalMem, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceTotalMem, GRETA_CALLER, 0);
  if (!call) return real(bytes, device);
  call.word(0) = 0;
  call.word(1) = widened(device);
  call.begin();
  const auto result = real(bytes, device);
  if (result == 0) call.word(0) = filled<size_t>(bytes);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceSynchronize() {
  using Function = int (*)();
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceSynchronize, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceSynchronize, GRETA_CALLER, 0);
  if (!call) return real();
  call.begin();
  const auto result = real();
  call.finish(result);
  if (g_added_work) {
    if (result == 0) device_was_waited_for();
  }
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceReset() {
  using Function = int (*)();
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceReset, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceReset, GRETA_CALLER, 0);
  if (!call) return real();
  call.begin();
  if (g_added_work) {
    device_was_waited_for();
  }
  const auto result = real();
  call.finish(result);
  if (result == 0) live().reset(current_device());
  return result;
}

extern "C" GRETA_EXPORT int hipSetDevice(int deviceId) {
  using Function = int (*)(int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipSetDevice, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipSetDevice, GRETA_CALLER, 0);
  if (!call) return real(deviceId);
  call.word(0) = widened(deviceId);
  call.begin();
  const auto result = real(deviceId);
  call.finish(result);
  if (result == 0) set_current_device(deviceId);
  return result;
}

extern "C" GRETA_EXPORT int hipGetDevice(void* deviceId) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGetDevice, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGetDevice, GRETA_CALLER, 0);
  if (!call) return real(deviceId);
  call.word(0) = 0;
  call.begin();
  const auto result = real(deviceId);
  if (result == 0) call.word(0) = filled<int>(deviceId);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGetDeviceCount(void* count) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGetDeviceCount, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGetDeviceCount, GRETA_CALLER, 0);
  if (!call) return real(count);
  call.word(0) = 0;
  call.begin();
  const auto result = real(count);
  if (result == 0) call.word(0) = filled<int>(count);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceGetAttribute(void* pi, int attr, int deviceId) {
  using Function = int (*)(void*, int, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceGetAttribute, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceGetAttribute, GRETA_CALLER, 0);
  if (!call) return real(pi, attr, deviceId);
  call.word(0) = 0;
  call.word(1) = widened(attr);
  call.word(2) = widened(deviceId);
  call.begin();
  const auto result = real(pi, attr, deviceId);
  if (result == 0) call.word(0) = filled<int>(pi);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceGetStreamPriorityRange(void* leastPriority, void* greatestPriority) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceGetStreamPriorityRange, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceGetStreamPriorityRange, GRETA_CALLER, 0);
  if (!call) return real(leastPriority, greatestPriority);
  call.word(0) = 0;
  call.word(1) = 0;
  call.begin();
  const auto result = real(leastPriority, greatestPriority);
  if (result == 0) call.word(0) = filled<int>(leastPriority);
  if (result == 0) call.word(1) = filled<int>(greatestPriority);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGetDevicePropertiesR0600(void* prop, int deviceId) {
  using Function = int (*)(void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGetDevicePropertiesR0600, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGetDevicePropertiesR0600, GRETA_CALLER, 0);
  if (!call) return real(prop, deviceId);
  call.word(0) = widened(prop);
  call.word(1) = widened(deviceId);
  call.begin();
  const auto result = real(prop, deviceId);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceComputeCapability(void* major, void* minor, int device) {
  using Function = int (*)(void*, void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceComputeCapability, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceComputeCapability, GRETA_CALLER, 0);
  if (!call) return real(major, minor, device);
  call.word(0) = 0;
  call.word(1) = 0;
  call.word(2) = widened(device);
  call.begin();
  const auto result = real(major, minor, device);
  if (result == 0) call.word(0) = filled<int>(major);
  if (result == 0) call.word(1) = filled<int>(minor);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceGetUuid(void* uuid, int device) {
  using Function = int (*)(void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceGetUuid, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceGetUuid, GRETA_CALLER, 0);
  if (!call) return real(uuid, device);
  call.word(0) = widened(uuid);
  call.word(1) = widened(device);
  call.begin();
  const auto result = real(uuid, device);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceGetP2PAttribute(void* value, int attr, int srcDevice, int dstDevice) {
  using Function = int (*)(void*, int, int, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceGetP2PAttribute, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceGetP2PAttribute, GRETA_CALLER, 0);
  if (!call) return real(value, attr, srcDevice, dstDevice);
  call.word(0) = 0;
  call.word(1) = widened(attr);
  call.word(2) = widened(srcDevice);
  call.word(3) = widened(dstDevice);
  call.begin();
  const auto result = real(value, attr, srcDevice, dstDevice);
  if (result == 0) call.word(0) = filled<int>(value);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceGetByPCIBusId(void* device, void* pciBusId) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceGetByPCIBusId, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceGetByPCIBusId, GRETA_CALLER, 0);
  if (!call) return real(device, pciBusId);
  call.word(0) = 0;
  call.word(1) = text_id(pciBusId);
  call.begin();
  const auto result = real(device, pciBusId);
  if (result == 0) call.word(0) = filled<int>(device);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceSetCacheConfig(int cacheConfig) {
  using Function = int (*)(int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceSetCacheConfig, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceSetCacheConfig, GRETA_CALLER, 0);
  if (!call) return real(cacheConfig);
  call.word(0) = widened(cacheConfig);
  call.begin();
  const auto result = real(cacheConfig);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceGetCacheConfig(void* cacheConfig) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceGetCacheConfig, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceGetCacheConfig, GRETA_CALLER, 0);
  if (!call) return real(cacheConfig);
  call.word(0) = 0;
  call.begin();
  const auto result = real(cacheConfig);
  if (result == 0) call.word(0) = filled<int>(cacheConfig);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceGetLimit(void* pValue, int limit) {
  using Function = int (*)(void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceGetLimit, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceGetLimit, GRETA_CALLER, 0);
  if (!call) return real(pValue, limit);
  call.word(0) = 0;
  call.word(1) = widened(limit);
  call.begin();
  const auto result = real(pValue, limit);
  if (result == 0) call.word(0) = filled<size_t>(pValue);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceSetLimit(int limit, size_t value) {
  using Function = int (*)(int, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceSetLimit, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceSetLimit, GRETA_CALLER, 0);
  if (!call) return real(limit, value);
  call.word(0) = widened(limit);
  call.word(1) = widened(value);
  call.begin();
  const auto result = real(limit, value);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceGetSharedMemConfig(void* pConfig) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceGetSharedMemConfig, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceGetSharedMemConfig, GRETA_CALLER, 0);
  if (!call) return real(pConfig);
  call.word(0) = 0;
  call.begin();
  const auto result = real(pConfig);
  if (result == 0) call.word(0) = filled<int>(pConfig);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGetDeviceFlags(void* flags) {
  using Function = int (*)(void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGetDeviceFlags, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGetDeviceFlags, GRETA_CALLER, 0);
  if (!call) return real(flags);
  call.word(0) = 0;
  call.begin();
  const auto result = real(flags);
  if (result == 0) call.word(0) = filled<unsigned int>(flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceSetSharedMemConfig(int config) {
  using Function = int (*)(int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceSetSharedMemConfig, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceSetSharedMemConfig, GRETA_CALLER, 0);
  if (!call) return real(config);
  call.word(0) = widened(config);
  call.begin();
  const auto result = real(config);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipSetDeviceFlags(unsigned int flags) {
  using Function = int (*)(unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipSetDeviceFlags, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipSetDeviceFlags, GRETA_CALLER, 0);
  if (!call) return real(flags);
  call.word(0) = widened(flags);
  call.begin();
  const auto result = real(flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceCanAccessPeer(void* canAccessPeer, int deviceId, int peerDeviceId) {
  using Function = int (*)(void*, int, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceCanAccessPeer, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceCanAccessPeer, GRETA_CALLER, 0);
  if (!call) return real(canAccessPeer, deviceId, peerDeviceId);
  call.word(0) = 0;
  call.word(1) = widened(deviceId);
  call.word(2) = widened(peerDeviceId);
  call.begin();
  const auto result = real(canAccessPeer, deviceId, peerDeviceId);
  if (result == 0) call.word(0) = filled<int>(canAccessPeer);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceEnablePeerAccess(int peerDeviceId, unsigned int flags) {
  using Function = int (*)(int, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceEnablePeerAccess, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceEnablePeerAccess, GRETA_CALLER, 0);
  if (!call) return real(peerDeviceId, flags);
  call.word(0) = widened(peerDeviceId);
  call.word(1) = widened(flags);
  call.begin();
  const auto result = real(peerDeviceId, flags);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipDeviceDisablePeerAccess(int peerDeviceId) {
  using Function = int (*)(int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipDeviceDisablePeerAccess, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipDeviceDisablePeerAccess, GRETA_CALLER, 0);
  if (!call) return real(peerDeviceId);
  call.word(0) = widened(peerDeviceId);
  call.begin();
  const auto result = real(peerDeviceId);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGetDeviceProperties(void* prop, int deviceId) {
  using Function = int (*)(void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGetDeviceProperties, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGetDeviceProperties, GRETA_CALLER, 0);
  if (!call) return real(prop, deviceId);
  call.word(0) = widened(prop);
  call.word(1) = widened(deviceId);
  call.begin();
  const auto result = real(prop, deviceId);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipGetDevicePropertiesR0000(void* prop, int deviceId) {
  using Function = int (*)(void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipGetDevicePropertiesR0000, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipGetDevicePropertiesR0000, GRETA_CALLER, 0);
  if (!call) return real(prop, deviceId);
  call.word(0) = widened(prop);
  call.word(1) = widened(deviceId);
  call.begin();
  const auto result = real(prop, deviceId);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipChooseDevice(void* device, void* prop) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipChooseDevice, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipChooseDevice, GRETA_CALLER, 0);
  if (!call) return real(device, prop);
  call.word(0) = 0;
  call.word(1) = widened(prop);
  call.begin();
  const auto result = real(device, prop);
  if (result == 0) call.word(0) = filled<int>(device);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipChooseDeviceR0000(void* device, void* prop) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipChooseDeviceR0000, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipChooseDeviceR0000, GRETA_CALLER, 0);
  if (!call) return real(device, prop);
  call.word(0) = 0;
  call.word(1) = widened(prop);
  call.begin();
  const auto result = real(device, prop);
  if (result == 0) call.word(0) = filled<int>(device);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipChooseDeviceR0600(void* device, void* prop) {
  using Function = int (*)(void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipChooseDeviceR0600, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipChooseDeviceR0600, GRETA_CALLER, 0);
  if (!call) return real(device, prop);
  call.word(0) = 0;
  call.word(1) = widened(prop);
  call.begin();
  const auto result = real(device, prop);
  if (result == 0) call.word(0) = filled<int>(device);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipSetValidDevices(void* device_arr, int len) {
  using Function = int (*)(void*, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipSetValidDevices, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipSetValidDevices, GRETA_CALLER, 0);
  if (!call) return real(device_arr, len);
  call.word(0) = widened(device_arr);
  call.word(1) = widened(len);
  call.begin();
  const auto result = real(device_arr, len);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipExtGetLinkTypeAndHopCount(int device1, int device2, void* linktype, void* hopcount) {
  using Function = int (*)(int, int, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipExtGetLinkTypeAndHopCount, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipExtGetLinkTypeAndHopCount, GRETA_CALLER, 0);
  if (!call) return real(device1, device2, linktype, hopcount);
  call.word(0) = widened(device1);
  call.word(1) = widened(device2);
  call.word(2) = 0;
  call.word(3) = 0;
  call.begin();
  const auto result = real(device1, device2, linktype, hopcount);
  if (result == 0) call.word(2) = filled<unsigned int>(linktype);
  if (result == 0) call.word(3) = filled<unsigned int>(hopcount);
  call.finish(result);
  return result;
}

}  // namespace greta::recorder