#include "api/device_properties.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "device/launch.h"

namespace greta::api {
namespace {

constexpr const char* kName = "AMD Instinct MI300X (simulated by GRETA)";
constexpr const char* kArchitecture = "gfx942:sramecc+:xnack-";

constexpr int kWaveSize = 64;
constexpr int kBlockThreads = 1024;
constexpr int kMultiprocessors = 304;
constexpr int kThreadsPerMultiprocessor = 2048;
constexpr int kBlocksPerMultiprocessor = 2;
constexpr int kRegisters = 65536;
constexpr int kSharedBytes = static_cast<int>(sim::kSharedBytesPerBlock);
constexpr int kClockKhz = 2100000;
constexpr int kMemoryClockKhz = 1300000;
constexpr int kWallClockKhz = 1000000;  // wall_clock64 counts nanoseconds
constexpr int kMemoryBusBits = 8192;
constexpr int kL2Bytes = 4 << 20;
constexpr int kMostGridX = 2147483647;
constexpr int kMostGridYZ = 65536;
constexpr int kMajor = 9;
constexpr int kMinor = 4;
constexpr int kAlignment = 256;
constexpr int kMost = 2147483647;

template <size_t N>
void put(char (&to)[N], const char* from) {
  std::snprintf(to, N, "%s", from);
}

hipDeviceArch_t architecture() {
  hipDeviceArch_t arch{};
  arch.hasGlobalInt32Atomics = arch.hasGlobalFloatAtomicExch = 1;
  arch.hasSharedInt32Atomics = arch.hasSharedFloatAtomicExch = 1;
  arch.hasFloatAtomicAdd = arch.hasGlobalInt64Atomics = arch.hasSharedInt64Atomics = 1;
  arch.hasDoubles = arch.hasWarpVote = arch.hasWarpBallot = arch.hasWarpShuffle = 1;
  arch.hasThreadFenceSystem = arch.hasSyncThreadsExt = arch.has3dGrid = 1;
  return arch;
}

int clamp_to_int(size_t value) {
  return static_cast<int>(std::min<size_t>(value, static_cast<size_t>(kMost)));
}

// What both generations of the structure hold.
template <typename Properties>
void describe_common(const sim::Device& device, Properties* p) {
  *p = {};
  put(p->name, kName);
  put(p->gcnArchName, kArchitecture);
  p->totalGlobalMem = device.total_bytes();
  p->sharedMemPerBlock = sim::kSharedBytesPerBlock;
  p->regsPerBlock = kRegisters;
  p->warpSize = kWaveSize;
  p->maxThreadsPerBlock = kBlockThreads;
  for (int& extent : p->maxThreadsDim) extent = kBlockThreads;
  p->maxGridSize[0] = kMostGridX;
  p->maxGridSize[1] = p->maxGridSize[2] = kMostGridYZ;
  p->clockRate = kClockKhz;
  p->memoryClockRate = kMemoryClockKhz;
  p->memoryBusWidth = kMemoryBusBits;
  p->totalConstMem = static_cast<size_t>(kMost);
  p->major = kMajor;
  p->minor = kMinor;
  p->multiProcessorCount = kMultiprocessors;
  p->l2CacheSize = kL2Bytes;
  p->maxThreadsPerMultiProcessor = kThreadsPerMultiprocessor;
  p->clockInstructionRate = kWallClockKhz;
  p->arch = architecture();
  p->concurrentKernels = 1;
  p->pciBusID = device.physical() + 1;
  p->maxSharedMemoryPerMultiProcessor = sim::kSharedBytesPerBlock;
  p->canMapHostMemory = 1;
  p->cooperativeLaunch = 1;
  p->memPitch = static_cast<size_t>(kMost);
  p->textureAlignment = p->texturePitchAlignment = kAlignment;
  p->isLargeBar = 1;
  p->managedMemory = 1;
  p->concurrentManagedAccess = 1;
  p->directManagedMemAccessFromHost = 1;
}

}  // namespace

hipUUID uuid_of(const sim::Device& device) {
  hipUUID uuid{};
  std::snprintf(uuid.bytes, sizeof uuid.bytes, "gretasim%07d", device.physical());
  return uuid;
}

void describe(const sim::Device& device, hipDeviceProp_tR0600* p) {
  describe_common(device, p);
  p->uuid = uuid_of(device);
  p->sharedMemPerMultiprocessor = sim::kSharedBytesPerBlock;
  p->sharedMemPerBlockOptin = sim::kSharedBytesPerBlock;
  p->regsPerMultiprocessor = kRegisters;
  p->maxBlocksPerMultiProcessor = kBlocksPerMultiprocessor;
  p->asyncEngineCount = 8;
  p->unifiedAddressing = 1;
  p->streamPrioritiesSupported = 1;
  p->hostNativeAtomicSupported = 1;
  p->canUseHostPointerForRegisteredMem = 1;
  p->hostRegisterSupported = 1;
  p->memoryPoolsSupported = 1;
  p->surfaceAlignment = kAlignment;
}

void describe_old(const sim::Device& device, hipDeviceProp_tR0000* p) {
  describe_common(device, p);
  p->gcnArch = 942;
}

bool attribute_of(const sim::Device& device, hipDeviceAttribute_t attribute, int* value) {
  switch (attribute) {
    case hipDeviceAttributeMaxThreadsPerBlock:
    case hipDeviceAttributeMaxBlockDimX:
    case hipDeviceAttributeMaxBlockDimY:
    case hipDeviceAttributeMaxBlockDimZ:
    case hipDeviceAttributeMaxThreadsDim:
      *value = kBlockThreads;
      return true;
    case hipDeviceAttributeMaxGridDimX:
      *value = kMostGridX;
      return true;
    case hipDeviceAttributeMaxGridDimY:
    case hipDeviceAttributeMaxGridDimZ:
      *value = kMostGridYZ;
      return true;
    case hipDeviceAttributeMaxSharedMemoryPerBlock:
    case hipDeviceAttributeSharedMemPerBlockOptin:
    case hipDeviceAttributeSharedMemPerMultiprocessor:
    case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor:
      *value = kSharedBytes;
      return true;
    case hipDeviceAttributeMaxRegistersPerBlock:
    case hipDeviceAttributeMaxRegistersPerMultiprocessor:
      *value = kRegisters;
      return true;
    case hipDeviceAttributeWarpSize:
      *value = kWaveSize;
      return true;
    case hipDeviceAttributeMultiprocessorCount:
    case hipDeviceAttributePhysicalMultiProcessorCount:
      *value = kMultiprocessors;
      return true;
    case hipDeviceAttributeMaxThreadsPerMultiProcessor:
      *value = kThreadsPerMultiprocessor;
      return true;
    case hipDeviceAttributeMaxBlocksPerMultiProcessor:
      *value = kBlocksPerMultiprocessor;
      return true;
    case hipDeviceAttributeClockRate:
      *value = kClockKhz;
      return true;
    case hipDeviceAttributeClockInstructionRate:
    case hipDeviceAttributeWallClockRate:
      *value = kWallClockKhz;
      return true;
    case hipDeviceAttributeMemoryClockRate:
      *value = kMemoryClockKhz;
      return true;
    case hipDeviceAttributeMemoryBusWidth:
      *value = kMemoryBusBits;
      return true;
    case hipDeviceAttributeL2CacheSize:
      *value = kL2Bytes;
      return true;
    case hipDeviceAttributeComputeCapabilityMajor:
      *value = kMajor;
      return true;
    case hipDeviceAttributeComputeCapabilityMinor:
      *value = kMinor;
      return true;
    case hipDeviceAttributeTotalGlobalMem:
      *value = clamp_to_int(device.total_bytes());
      return true;
    case hipDeviceAttributeTotalConstantMemory:
    case hipDeviceAttributeMaxPitch:
      *value = kMost;
      return true;
    case hipDeviceAttributeTextureAlignment:
    case hipDeviceAttributeTexturePitchAlignment:
    case hipDeviceAttributeSurfaceAlignment:
      *value = kAlignment;
      return true;
    case hipDeviceAttributePciBusId:
      *value = device.physical() + 1;
      return true;
    case hipDeviceAttributeAsyncEngineCount:
      *value = 8;
      return true;
    case hipDeviceAttributeNumberOfXccs:
      *value = 8;
      return true;
    case hipDeviceAttributeMaxAvailableVgprsPerThread:
      *value = 512;
      return true;
    case hipDeviceAttributeCanMapHostMemory:
    case hipDeviceAttributeCanUseHostPointerForRegisteredMem:
    case hipDeviceAttributeCanUseStreamWaitValue:
    case hipDeviceAttributeConcurrentKernels:
    case hipDeviceAttributeConcurrentManagedAccess:
    case hipDeviceAttributeCooperativeLaunch:
    case hipDeviceAttributeDirectManagedMemAccessFromHost:
    case hipDeviceAttributeFineGrainSupport:
    case hipDeviceAttributeHostNativeAtomicSupported:
    case hipDeviceAttributeHostRegisterSupported:
    case hipDeviceAttributeIsLargeBar:
    case hipDeviceAttributeManagedMemory:
    case hipDeviceAttributeMemoryPoolsSupported:
    case hipDeviceAttributeStreamPrioritiesSupported:
    case hipDeviceAttributeUnifiedAddressing:
    case hipDeviceAttributeVirtualMemoryManagementSupported:
      *value = 1;
      return true;
    default:
      break;
  }
  // Everything else the device does not have: textures, large pages ...
  *value = 0;
  const int number = static_cast<int>(attribute);
  return (number >= 0 && number <= hipDeviceAttributeHandleTypeFabricSupported) ||
         (number >= hipDeviceAttributeAmdSpecificBegin &&
          number <= hipDeviceAttributeMaxDynDataPrefetchRegions);
}

}  // namespace greta::api
