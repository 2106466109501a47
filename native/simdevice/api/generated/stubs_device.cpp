// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#define HIP_TYPES_ONLY
#include "api/call_scope.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"

extern "C" GRETA_EXPORT hipError_t hipInit(unsigned int flags) {
  greta::api::CallScope call(greta::api::CallId::hipInit);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(flags);
  return call.finish(greta::api::hipInit(flags));
}

extern "C" GRETA_EXPORT hipError_t hipDriverGetVersion(int* driverVersion) {
  greta::api::CallScope call(greta::api::CallId::hipDriverGetVersion);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(driverVersion);
  return call.finish(greta::api::hipDriverGetVersion(driverVersion));
}

extern "C" GRETA_EXPORT hipError_t hipRuntimeGetVersion(int* runtimeVersion) {
  greta::api::CallScope call(greta::api::CallId::hipRuntimeGetVersion);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(runtimeVersion);
  return call.finish(greta::api::hipRuntimeGetVersion(runtimeVersion));
}

extern "C" GRETA_EXPORT hipError_t hipDeviceGet(int* device, int ordinal) {
  greta::api::CallScope call(greta::api::CallId::hipDeviceGet);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(device, ordinal);
  return call.finish(greta::api::hipDeviceGet(device, ordinal));
}

extern "C" GRETA_EXPORT hipError_t hipDeviceGetName(char* name, int len, int device) {
  greta::api::CallScope call(greta::api::CallId::hipDeviceGetName);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(name, len, device);
  return call.finish(greta::api::hipDeviceGetName(name, len, device));
}

extern "C" GRETA_EXPORT hipError_t hipDeviceGetPCIBusId(char* pciBusId, int len, int device) {
  greta::api::CallScope call(greta::api::CallId::hipDeviceGetPCIBusId);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(pciBusId, len, device);
  return call.finish(greta::api::hipDeviceGetPCIBusId(pciBusId, len, device));
}

extern "C" GRETA_EXPORT hipError_t hipDeviceTotalMem(size_t* bytes, int device) {
  greta::api::CallScope call(greta::api::CallId::hipDeviceTotalMem);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(bytes, device);
  return call.finish(greta::api::hipDeviceTotalMem(bytes, device));
}

extern "C" GRETA_EXPORT hipError_t hipDeviceSynchronize(void) {
  greta::api::CallScope call(greta::api::CallId::hipDeviceSynchronize);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments();
  return call.finish(greta::api::hipDeviceSynchronize());
}

extern "C" GRETA_EXPORT hipError_t hipDeviceReset(void) {
  greta::api::CallScope call(greta::api::CallId::hipDeviceReset);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments();
  return call.finish(greta::api::hipDeviceReset());
}

extern "C" GRETA_EXPORT hipError_t hipSetDevice(int deviceId) {
  greta::api::CallScope call(greta::api::CallId::hipSetDevice);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(deviceId);
  return call.finish(greta::api::hipSetDevice(deviceId));
}

extern "C" GRETA_EXPORT hipError_t hipGetDevice(int* deviceId) {
  greta::api::CallScope call(greta::api::CallId::hipGetDevice);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(deviceId);
  return call.finish(greta::api::hipGetDevice(deviceId));
}

extern "C" GRETA_EXPORT hipError_t hipGetDeviceCount(int* count) {
  greta::api::CallScope call(greta::api::CallId::hipGetDeviceCount);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(count);
  return call.finish(greta::api::hipGetDeviceCount(count));
}

extern "C" GRETA_EXPORT hipError_t hipDeviceGetAttribute(int* pi, hipDeviceAttribute_t attr, int deviceId) {
  greta::api::CallScope call(greta::api::CallId::hipDeviceGetAttribute);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(pi, attr, deviceId);
  return call.finish(greta::api::hipDeviceGetAttribute(pi, attr, deviceId));
}

extern "C" GRETA_EXPORT hipError_t hipDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
  greta::api::CallScope call(greta::api::CallId::hipDeviceGetStreamPriorityRange);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(leastPriority, greatestPriority);
  return call.finish(greta::api::hipDeviceGetStreamPriorityRange(leastPriority, greatestPriority));
}

extern "C" GRETA_EXPORT hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600* prop, int deviceId) {
  greta::api::CallScope call(greta::api::CallId::hipGetDevicePropertiesR0600);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(prop, deviceId);
  return call.finish(greta::api::hipGetDevicePropertiesR0600(prop, deviceId));
}

extern "C" GRETA_EXPORT hipError_t hipDeviceComputeCapability(int* major, int* minor, int device) {
  greta::api::CallScope call(greta::api::CallId::hipDeviceComputeCapability);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(major, minor, device);
  return call.finish(greta::api::hipDeviceComputeCapability(major, minor, device));
}

extern "C" GRETA_EXPORT hipError_t hipDeviceGetUuid(hipUUID_t* uuid, int device) {
  greta::api::CallScope call(greta::api::CallId::hipDeviceGetUuid);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(uuid, device);
  return call.finish(greta::api::hipDeviceGetUuid(uuid, device));
}

extern "C" GRETA_EXPORT hipError_t hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr attr, int srcDevice, int dstDevice) {
  greta::api::CallScope call(greta::api::CallId::hipDeviceGetP2PAttribute);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(value, attr, srcDevice, dstDevice);
  return call.finish(greta::api::hipDeviceGetP2PAttribute(value, attr, srcDevice, dstDevice));
}

extern "C" GRETA_EXPORT hipError_t hipDeviceGetByPCIBusId(int* device, const char* pciBusId) {
  greta::api::CallScope call(greta::api::CallId::hipDeviceGetByPCIBusId);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(device, pciBusId);
  return call.finish(greta::api::hipDeviceGetByPCIBusId(device, pciBusId));
}

extern "C" GRETA_EXPORT hipError_t hipDeviceSetCacheConfig(hipFuncCache_t cacheConfig) {
  greta::api::CallScope call(greta::api::CallId::hipDeviceSetCacheConfig);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(cacheConfig);
  return call.finish(greta::api::hipDeviceSetCacheConfig(cacheConfig));
}

extern "C" GRETA_EXPORT hipError_t hipDeviceGetCacheConfig(hipFuncCache_t* cacheConfig) {
  greta::api::CallScope call(greta::api::CallId::hipDeviceGetCacheConfig);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(cacheConfig);
  return call.finish(greta::api::hipDeviceGetCacheConfig(cacheConfig));
}

extern "C" GRETA_EXPORT hipError_t hipDeviceGetLimit(size_t* pValue, hipLimit_t limit) {
  greta::api::CallScope call(greta::api::CallId::hipDeviceGetLimit);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(pValue, limit);
  return call.finish(greta::api::hipDeviceGetLimit(pValue, limit));
}

extern "C" GRETA_EXPORT hipError_t hipDeviceSetLimit(hipLimit_t limit, size_t value) {
  greta::api::CallScope call(greta::api::CallId::hipDeviceSetLimit);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(limit, value);
  return call.finish(greta::api::hipDeviceSetLimit(limit, value));
}

extern "C" GRETA_EXPORT hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig* pConfig) {
  greta::api::CallScope call(greta::api::CallId::hipDeviceGetSharedMemConfig);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(pConfig);
  return call.finish(greta::api::hipDeviceGetSharedMemConfig(pConfig));
}

extern "C" GRETA_EXPORT hipError_t hipGetDeviceFlags(unsigned int* flags) {
  greta::api::CallScope call(greta::api::CallId::hipGetDeviceFlags);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(flags);
  return call.finish(greta::api::hipGetDeviceFlags(flags));
}

extern "C" GRETA_EXPORT hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config) {
  greta::api::CallScope call(greta::api::CallId::hipDeviceSetSharedMemConfig);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(config);
  return call.finish(greta::api::hipDeviceSetSharedMemConfig(config));
}

extern "C" GRETA_EXPORT hipError_t hipSetDeviceFlags(unsigned int flags) {
  greta::api::CallScope call(greta::api::CallId::hipSetDeviceFlags);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(flags);
  return call.finish(greta::api::hipSetDeviceFlags(flags));
}

extern "C" GRETA_EXPORT hipError_t hipDeviceCanAccessPeer(int* canAccessPeer, int deviceId, int peerDeviceId) {
  greta::api::CallScope call(greta::api::CallId::hipDeviceCanAccessPeer);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(canAccessPeer, deviceId, peerDeviceId);
  return call.finish(greta::api::hipDeviceCanAccessPeer(canAccessPeer, deviceId, peerDeviceId));
}

extern "C" GRETA_EXPORT hipError_t hipDeviceEnablePeerAccess(int peerDeviceId, unsigned int flags) {
  greta::api::CallScope call(greta::api::CallId::hipDeviceEnablePeerAccess);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(peerDeviceId, flags);
  return call.finish(greta::api::hipDeviceEnablePeerAccess(peerDeviceId, flags));
}

extern "C" GRETA_EXPORT hipError_t hipDeviceDisablePeerAccess(int peerDeviceId) {
  greta::api::CallScope call(greta::api::CallId::hipDeviceDisablePeerAccess);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(peerDeviceId);
  return call.finish(greta::api::hipDeviceDisablePeerAccess(peerDeviceId));
}

extern "C" GRETA_EXPORT hipError_t hipGetDeviceProperties(hipDeviceProp_tR0000* prop, int deviceId) {
  greta::api::CallScope call(greta::api::CallId::hipGetDeviceProperties);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(prop, deviceId);
  return call.finish(greta::api::hipGetDeviceProperties(prop, deviceId));
}

extern "C" GRETA_EXPORT hipError_t hipGetDevicePropertiesR0000(hipDeviceProp_tR0000* prop, int deviceId) {
  greta::api::CallScope call(greta::api::CallId::hipGetDevicePropertiesR0000);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(prop, deviceId);
  return call.finish(greta::api::hipGetDevicePropertiesR0000(prop, deviceId));
}

extern "C" GRETA_EXPORT hipError_t hipChooseDevice(int* device, const hipDeviceProp_tR0000* prop) {
  greta::api::CallScope call(greta::api::CallId::hipChooseDevice);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(device, prop);
  return call.finish(greta::api::hipChooseDevice(device, prop));
}

extern "C" GRETA_EXPORT hipError_t hipChooseDeviceR0000(int* device, const hipDeviceProp_tR0000* prop) {
  greta::api::CallScope call(greta::api::CallId::hipChooseDeviceR0000);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(device, prop);
  return call.finish(greta::api::hipChooseDeviceR0000(device, prop));
}

extern "C" GRETA_EXPORT hipError_t hipChooseDeviceR0600(int* device, const hipDeviceProp_tR0600* prop) {
  greta::api::CallScope call(greta::api::CallId::hipChooseDeviceR0600);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(device, prop);
  return call.finish(greta::api::hipChooseDeviceR0600(device, prop));
}

extern "C" GRETA_EXPORT hipError_t hipSetValidDevices(void) {
  return greta::api::not_supported(greta::api::CallId::hipSetValidDevices);
}

extern "C" GRETA_EXPORT hipError_t hipExtGetLinkTypeAndHopCount(void) {
  return greta::api::not_supported(greta::api::CallId::hipExtGetLinkTypeAndHopCount);
}
