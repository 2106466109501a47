/* The agreement between a compiled kernel and the device that runs it.
 *
 * A kernel is compiled by hipRTC into an ordinary x86-64 shared object (the code object). For each
 * kernel the object exports one entry function, greta_simt_entry. The device calls it once per
 * block; the block's threads all run on the calling OS thread:
 *
 *   whole block   thread == GRETA_SIMT_WHOLE_BLOCK: the entry loops over every thread of the block.
 *                 A kernel without barriers is thus a plain loop that the compiler can vectorize.
 *   one thread    thread == linear index (x fastest): the entry runs that thread alone. The device
 *                 does this on one fiber per thread when the kernel uses barriers or wave
 *                 operations.
 *
 * The device need not know beforehand which of the two a kernel needs. It starts the loop on a
 * fiber; when a thread inside the loop reaches a barrier, the device keeps that fiber as the fiber
 * of that one thread, starts further fibers for the threads after it, and the service call, like
 * every later one of this thread, returns GRETA_SIMT_LEAVE_LOOP so that the loop ends after the
 * current thread.
 *
 * Shared memory is thread-local memory of the code object. So while threads of a block wait, no
 * other block may run on that OS thread.
 *
 * This header is plain C and is shared by the simt headers (which are compiled into kernels) and
 * by the device. Change GRETA_SIMT_ABI with every change of layout or meaning.
 */
#ifndef GRETA_SIMT_LAUNCH_ABI_H
#define GRETA_SIMT_LAUNCH_ABI_H

#include <stdarg.h>
#include <stdint.h>

#define GRETA_SIMT_ABI 2
#define GRETA_SIMT_WAVE_SIZE 64
#define GRETA_SIMT_WHOLE_BLOCK 0xffffffffu
#define GRETA_SIMT_MAX_DYNAMIC_SHARED 65536
#define GRETA_SIMT_MAX_BLOCK_THREADS 1024 /* compiled kernels rely on it */

/* What a service that may suspend the thread returns. */
#define GRETA_SIMT_CONTINUE 0
#define GRETA_SIMT_LEAVE_LOOP 1

/* How memory is accessed. */
#define GRETA_SIMT_KIND_READ 0
#define GRETA_SIMT_KIND_WRITE 1
#define GRETA_SIMT_KIND_ATOMIC 2
#define GRETA_SIMT_KIND_VOLATILE_WRITE 3 /* noted as atomic: another kernel may wait for it */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct greta_simt_dim {
  uint32_t x, y, z;
} greta_simt_dim;

/* The values that the lanes of one wave brought to a wave operation. */
typedef struct greta_simt_wave {
  uint64_t active;                      /* bit i: lane i took part */
  uint64_t value[GRETA_SIMT_WAVE_SIZE]; /* undefined for lanes that did not */
} greta_simt_wave;

struct greta_simt_block;

/* Everything a kernel may ask of the device. `thread` is the caller's linear index in the block. */
typedef struct greta_simt_services {
  /* Waits until every live thread of the block is here. `predicate` is what this thread brings;
   * *count receives in how many threads it was non-zero, *arrived how many threads took part. */
  int (*block_barrier)(const struct greta_simt_block* block, uint32_t thread, int predicate,
                       uint32_t* count, uint32_t* arrived);
  /* Waits for the other active lanes of the wave at the same `site` and gives their values. *wave
   * stays valid until this thread's next service call. A site stands for a place in the source and
   * is never followed; a lower value means an earlier line. */
  int (*wave_exchange)(const struct greta_simt_block* block, uint32_t thread, const void* site,
                       uint64_t value, const greta_simt_wave** wave);
  /* Grid-wide barrier of a cooperative launch. */
  int (*grid_barrier)(const struct greta_simt_block* block, uint32_t thread);
  /* printf of a kernel. */
  int (*print)(const char* format, va_list arguments);
  /* Ends the kernel with hipErrorLaunchFailure: __builtin_trap, abort, a failed assert. Does not
   * return. `message` may be null. */
  void (*trap)(const struct greta_simt_block* block, uint32_t thread, const char* message);
  /* Checked builds only: called before every access outside private memory. Returns if the device
   * may access [address, address+bytes); otherwise ends the kernel with a memory fault. `kind` is
   * one of GRETA_SIMT_KIND_READ ..., `site` where in the code the access is. */
  void (*check_access)(const struct greta_simt_block* block, uint32_t thread, const void* address,
                       uint64_t bytes, int kind, const void* site);
} greta_simt_services;

/* One block of a launch, as its kernel sees it. Read-only for the kernel. */
typedef struct greta_simt_block {
  const greta_simt_services* services;
  greta_simt_dim grid_dim;  /* in blocks */
  greta_simt_dim block_dim; /* in threads */
  greta_simt_dim block_index;
  uint32_t dynamic_shared_bytes;
  uint32_t reserved;
} greta_simt_block;

/* `kernarg` holds the explicit arguments at the offsets of the metadata note. */
typedef void (*greta_simt_entry)(const greta_simt_block* block, const void* kernarg,
                                 uint32_t thread);

/* One row per kernel. A code object exports the table as the symbol greta_simt_kernels, and the
 * number of its rows as greta_simt_kernel_count (uint32_t); greta_simt_abi (uint32_t) holds
 * GRETA_SIMT_ABI, and greta_simt_checked (uint32_t) is 1 in a checked build. Names, arguments and
 * sizes are in the AMDGPU metadata note alone. */
typedef struct greta_simt_kernel_row {
  const char* name; /* .name of the note: the mangled name, without ".kd" */
  greta_simt_entry entry;
} greta_simt_kernel_row;

#ifdef __cplusplus
}
#endif
#endif
