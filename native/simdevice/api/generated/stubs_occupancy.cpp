// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#define HIP_TYPES_ONLY
#include "api/call_scope.h"
#include "api/generated/call_ids.h"
#include "api/generated/impl.h"

extern "C" GRETA_EXPORT hipError_t hipModuleOccupancyMaxPotentialBlockSize(int* gridSize, int* blockSize, hipFunction_t f, size_t dynSharedMemPerBlk, int blockSizeLimit) {
  greta::api::CallScope call(greta::api::CallId::hipModuleOccupancyMaxPotentialBlockSize);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(gridSize, blockSize, f, dynSharedMemPerBlk, blockSizeLimit);
  return call.finish(greta::api::hipModuleOccupancyMaxPotentialBlockSize(gridSize, blockSize, f, dynSharedMemPerBlk, blockSizeLimit));
}

extern "C" GRETA_EXPORT hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int* gridSize, int* blockSize, hipFunction_t f, size_t dynSharedMemPerBlk, int blockSizeLimit, unsigned int flags) {
  greta::api::CallScope call(greta::api::CallId::hipModuleOccupancyMaxPotentialBlockSizeWithFlags);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(gridSize, blockSize, f, dynSharedMemPerBlk, blockSizeLimit, flags);
  return call.finish(greta::api::hipModuleOccupancyMaxPotentialBlockSizeWithFlags(gridSize, blockSize, f, dynSharedMemPerBlk, blockSizeLimit, flags));
}

extern "C" GRETA_EXPORT hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, hipFunction_t f, int blockSize, size_t dynSharedMemPerBlk) {
  greta::api::CallScope call(greta::api::CallId::hipModuleOccupancyMaxActiveBlocksPerMultiprocessor);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(numBlocks, f, blockSize, dynSharedMemPerBlk);
  return call.finish(greta::api::hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, f, blockSize, dynSharedMemPerBlk));
}

extern "C" GRETA_EXPORT hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, hipFunction_t f, int blockSize, size_t dynSharedMemPerBlk, unsigned int flags) {
  greta::api::CallScope call(greta::api::CallId::hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(numBlocks, f, blockSize, dynSharedMemPerBlk, flags);
  return call.finish(greta::api::hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, f, blockSize, dynSharedMemPerBlk, flags));
}

extern "C" GRETA_EXPORT hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, const void* f, int blockSize, size_t dynSharedMemPerBlk) {
  greta::api::CallScope call(greta::api::CallId::hipOccupancyMaxActiveBlocksPerMultiprocessor);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(numBlocks, f, blockSize, dynSharedMemPerBlk);
  return call.finish(greta::api::hipOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, f, blockSize, dynSharedMemPerBlk));
}

extern "C" GRETA_EXPORT hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, const void* f, int blockSize, size_t dynSharedMemPerBlk, unsigned int flags) {
  greta::api::CallScope call(greta::api::CallId::hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(numBlocks, f, blockSize, dynSharedMemPerBlk, flags);
  return call.finish(greta::api::hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, f, blockSize, dynSharedMemPerBlk, flags));
}

extern "C" GRETA_EXPORT hipError_t hipOccupancyMaxPotentialBlockSize(int* gridSize, int* blockSize, const void* f, size_t dynSharedMemPerBlk, int blockSizeLimit) {
  greta::api::CallScope call(greta::api::CallId::hipOccupancyMaxPotentialBlockSize);
  if (call.refused()) return call.refusal();
  if (call.logging()) call.log_arguments(gridSize, blockSize, f, dynSharedMemPerBlk, blockSizeLimit);
  return call.finish(greta::api::hipOccupancyMaxPotentialBlockSize(gridSize, blockSize, f, dynSharedMemPerBlk, blockSizeLimit));
}

extern "C" GRETA_EXPORT hipError_t hipOccupancyAvailableDynamicSMemPerBlock(void) {
  return greta::api::not_supported(greta::api::CallId::hipOccupancyAvailableDynamicSMemPerBlock);
}

extern "C" GRETA_EXPORT hipError_t hipOccupancyMaxActiveClusters(void) {
  return greta::api::not_supported(greta::api::CallId::hipOccupancyMaxActiveClusters);
}

extern "C" GRETA_EXPORT hipError_t hipOccupancyMaxPotentialClusterSize(void) {
  return greta::api::not_supported(greta::api::CallId::hipOccupancyMaxPotentialClusterSize);
}
