// Generated from contract/ by contract/generate.py; do not edit.
// clang-format off
#include "recorder/generated/calls.h"
#include "recorder/hook.h"

namespace greta::recorder {

extern "C" GRETA_EXPORT int hipModuleOccupancyMaxPotentialBlockSize(void* gridSize, void* blockSize, void* f, size_t dynSharedMemPerBlk, int blockSizeLimit) {
  using Function = int (*)(void*, void*, void*, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipModuleOccupancyMaxPotentialBlockSize, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipModuleOccupancyMaxPotentialBlockSize, GRETA_CALLER, 0);
  if (!call) return real(gridSize, blockSize, f, dynSharedMemPerBlk, blockSizeLimit);
  call.word(0) = 0;
  call.word(1) = 0;
  call.word(2) = widened(f);
  call.word(3) = widened(dynSharedMemPerBlk);
  call.word(4) = widened(blockSizeLimit);
  call.begin();
  const auto result = real(gridSize, blockSize, f, dynSharedMemPerBlk, blockSizeLimit);
  if (result == 0) call.word(0) = filled<int>(gridSize);
  if (result == 0) call.word(1) = filled<int>(blockSize);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipModuleOccupancyMaxPotentialBlockSizeWithFlags(void* gridSize, void* blockSize, void* f, size_t dynSharedMemPerBlk, int blockSizeLimit, unsigned int flags) {
  using Function = int (*)(void*, void*, void*, size_t, int, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipModuleOccupancyMaxPotentialBlockSizeWithFlags, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipModuleOccupancyMaxPotentialBlockSizeWithFlags, GRETA_CALLER, 0);
  if (!call) return real(gridSize, blockSize, f, dynSharedMemPerBlk, blockSizeLimit, flags);
  call.word(0) = 0;
  call.word(1) = 0;
  call.word(2) = widened(f);
  call.word(3) = widened(dynSharedMemPerBlk);
  call.word(4) = widened(blockSizeLimit);
  call.word(5) = widened(flags);
  call.begin();
  const auto result = real(gridSize, blockSize, f, dynSharedMemPerBlk, blockSizeLimit, flags);
  if (result == 0) call.word(0) = filled<int>(gridSize);
  if (result == 0) call.word(1) = filled<int>(blockSize);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(void* numBlocks, void* f, int blockSize, size_t dynSharedMemPerBlk) {
  using Function = int (*)(void*, void*, int, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipModuleOccupancyMaxActiveBlocksPerMultiprocessor, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipModuleOccupancyMaxActiveBlocksPerMultiprocessor, GRETA_CALLER, 0);
  if (!call) return real(numBlocks, f, blockSize, dynSharedMemPerBlk);
  call.word(0) = 0;
  call.word(1) = widened(f);
  call.word(2) = widened(blockSize);
  call.word(3) = widened(dynSharedMemPerBlk);
  call.begin();
  const auto result = real(numBlocks, f, blockSize, dynSharedMemPerBlk);
  if (result == 0) call.word(0) = filled<int>(numBlocks);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(void* numBlocks, void* f, int blockSize, size_t dynSharedMemPerBlk, unsigned int flags) {
  using Function = int (*)(void*, void*, int, size_t, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, GRETA_CALLER, 0);
  if (!call) return real(numBlocks, f, blockSize, dynSharedMemPerBlk, flags);
  call.word(0) = 0;
  call.word(1) = widened(f);
  call.word(2) = widened(blockSize);
  call.word(3) = widened(dynSharedMemPerBlk);
  call.word(4) = widened(flags);
  call.begin();
  const auto result = real(numBlocks, f, blockSize, dynSharedMemPerBlk, flags);
  if (result == 0) call.word(0) = filled<int>(numBlocks);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipOccupancyMaxActiveBlocksPerMultiprocessor(void* numBlocks, void* f, int blockSize, size_t dynSharedMemPerBlk) {
  using Function = int (*)(void*, void*, int, size_t);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipOccupancyMaxActiveBlocksPerMultiprocessor, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipOccupancyMaxActiveBlocksPerMultiprocessor, GRETA_CALLER, 0);
  if (!call) return real(numBlocks, f, blockSize, dynSharedMemPerBlk);
  call.word(0) = 0;
  call.word(1) = widened(f);
  call.word(2) = widened(blockSize);
  call.word(3) = widened(dynSharedMemPerBlk);
  call.begin();
  const auto result = real(numBlocks, f, blockSize, dynSharedMemPerBlk);
  if (result == 0) call.word(0) = filled<int>(numBlocks);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(void* numBlocks, void* f, int blockSize, size_t dynSharedMemPerBlk, unsigned int flags) {
  using Function = int (*)(void*, void*, int, size_t, unsigned int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, GRETA_CALLER, 0);
  if (!call) return real(numBlocks, f, blockSize, dynSharedMemPerBlk, flags);
  call.word(0) = 0;
  call.word(1) = widened(f);
  call.word(2) = widened(blockSize);
  call.word(3) = widened(dynSharedMemPerBlk);
  call.word(4) = widened(flags);
  call.begin();
  const auto result = real(numBlocks, f, blockSize, dynSharedMemPerBlk, flags);
  if (result == 0) call.word(0) = filled<int>(numBlocks);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipOccupancyMaxPotentialBlockSize(void* gridSize, void* blockSize, void* f, size_t dynSharedMemPerBlk, int blockSizeLimit) {
  using Function = int (*)(void*, void*, void*, size_t, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipOccupancyMaxPotentialBlockSize, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipOccupancyMaxPotentialBlockSize, GRETA_CALLER, 0);
  if (!call) return real(gridSize, blockSize, f, dynSharedMemPerBlk, blockSizeLimit);
  call.word(0) = 0;
  call.word(1) = 0;
  call.word(2) = widened(f);
  call.word(3) = widened(dynSharedMemPerBlk);
  call.word(4) = widened(blockSizeLimit);
  call.begin();
  const auto result = real(gridSize, blockSize, f, dynSharedMemPerBlk, blockSizeLimit);
  if (result == 0) call.word(0) = filled<int>(gridSize);
  if (result == 0) call.word(1) = filled<int>(blockSize);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipOccupancyAvailableDynamicSMemPerBlock(void* dynamicSmemSize, void* f, int numBlocks, int blockSize) {
  using Function = int (*)(void*, void*, int, int);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipOccupancyAvailableDynamicSMemPerBlock, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipOccupancyAvailableDynamicSMemPerBlock, GRETA_CALLER, 0);
  if (!call) return real(dynamicSmemSize, f, numBlocks, blockSize);
  call.word(0) = 0;
  call.word(1) = widened(f);
  call.word(2) = widened(numBlocks);
  call.word(3) = widened(blockSize);
  call.begin();
  const auto result = real(dynamicSmemSize, f, numBlocks, blockSize);
  if (result == 0) call.word(0) = filled<size_t>(dynamicSmemSize);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipOccupancyMaxActiveClusters(void* numClusters, void* f, void* config) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipOccupancyMaxActiveClusters, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipOccupancyMaxActiveClusters, GRETA_CALLER, 1);
  if (!call) return real(numClusters, f, config);
  call.word(0) = 0;
  call.word(1) = widened(f);
  call.word(2) = widened(config);
  call.keep_struct(2, config, 56);
  call.begin();
  const auto result = real(numClusters, f, config);
  if (result == 0) call.word(0) = filled<int>(numClusters);
  call.finish(result);
  return result;
}

extern "C" GRETA_EXPORT int hipOccupancyMaxPotentialClusterSize(void* clusterSize, void* f, void* config) {
  using Function = int (*)(void*, void*, void*);
  const auto real = reinterpret_cast<Function>(real_function(Call::hipOccupancyMaxPotentialClusterSize, GRETA_CALLER, GRETA_STACK));
  RecordedCall call(Call::hipOccupancyMaxPotentialClusterSize, GRETA_CALLER, 1);
  if (!call) return real(clusterSize, f, config);
  call.word(0) = 0;
  call.word(1) = widened(f);
  call.word(2) = widened(config);
  call.keep_struct(2, config, 56);
  call.begin();
  const auto result = real(clusterSize, f, config);
  if (result == 0) call.word(0) = filled<int>(clusterSize);
  call.finish(result);
  return result;
}

}  // namespace greta::recorder