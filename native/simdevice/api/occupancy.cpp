// Occupancy: how many blocks an MI300X's compute unit would hold.
#include <algorithm>

#include "api/device_properties.h"
#include "api/function_handles.h"
#include "api/generated/impl.h"
#include "device/launch.h"

namespace greta::api {
namespace {

int attribute(hipDeviceAttribute_t which) {
  int value = 0;
  attribute_of(sim::current_device(), which, &value);
  return value;
}

bool known(unsigned flags) {
  return flags == hipOccupancyDefault || flags == hipOccupancyDisableCachingOverride;
}

int blocks_per_unit(const sim::Function& function, int block_size, size_t dynamic_shared) {
  const int by_threads = attribute(hipDeviceAttributeMaxThreadsPerMultiProcessor) / block_size;
  if (dynamic_shared > sim::kSharedBytesPerBlock) return 0;
  const size_t shared = function.kernel->static_shared_bytes + dynamic_shared;
  if (shared == 0) return by_threads;
  const auto by_shared = static_cast<int>(sim::kSharedBytesPerBlock / shared);
  return std::min(by_threads, by_shared);
}

hipError_t active_blocks(int* out, const sim::FunctionRef& function, int block_size,
                         size_t dynamic_shared) {
  if (!out || block_size <= 0) return hipErrorInvalidValue;
  if (!function) return hipErrorInvalidDeviceFunction;
  const int limit = static_cast<int>(function->kernel->max_block_threads);
  *out = block_size > limit ? 0 : blocks_per_unit(*function, block_size, dynamic_shared);
  return hipSuccess;
}

hipError_t potential_block_size(int* grid, int* block, const sim::FunctionRef& function,
                                size_t dynamic_shared, int limit) {
  if (!grid || !block) return hipErrorInvalidValue;
  if (!function) return hipErrorInvalidDeviceFunction;
  const int most = static_cast<int>(function->kernel->max_block_threads);
  *block = limit > 0 ? std::min(limit, most) : most;
  *grid = blocks_per_unit(*function, *block, dynamic_shared) *
          attribute(hipDeviceAttributeMultiprocessorCount);
  return hipSuccess;
}

}  // namespace

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* f, int block_size,
                                                        size_t dynamic_shared) {
  return active_blocks(blocks, function_from_any(f).function, block_size, dynamic_shared);
}

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* f,
                                                                 int block_size,
                                                                 size_t dynamic_shared,
                                                                 unsigned int flags) {
  if (!known(flags)) return hipErrorInvalidValue;
  return active_blocks(blocks, function_from_any(f).function, block_size, dynamic_shared);
}

hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, hipFunction_t f,
                                                              int block_size,
                                                              size_t dynamic_shared) {
  if (!f) return hipErrorInvalidValue;
  return active_blocks(blocks, function_from_handle(f), block_size, dynamic_shared);
}

hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, hipFunction_t f,
                                                                       int block_size,
                                                                       size_t dynamic_shared,
                                                                       unsigned int flags) {
  if (!f || !known(flags)) return hipErrorInvalidValue;
  return active_blocks(blocks, function_from_handle(f), block_size, dynamic_shared);
}

hipError_t hipOccupancyMaxPotentialBlockSize(int* grid, int* block, const void* f,
                                             size_t dynamic_shared, int limit) {
  return potential_block_size(grid, block, function_from_any(f).function, dynamic_shared, limit);
}

hipError_t hipModuleOccupancyMaxPotentialBlockSize(int* grid, int* block, hipFunction_t f,
                                                   size_t dynamic_shared, int limit) {
  if (!f) return hipErrorInvalidValue;
  return potential_block_size(grid, block, function_from_handle(f), dynamic_shared, limit);
}

hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, hipFunction_t f,
                                                            size_t dynamic_shared, int limit,
                                                            unsigned int flags) {
  if (!f || !known(flags)) return hipErrorInvalidValue;
  return potential_block_size(grid, block, function_from_handle(f), dynamic_shared, limit);
}

hipError_t hipOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* f, int blocks,
                                                    int block_size) {
  if (!bytes || blocks <= 0 || block_size <= 0) return hipErrorInvalidValue;
  const sim::FunctionRef function = function_from_any(f).function;
  if (!function) return hipErrorInvalidDeviceFunction;
  if (blocks_per_unit(*function, block_size, 0) < blocks) return hipErrorInvalidValue;
  const size_t each = sim::kSharedBytesPerBlock / static_cast<size_t>(blocks);
  const size_t fixed = function->kernel->static_shared_bytes;
  *bytes = each > fixed ? each - fixed : 0;
  return hipSuccess;
}

}  // namespace greta::api
