// The frames of the calling thread's native code, by the unwind tables of its libraries.
#pragma once

#include <cstddef>
#include <cstdint>

#include "recorder/sites/loaded_code.h"

namespace greta::recorder {

constexpr size_t kMostFrames = 128;

// Where a hook was called: its return address lies at `stack`, its caller's rbp just below.
struct HookFrame {
  const void* stack = nullptr;
};

// A walk, and all that it depends on: the registers it began with and every word it read. As long
// as these are the same, so are the frames.
struct StackWalk {
  struct Word {
    uintptr_t address;
    uintptr_t value;
  };
  HookFrame hook;
  uintptr_t rbp = 0;
  size_t count = 0;
  size_t words_read = 0;
  bool is_of_thread = false;  // of memory that is there as long as the thread
  uint64_t frames[kMostFrames];
  Word words[2 * kMostFrames];
};

// Fills `walk` with return addresses, innermost first, 1 to `most` of them; no further than the
// first one inside `last`. Reads nothing outside the thread's stack.
void walk_native_stack(HookFrame hook, Code last, size_t most, StackWalk* walk);

// Whether the same walk would lead over the same frames.
inline bool is_same_walk(const StackWalk& walk, HookFrame hook) {
  const auto* stack = static_cast<const uint64_t*>(hook.stack);
  if (walk.hook.stack != hook.stack || walk.frames[0] != stack[0] || walk.rbp != stack[-1]) {
    return false;
  }
  uintptr_t different = 0;
  for (size_t i = 0; i < walk.words_read; ++i) {
    const StackWalk::Word& word = walk.words[i];
    different |= *reinterpret_cast<const uintptr_t*>(word.address) ^ word.value;
  }
  return different == 0;
}

}  // namespace greta::recorder
