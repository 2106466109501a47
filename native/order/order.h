/* libgreta_order.so: is one operation of a trace ordered before another, and what conflicts?
 *
 * The tables are those of greta.trace.trace, as NumPy lays them out; a test compares the two.
 * Nothing in them is trusted: a row number, a time or an order that makes no sense is passed over.
 * docs/order.md has the rules. Plain C, so that ctypes can call it.
 */
#ifndef GRETA_ORDER_H
#define GRETA_ORDER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int64_t seq;
  uint8_t kind;
  uint8_t waits;
  uint8_t finished;
  uint8_t failed;
  uint8_t captured;
  int16_t device;
  int32_t result;
  int32_t thread;
  int32_t stream;
  int32_t event; /* of a graph launch: which executable graph */
  int32_t allocation;
  int32_t call;
  int32_t kernel;
  int64_t begin;
  int64_t end;
  int64_t first_access;
} greta_operation;

typedef struct {
  int64_t operation;
  int64_t origin;
  uint64_t address;
  uint64_t bytes;
  uint64_t pitch;
  uint64_t width;
  uint64_t reach;
  int32_t allocation;
  int16_t argument;
  uint16_t element;
  uint8_t mode;
  uint8_t role;
  uint8_t space;
  uint8_t estimated;
  uint8_t at_call;
} greta_access;

typedef struct {
  uint64_t address;
  uint64_t bytes;
  uint8_t known_bytes;
  uint8_t memory;
  int16_t device;
  int32_t generation;
  int64_t made_by;
  int64_t freed_by;
  int64_t made_at;
  int64_t freed_at;
  int32_t free_stream;
} greta_allocation;

typedef struct {
  uint64_t handle;
  uint8_t kind;
  int16_t device;
  int32_t thread;
  int32_t generation;
} greta_stream;

typedef struct {
  const greta_operation* operations;
  const greta_access* accesses;
  const greta_allocation* allocations;
  const greta_stream* streams;
  int64_t operation_count;
  int64_t access_count;
  int64_t allocation_count;
  int64_t stream_count;
} greta_tables;

enum greta_conflict_kind {
  GRETA_READ_AFTER_WRITE = 1,
  GRETA_WRITE_AFTER_READ = 2,
  GRETA_WRITE_AFTER_WRITE = 3,
  GRETA_FREED_IN_FLIGHT = 4,
  GRETA_USED_BEFORE_ALLOCATED = 5,
};

enum greta_conflict_flag {
  GRETA_FIRST_MAY_WRITE = 1,  /* the first one is a kernel's pointer that is not const */
  GRETA_SECOND_MAY_WRITE = 2, /* so is the second */
  GRETA_FIRST_SOLE = 4,       /* it is the only memory that this kernel can write */
  GRETA_SECOND_SOLE = 8,
  GRETA_CONTENT_COPIED = 16, /* a copy was the last that surely wrote it before both */
  GRETA_CALLBACK = 32, /* a host function ran after the first, and may have told the program */
  GRETA_FIRST_ON_HOST = 64,
  GRETA_SECOND_ON_HOST = 128,
};

typedef struct {
  int64_t first;        /* row of the operation that came first */
  int64_t second;       /* and of the one that does not wait for it */
  int64_t first_access; /* rows of the accesses; -1 for the allocation or the free itself */
  int64_t second_access;
  uint64_t address; /* the bytes that both touch (one range of them) */
  uint64_t bytes;
  uint64_t repeats; /* how often the same was seen later: see docs/order.md */
  int32_t allocation;
  uint8_t kind;
  uint8_t flags;
} greta_conflict;

typedef struct {
  int64_t found;    /* conflicts written */
  int64_t repeats;  /* others like them */
  int64_t left_off; /* others for which there was no space */
  int64_t reads;    /* accesses that were looked at, by what they do */
  int64_t may_writes;
  int64_t writes;
  int64_t frees;
  int64_t transfer_reads; /* those of copies and fills among them */
  int64_t transfer_writes;
  int64_t host_sources; /* pinned memory that copies read, or write, while the host goes on */
  int64_t host_destinations;
  int64_t inexact; /* accesses too scattered to look at */
  /* pairs whose bytes are the same only by an estimate */
  int64_t doubtful_read_after_write;
  int64_t doubtful_write_after_read;
  int64_t doubtful_write_after_write;
  int64_t unknown_streams; /* operations whose stream, or how it behaves, is not known */
  int64_t unknown_events;  /* waits for something that is not known */
  int64_t rows;            /* operations folded; fewer than given: it was too much work */
} greta_summary;

enum greta_how {
  GRETA_UNORDERED = 0,
  GRETA_SAME_STREAM = 1,
  GRETA_DEFAULT_STREAM = 2, /* via: the operation before which the barrier stands */
  GRETA_EVENT = 3,          /* via: the hipStreamWaitEvent */
  GRETA_HOST_WAITED = 4,    /* via: what the host waited in */
  GRETA_HOST_ORDER = 5,     /* the call had returned; via: the call */
  GRETA_SAME_GRAPH = 6,     /* launches of one executable graph wait for each other */
  GRETA_NOT_RUN = 7,        /* the first did not run, its stream is not known, or no such row */
  GRETA_NOT_ANSWERED = 8,   /* it was too much work */
};

typedef struct {
  int64_t first;
  int64_t second;
  int64_t via; /* out: row, or -1 */
  int32_t how; /* out */
} greta_pair;

enum greta_status { GRETA_DONE = 0, GRETA_NO_MEMORY = 1, GRETA_TOO_MANY_ROWS = 2 };

/* Every struct above with its fields: "name size field@offset+size ...;" for each. */
const char* greta_order_layout(void);

int greta_order_conflicts(const greta_tables* tables, greta_conflict* conflicts, int64_t capacity,
                          greta_summary* summary);

int greta_order_pairs(const greta_tables* tables, greta_pair* pairs, int64_t count);

#ifdef __cplusplus
}
#endif
#endif
