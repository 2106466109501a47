/* libgreta_order.so: is one operation of a trace ordered before another, and what conflicts?
 *
 * The tables are those of greta.trace.trace: contract/trace.toml declares them for both.
 * Nothing in them is trusted: a row number, a time or an order that makes no sense is passed over.
 * docs/order.md has the rules. Plain C, so that ctypes can call it.
 */
#ifndef GRETA_ORDER_H
#define GRETA_ORDER_H

#include <stdint.h>

#include "order/generated/trace_tables.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  const greta_operation* operations;
  const greta_access* accesses;
  const greta_allocation* allocations;
  const greta_stream* streams;
  const greta_block* blocks;
  const uint8_t* outputs; /* for each access whether a kernel surely writes there; or null */
  const uint8_t* fresh;   /* for each allocation whether nobody had written to it before; or null */
  int64_t operation_count;
  int64_t access_count;
  int64_t allocation_count;
  int64_t stream_count;
  int64_t block_count;
  int64_t faulted;      /* row of work that was queued although its call reported an error; or -1 */
  void (*let_go)(void); /* lets go of pages of mapped tables, if many are resident; or null */
} greta_tables;

/* GRETA_TABLES_CHECKSUM of this library. A caller that was built with another must not call the
 * rest. */
uint32_t greta_order_checksum(void);

int greta_order_conflicts(const greta_tables* tables, greta_conflict* conflicts, int64_t capacity,
                          greta_summary* summary);

int greta_order_pairs(const greta_tables* tables, greta_pair* pairs, int64_t count);

/* For each operation the row of the call at whose return the host knew that it was done: a wait
 * that covers it, or the call itself if it waits; -1: never. `streams`: the same of the work that
 * streams had before the first operation, of which the tables tell nothing. What the host knew as
 * of a call is asked by giving only the operations before it. In doubt nothing is known: see
 * docs/order.md. */
int greta_order_completion(const greta_tables* tables, int64_t* known_by, int64_t* streams);

/* Sorts `count` accesses, from `first` on, into kinds that no check can tell apart: they are alike
 * in all but their operation and origin, their operations in what checks ask of them, and none of
 * them is over while another is live. To each access the number of its kind; to each kind its first
 * access, and whether the bytes of its accesses may meet those of one beside them. `last`: the last
 * operation that counts. Each array has space for `count`; `found` is how many kinds there are. */
int greta_order_alike(const greta_tables* tables, int64_t first, int64_t count, int64_t last,
                      uint32_t* kinds, int64_t* firsts, uint8_t* meets, int64_t* found);

/* For each access whether its kernel, in that argument, was ever the first to write to fresh
 * memory: then it surely writes there. `outputs` are zeros; `last`: the last operation that counts.
 */
int greta_order_outputs(const greta_tables* tables, int64_t last, uint8_t* outputs);

#ifdef __cplusplus
}
#endif
#endif
