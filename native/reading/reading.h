/* libgreta_reading.so: from the slots of a recording to the rows of a trace, where every call
 * counts.
 *
 * What calls mean is said in Python (greta.recording, greta.trace.reading); here are the loops over
 * all of them. Slots are what somebody recorded, and are not trusted; all else is Python's own.
 * Plain C, so that ctypes can call it. Nothing fails but `map` and `gather`.
 */
#ifndef GRETA_READING_H
#define GRETA_READING_H

#include <stdint.h>

#include "contract/recording.h"
#include "order/generated/trace_tables.h"

#ifdef __cplusplus
extern "C" {
#endif

/* GRETA_TABLES_CHECKSUM of this library. A caller that was built with another must not call the
 * rest. */
uint32_t greta_reading_checksum(void);

typedef struct {
  int64_t calls;  /* how many of the slots are calls */
  int64_t filled; /* one past the last slot that is not empty */
  int64_t last;   /* the place of the last call; -1: there is none */
  /* No slot is empty, and each call has just the continuations that it says; of the last one they
   * may follow. */
  int64_t in_order;
} greta_slots_seen;

/* Looks at slots of a lane and their numbers, which rise. `last`, `more`: the number of the call
 * before them, -1 if there is none, and how many continuations it says it has. */
void greta_reading_look(const struct greta_record* slots, const int64_t* numbers, int64_t count,
                        int64_t last, int64_t more, greta_slots_seen* seen);

typedef struct {
  int64_t* index;
  uint32_t* call;
  uint16_t* more;
  uint16_t* flags;
  int32_t* result;
  uint64_t* begin;
  uint64_t* end;
} greta_scan;

/* The columns of the calls among these slots. */
void greta_reading_scan(const struct greta_record* slots, const int64_t* numbers, int64_t count,
                        const greta_scan* columns);

/* Calls of a lane by their numbers, which rise, and how many slots that follow each are wanted as
 * well. A call goes to its place among `slots`, what follows it to `behind` and the places after
 * that. */
typedef struct {
  const int64_t* numbers;
  const int64_t* following;
  const int64_t* places;
  const int64_t* behind;
  int64_t count;
  struct greta_record* slots;
} greta_gathered;

/* Reads slots of a lane's file; neighbours are read together. Returns `count`, or less if the file
 * ends before a slot of that call, or a negative number: an error of the system. */
int64_t greta_reading_gather(int file, const greta_gathered* wanted);

/* Names by their ids, which rise. */
typedef struct {
  const int64_t* ids;
  int64_t count;
} greta_names;

/* `places`: of the records among the operations; the other columns are in the order of those. */
typedef struct {
  const struct greta_record* records;
  const int64_t* places;
  const int64_t* seqs;
  const int64_t* threads;
  const int64_t* devices;
  greta_names calls;
  greta_names kernels;
  uint64_t start_ticks;
  double ns_per_tick;
  double farthest_ns;
  int64_t count;
} greta_calls;

/* What is the same for all calls, whatever they do: the other columns stay as they are. */
void greta_reading_operations(const greta_calls* calls, greta_operation* operations);

typedef struct {
  const greta_access* rows;
  int64_t count;
} greta_piece;

/* Puts the rows of all pieces by operation, from `first` on; those of one operation keep the order
 * of the pieces. `starts`: where the rows of each of the `operations` begin. Returns 0, and does
 * nothing, if a row is of another operation. */
int greta_reading_accesses(const greta_piece* pieces, int64_t piece_count, int64_t first,
                           int64_t operations, greta_access* sorted, int64_t* starts);

/* Calls of one entry. `owners`: the call of each part; those of a call lie together. The rest is
 * space to work in: `begins` and `ends` for each call, and a power of two of `slots`, more than
 * there are calls. */
typedef struct {
  const struct greta_record* records;
  int64_t count;
  const struct greta_more* parts;
  const int64_t* owners;
  int64_t part_count;
  int64_t* begins;
  int64_t* ends;
  int64_t* slots;
  int64_t slot_count;
  uint64_t secret;
} greta_said;

/* Puts together calls with the same words, kernel and parts: for each call the number of its kind,
 * for each kind its first call. Returns how many there are. */
int64_t greta_reading_alike(const greta_said* said, int64_t* kinds, int64_t* firsts);

/* Things that begin one after the other, in groups: things `starts[g]` up to `starts[g + 1]` are of
 * `groups[g]`; groups rise, and so do the `begins` of a group. `hints` remembers for each group
 * what was found last. */
typedef struct {
  const int64_t* groups;
  int64_t group_count;
  const int64_t* starts;
  const int64_t* begins;
  int64_t* hints;
} greta_begun;

/* For each wanted group the last thing that has begun by then; -1 if nothing of it has. */
void greta_reading_last_begun(const greta_begun* begun, const int64_t* groups, const int64_t* whens,
                              int64_t count, int64_t* found);

typedef struct {
  greta_begun begun;
  const int64_t* lifetimes; /* of each thing of `begun` */
  int64_t shift;            /* a group is a piece of memory, shifted by so many bits */
} greta_level;

typedef struct {
  const uint64_t* borders; /* between the pieces of memory */
  int64_t border_count;
  const greta_level* levels;
  int64_t level_count;
  const int64_t* firsts; /* calls, for each lifetime */
  const int64_t* lasts;
  int64_t earlier; /* lifetimes that are looked at, where the last one has ended */
} greta_lifetimes;

/* For each address the lifetime that contains it, and whether that is live at its call. If none is,
 * the one that ended last; -1 if it was never in any. */
void greta_reading_find(const greta_lifetimes* lifetimes, const uint64_t* addresses,
                        const int64_t* seqs, int64_t count, int64_t* found, uint8_t* live);

/* Calls that say the same as others, their models, in order; a model is the first that has it. */
typedef struct {
  const int64_t* models; /* of each call, the number of its model */
  const int64_t* places; /* in a block */
  const int64_t* seqs;
  int64_t count;
} greta_copies;

/* An address that models name. */
typedef struct {
  const int64_t* asked; /* of each model, where in what follows it is; -1: it names none */
  const int64_t* places;
  const uint64_t* addresses;
  int64_t* model_kinds;
  const int64_t* kinds; /* of lifetimes: those of one kind are memory just like each other */
  const int64_t* rows;  /* of lifetimes, in the table of allocations */
} greta_named;

/* For each call the memory that it means, -1 if there is none. `fits` becomes 0 where that is not
 * just like what its model means. Fills in `model_kinds`. */
void greta_reading_fits(const greta_lifetimes* lifetimes, const greta_copies* copies,
                        const greta_named* named, uint8_t* fits, int64_t* found);

/* The rows of models, of which each has one at most, for the calls that fit: of operations from
 * `first` on, and with the memory that each has found. Returns how many there are. */
int64_t greta_reading_copies(const greta_copies* copies, const greta_access* rows,
                             const int64_t* row_of_model, const uint8_t* fits, const int64_t* found,
                             int64_t first, greta_access* made);

/* The first bytes of a file, to be read and written. From time to time all pages of such mappings
 * are let go of, if more bytes of files than `resident` are in memory. NULL: it cannot be mapped.
 */
void* greta_reading_map(int file, int64_t size, int64_t resident);
void greta_reading_unmap(void* address, int64_t size);
/* Now, if that is due: for those who look at much in a short time. */
void greta_reading_let_go(void);

#ifdef __cplusplus
}
#endif
#endif
