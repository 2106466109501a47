/* What a device that knows more than HIP tells gives to the recorder. Plain C, nothing else.
 *
 * The simulated device looks these functions up by name (dlsym) and does without where they are
 * missing. The recorder writes what it is given to device.jsonl (see recording.h). It knows nothing
 * of the device, and the device nothing of the recorder. Pointers are read during the call only.
 *
 * Every struct begins with its size: a recorder that expects another one takes nothing.
 */
#ifndef GRETA_DEVICE_NOTES_H
#define GRETA_DEVICE_NOTES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A recorded call: its record in the lane begins at these ticks. `begin` 0: none. */
struct greta_call {
  uint64_t begin;
  uint64_t lane;
};

enum greta_access_kind {
  GRETA_READ = 0,
  GRETA_WRITE = 1,
  GRETA_ATOMIC = 2, /* read and written in one step; a load or store that is atomic, too */
  GRETA_ACCESS_KINDS = 3
};

/* `count` ranges of `bytes` bytes; each begins `stride` bytes after the one before it. */
struct greta_ranges {
  uint64_t begin;
  uint64_t bytes;
  uint64_t stride;
  uint64_t count;
};

/* Everything that one launch of a kernel accessed of allocated memory, by kind. */
struct greta_footprint {
  uint64_t size;
  struct greta_call call; /* that submitted it: a launch, of the kernel or of a graph */
  struct greta_call node; /* in a graph: the call by which the node got what it launches */
  const char* kernel;     /* as the code object spells it */
  struct {
    const struct greta_ranges* ranges; /* ascending, without overlap */
    uint64_t count;
    uint64_t cut; /* not 0: there are more than these */
  } accessed[GRETA_ACCESS_KINDS];
  uint32_t stopped; /* not 0: a fault ended the launch; what it would have accessed is not known */
  uint32_t reserved;
};

enum greta_device_event {
  GRETA_ILLEGAL_ACCESS = 1, /* ended the work; became hipErrorIllegalAddress */
  GRETA_TRAP = 2,           /* ended the work; became hipErrorLaunchFailure */
  GRETA_DAMAGE = 3,         /* found later: bytes next to an allocation were written */
  GRETA_OUTSIDE = 4,        /* an access outside every allocation that hardware does not notice */
  GRETA_UNWRITTEN = 5,      /* a read of bytes of an allocation that nothing has written */
  GRETA_RACE = 6,           /* accesses of a launch without order: the two sides */
  GRETA_UNWATCHED = 7,      /* a kernel, once: races were asked for, and it cannot be watched */
  GRETA_APPROXIMATE = 8,  /* a kernel, once: the message names instructions of it whose results may
                             differ from hardware's in the last bits */
  GRETA_BARRIER = 9,      /* a barrier that the first side waits at and the second does not reach */
  GRETA_BROUGHT = 10,     /* a copy to the host: the message has words of what it brought */
  GRETA_HEAP = 11,        /* memory of malloc in kernels: of what the kernel allocated at the
                             instruction `count` blocks of together `bytes` are not freed by now. The
                             last note of a place holds. With a message: not followed from here on */
  GRETA_GRAPH_MEMORY = 12 /* memory that a node allocates became the program's by this call, which
                             launched the graph: `count` 1. `count` 0: it was freed, or a
                             capture has named it */
};

enum greta_device_event_known {
  GRETA_ADDRESS_KNOWN = 1,
  GRETA_BLOCK_KNOWN = 2,
  GRETA_THREAD_KNOWN = 4,
  GRETA_ACCESS_KNOWN = 8, /* read, write or atomic */
  GRETA_BY_PATTERN = 16,  /* unwritten: told by what the bytes hold, see recording.h */
  GRETA_SHARED = 32,      /* the address counts from the begin of a block's shared memory */
  GRETA_PRIVATE = 64      /* ... of a thread's private memory */
};

/* One of the two threads of a race or a barrier. */
struct greta_side {
  uint32_t accesses; /* not 0: `access` is known */
  uint32_t access;   /* enum greta_access_kind */
  uint32_t block[3];
  uint32_t thread[3];
  uint64_t instruction; /* in the code object; 0: not known */
};

/* Something went wrong on the device, and what the device knows of it. */
struct greta_device_fault {
  uint64_t size;
  uint32_t event;  /* enum greta_device_event */
  uint32_t known;  /* enum greta_device_event_known */
  uint32_t access; /* enum greta_access_kind */
  int32_t device;
  struct greta_call call;
  struct greta_call node;
  uint64_t stream;       /* the handle */
  const char* operation; /* "kernel", "copy", "fill", "free" ... */
  const char* kernel;    /* null: none */
  const char* message;   /* null: none */
  uint64_t address;      /* of the first byte */
  uint64_t bytes;        /* 0: not known */
  uint32_t block[3];
  uint32_t thread[3];
  /* The live allocation that the address is in or nearest to; base 0: none is near. Of shared and
   * private memory only its size. */
  uint64_t base;
  uint64_t base_bytes;
  const char* variable; /* of a code object, if that is what begins at `base`; else null */
  /* The code object as an ELF file, and where in it, by its own addresses. Null: not known. */
  const void* code;
  uint64_t code_bytes;
  uint64_t instruction;
  const struct greta_side* sides; /* in the order in which they came */
  uint64_t side_count;
  uint64_t count; /* heap: blocks */
};

/* A variable of code that was loaded: __device__, __constant__. */
struct greta_variable {
  uint64_t size;
  struct greta_call call; /* that loaded it */
  uint64_t address;       /* on the device */
  uint64_t bytes;
  uint64_t symbol; /* the address by which the program names it; 0: none */
};

/* The recorded call that this thread is in; 1 if there is one. */
typedef int greta_recorder_current_call_type(struct greta_call* call);
typedef void greta_recorder_footprint_type(const struct greta_footprint* footprint);
typedef void greta_recorder_fault_type(const struct greta_device_fault* fault);
typedef void greta_recorder_variable_type(const struct greta_variable* variable);

#define GRETA_CURRENT_CALL_NAME "greta_recorder_current_call"
#define GRETA_FOOTPRINT_NAME "greta_recorder_footprint"
#define GRETA_FAULT_NAME "greta_recorder_fault"
#define GRETA_VARIABLE_NAME "greta_recorder_variable"

#ifdef __cplusplus
}
#endif
#endif
