/* Announce blocks inside allocations to GRETA's recorder.
 *
 * A program that carves its tensors out of few big allocations hides them: to HIP, and to whoever
 * watches HIP, there is one buffer. With two lines in its allocator each block becomes known, with
 * its name, its stream and the line that asked for it:
 *
 *   #include <greta/blocks.h>
 *
 *   greta_block_created(base, bytes, "kv_cache.k", stream);
 *   greta_block_destroyed(base, stream);
 *
 * Under `greta run` each is a record. Anywhere else nothing happens: no library is needed, to link
 * or to run. The name may be null; it is copied. The stream is the one whose work uses the block
 * first or last, as with hipMallocAsync and hipFreeAsync; null is the default stream.
 *
 * Plain C, and C++. These are macros so that the recorded line is yours.
 */
#ifndef GRETA_BLOCKS_H
#define GRETA_BLOCKS_H

#include <dlfcn.h>
#include <stddef.h>

typedef void (*greta_block_function)(const void* base, size_t bytes, const char* name,
                                     const void* stream);

/* The recorder's function; null where there is no recorder. */
static inline greta_block_function greta_find_block_function(const char* name) {
  union { /* C has no conversion from an object pointer */
    void* object;
    greta_block_function function;
  } found;
  found.object = dlsym(NULL, name); /* RTLD_DEFAULT, without the macro that it needs */
  return found.function;
}

#define GRETA_CALL_BLOCK_FUNCTION(NAME, BASE, BYTES, TEXT, STREAM)           \
  do {                                                                       \
    static greta_block_function greta_function_;                             \
    static int greta_looked_;                                                \
    if (!greta_looked_) {                                                    \
      greta_function_ = greta_find_block_function(NAME);                     \
      greta_looked_ = 1;                                                     \
    }                                                                        \
    if (greta_function_) greta_function_((BASE), (BYTES), (TEXT), (STREAM)); \
  } while (0)

#define greta_block_created(base, bytes, name, stream) \
  GRETA_CALL_BLOCK_FUNCTION("greta_recorder_block_created", base, bytes, name, stream)
#define greta_block_destroyed(base, stream) \
  GRETA_CALL_BLOCK_FUNCTION("greta_recorder_block_destroyed", base, 0, NULL, stream)

#endif
