// An arena of floats whose tensors are announced; nothing else is special about them.
#ifndef GRETA_TESTS_CASES_BLOCKS_ARENA_H
#define GRETA_TESTS_CASES_BLOCKS_ARENA_H

#include <greta/blocks.h>

#include "gpu.h"

struct Arena {
  explicit Arena(size_t count) : base(on_device(std::vector<float>(count, 0.0f))) {}

  float* tensor(const char* name, size_t at, size_t count, hipStream_t stream = nullptr) const {
    greta_block_created(base + at, count * sizeof(float), name, stream);
    return base + at;
  }

  float* base;
};

inline void end_of(float* tensor, hipStream_t stream = nullptr) {
  greta_block_destroyed(tensor, stream);
}

#endif  // GRETA_TESTS_CASES_BLOCKS_ARENA_H
