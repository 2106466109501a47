/* The recording: what the recorder writes and every reader relies on. Plain C, nothing else.
 *
 * A recorded process has a folder of its own, <recording>/<pid>.<n>/ (n counts processes that had
 * the same pid, as after exec), with these files:
 *
 *   header        struct greta_header: who, when, and how it ended
 *   lane.<n>      struct greta_lane, then records: what one thread called, in its order
 *   live          struct greta_live_header, then slots: what is allocated or open right now
 *   tables.jsonl  one JSON object a line: calls, texts, kernels, modules, libraries, call sites ...
 *   device.jsonl  one JSON object a line: what the device told (device_notes.h); only if it did
 *   code.<hash>   code objects that lines of device.jsonl name
 *
 * Beside these folders <recording>/used counts, where the run has a disk budget, the bytes that the
 * lanes of all processes have taken (one 64-bit number), and <recording>/processes.jsonl says what
 * is known of processes by other means, one JSON object a line, appended by one write() each, no
 * more once the file has GRETA_MOST_PROCESSES_BYTES:
 *
 *   {"kind":"recorded","pid","name"}  a recording was begun, in the folder of that name
 *   {"kind":"unfollowed","pid","by_pid","by","asked","file","folder","arguments"}
 *                                     process by_pid started a program in which the recorder is
 *                                     not: as process pid (0: not known), by calling `by`, with the
 *                                     recorder in its environment (asked 1) or not
 *   {"kind":"not_started","pid"}      the last start that this process noted for itself failed
 *
 * All but tables.jsonl are mapped and written in place with plain stores, so that they are complete
 * up to the last store of the process, however it dies. Lines of tables.jsonl are written by one
 * write() each, before the first record that refers to them.
 *
 * Numbers are little-endian; all fields are naturally aligned. Rule for changes: a field may be
 * added in reserved space, which is zero until then, without a new version; anything else is a new
 * GRETA_RECORDING_VERSION, which a reader of another version refuses with a clear message.
 */
#ifndef GRETA_RECORDING_H
#define GRETA_RECORDING_H

#include <stdint.h>

/* Version 1 had `script`, the id of an entry "script", where `stack` is now, and no entries
 * "stack": every recording of version 1 is one of version 2. */
#define GRETA_RECORDING_VERSION 2u

#define GRETA_HEADER_MAGIC 0x3144484154455247ull /* "GRETAHD1" */
#define GRETA_LANE_MAGIC 0x314e4c4154455247ull   /* "GRETALN1" */
#define GRETA_LIVE_MAGIC 0x31564c4154455247ull   /* "GRETALV1" */

#define GRETA_RECORD_BYTES 128u
#define GRETA_RECORD_WORDS 10u
#define GRETA_MORE_BYTES 112u
#define GRETA_PAGE_BYTES 4096u

#define GRETA_PROCESSES_FILE "processes.jsonl"
#define GRETA_MOST_PROCESSES_BYTES (4l << 20)

/* --- header ------------------------------------------------------------------------------------
 */

enum greta_end {
  GRETA_END_OPEN = 0,   /* still running, or killed without a chance to say so */
  GRETA_END_EXIT = 1,   /* exit() or return from main; end_code is the status */
  GRETA_END_SIGNAL = 2, /* end_code is the signal; records after end_ticks: it was survived */
  GRETA_END_QUICK = 3   /* _exit(); end_code is the status */
};

enum greta_header_flags {
  GRETA_CLOCK_TSC = 1,  /* ticks are the CPU's time stamp counter; otherwise nanoseconds */
  GRETA_RING = 2,       /* lanes keep the last ring_records records */
  GRETA_INCOMPLETE = 4, /* the recorder had to give up (no space left), for good or for a while:
                           `dropped` calls are missing */
  GRETA_SPENT = 8       /* the disk budget of the run is spent: lanes have become rings */
};

struct greta_header { /* one page */
  uint64_t magic;
  uint32_t version;
  uint32_t flags;
  uint32_t pid;
  uint32_t parent_pid;
  uint64_t ring_records;
  /* Two readings of both clocks: ticks to nanoseconds is the line through them. The first is taken
   * at the start; the second is renewed now and then, and at the end. */
  uint64_t start_ticks;
  uint64_t start_monotonic_ns;
  uint64_t start_realtime_ns;
  uint64_t latest_ticks;
  uint64_t latest_monotonic_ns;
  uint32_t end; /* enum greta_end */
  int32_t end_code;
  uint64_t end_ticks;
  uint64_t dropped;
  uint32_t lanes; /* begun so far: lane.0, lane.1 ... */
  /* Where allocations are placed before an unmapped page: how many are, and how many are not. */
  uint32_t guarded;
  uint32_t unguarded;
  uint32_t reserved[997];
};

/* --- lanes -------------------------------------------------------------------------------------
 */

struct greta_lane { /* one page, then records */
  uint64_t magic;
  uint32_t version;
  uint32_t lane;
  uint32_t thread_id;
  uint32_t reserved0;
  uint64_t ring_records; /* 0: the file grows */
  /* Records begun so far, continuations included. In a ring, record i lies at i % ring_records. */
  uint64_t written;
  uint64_t start_ticks;
  char thread_name[16];
  uint32_t reserved[1008];
};

/* In greta_record.call: a continuation of the record before it (struct greta_more). */
#define GRETA_CALL_MORE 0xffffffffu

enum greta_record_flags {
  GRETA_FINISHED = 1, /* the call has returned; result, end and out words are valid */
  GRETA_CUT = 2       /* there was more to continue than is kept */
};

/* Bits 8 to 11 of a record's flags and of a slot's kind: the number of the HIP library that the
 * call went to, by its place in "hip_libraries". Zero, the first, in all but few processes;
 * GRETA_RUNTIME_OTHER: of one that is not in the list. */
#define GRETA_RUNTIME_SHIFT 8u
#define GRETA_RUNTIME_MASK 0xf00u
#define GRETA_RUNTIME_OTHER 4u

/* One call. Written in two steps: before the call is forwarded (`call` last, then the lane's
 * `written`), and after it has returned (`flags` last). In a ring `call` is set to zero first. A
 * record and its continuations never wrap around the end of a ring or of a segment; what is left
 * there is filler.
 *
 * Words are the arguments in order, widened to 64 bits as the call's entry in tables.jsonl says; a
 * struct that is passed by value is one word a field, named x.field. Those of `out` parameters are
 * what was found there after a call that succeeded, and zero otherwise. Words past
 * GRETA_RECORD_WORDS lie in a continuation. `result` is zero for calls that return no number. */
struct greta_record {
  uint32_t call; /* the id of an entry "call"; 0: nothing is here yet */
  uint16_t more; /* continuations that follow */
  uint16_t flags;
  uint64_t begin; /* ticks */
  uint64_t end;
  uint64_t site; /* the caller's return address */
  int32_t result;
  uint32_t stack;      /* the id of an entry "stack" or "script", 0: neither is known */
  uint32_t annotation; /* the id of an entry "annotation", 0: none */
  uint32_t kernel;     /* of a launch: the id of an entry "kernel", 0: unknown */
  uint64_t words[GRETA_RECORD_WORDS];
};

enum greta_more_kind {
  GRETA_MORE_FILLER = 0,  /* belongs to nothing: the rest of a segment, or room that was not used */
  GRETA_MORE_WORDS = 1,   /* words past the tenth */
  GRETA_MORE_KERNARG = 2, /* argument values of a launch, laid out as the kernel's entry says */
  GRETA_MORE_STRUCT = 3,  /* what the pointer in word `word` points to */
  GRETA_MORE_ARRAY = 4    /* the same, an array of words (graph dependencies) */
};

/* Bytes that belong to the record before it. What an `out` parameter points to is kept as it was
 * after the call, everything else as before it. Longer ones go on in the next continuation, with
 * the same kind and word. */
struct greta_more {
  uint32_t call; /* GRETA_CALL_MORE */
  uint8_t kind;  /* enum greta_more_kind */
  uint8_t word;
  uint16_t used;   /* bytes in this part */
  uint32_t offset; /* of this part */
  uint32_t total;  /* bytes of the whole */
  uint8_t bytes[GRETA_MORE_BYTES];
};

/* --- what is live ------------------------------------------------------------------------------
 */

enum greta_live_kind {
  GRETA_LIVE_FREE = 0, /* the slot is not in use */
  GRETA_LIVE_DEVICE_MEMORY = 1,
  GRETA_LIVE_HOST_MEMORY = 2,       /* hipHostMalloc */
  GRETA_LIVE_REGISTERED_MEMORY = 3, /* hipHostRegister */
  GRETA_LIVE_MANAGED_MEMORY = 4,
  GRETA_LIVE_POOL_MEMORY = 5, /* hipMallocAsync */
  GRETA_LIVE_STREAM = 6,
  GRETA_LIVE_EVENT = 7,
  GRETA_LIVE_MODULE = 8,
  GRETA_LIVE_GRAPH = 9,
  GRETA_LIVE_GRAPH_EXEC = 10,
  GRETA_LIVE_POOL = 11,
  GRETA_LIVE_ARRAY = 12 /* by its handle; its memory has no address that a program knows */
};

struct greta_live_header { /* one page, then slots */
  uint64_t magic;
  uint32_t version;
  uint32_t slot_bytes;
  uint64_t slots; /* in use or used once; the file may be longer */
  uint64_t peak_device_bytes;
  uint64_t device_bytes;
  uint32_t reserved[1014];
};

struct greta_live { /* 64 bytes */
  uint32_t kind;    /* enum greta_live_kind; written last when taken, first when given up */
  uint32_t flags;   /* as the program passed them */
  uint64_t handle;  /* address or handle */
  uint64_t bytes;
  uint64_t number; /* counts all that were ever live, of any kind: tells the next user of the same
                      handle from this one */
  uint64_t since;  /* ticks at which the call that made it returned */
  uint64_t site;
  uint32_t stack;
  uint32_t annotation;
  uint32_t call;
  int32_t device;
};

/* --- tables.jsonl ------------------------------------------------------------------------------
 *
 * Each line is one object; "t" says what it is. Ids begin at 1 and count per "t". Addresses and
 * handles are strings in hexadecimal, "0x7f...". Bytes of a string that are not UTF-8 appear as
 * lone surrogates U+DC80 to U+DCFF, which Python calls surrogateescape. A line that cannot be read
 * (the last one of a process that was killed in its write) is left out.
 *
 *   {"t":"process","pid":1,"executable":"/usr/bin/x","arguments":["x","-a"],"folder":"/home/y",
 *    "recorder":"0.1.0","hip_library":"/opt/rocm/lib/libamdhip64.so.7",
 *    "hip_libraries":["/opt/rocm/lib/libamdhip64.so.7"]}     may come again with more; the list is
 *                     of all HIP libraries of the process, the first is hip_library
 *   {"t":"process","bypassed_by":["/x/plugin.so"]}  code whose calls of HIP, or HIP libraries whose
 *                     calls, may have gone past the recorder
 *   {"t":"environment","name":"HIP_VISIBLE_DEVICES","value":"0"}
 *   {"t":"library","path":"/lib/libx.so","begin":"0x7f..","end":"0x7f..","base":"0x7f..",
 *    "build_id":"ab12","since":7301}             code from begin to end, loaded at base; for calls
 *                     that begin at these ticks or later: another library was unloaded before, and
 *                     may have been at the same place. Without "since" from the start on. Of those
 *                     at one place the last counts
 *   {"t":"call","id":17,"name":"hipMalloc","words":["ptr:void*:out","size:size_t:in"]}
 *                     one entry a word; ":struct" or ":array" is added where a continuation holds
 *                     what it points to, ":text" where the word is the id of an entry "text"
 *                     names that begin with greta_ are no calls of the program, but what the
 *                     recorder was asked to do beside: greta_host_touch, greta_added_sync; and what
 *                     the program announced: greta_block_created, greta_block_destroyed
 *   {"t":"text","id":3,"text":"model.co"}
 *   {"t":"module","id":1,"handle":"0x..","bytes":4096,"kind":"elf","targets":["gfx942"],
 *    "file":"model.co","problem":"what could not be read"}
 *   {"t":"kernel","id":5,"module":1,"function":"0x..","name":"_Z4ropePfi","kernarg_bytes":288,
 *    "arguments":[{"offset":0,"bytes":8,"kind":"global_buffer","name":"x","type":"float*",
 *                  "access":"read_only"}]}       hidden arguments are left out; name may be missing
 *   {"t":"script","id":2,"python":"3.11","frames":[{"file":"run.py","function":"main",
 *    "first_line":10,"instruction":24,"line_table":"80a1.."}]}            innermost frame first
 *   {"t":"stack","id":3,"call":17,"script":2,"frames":["0x7f..","0x7f.."],"cut":1}
 *                     of one call: return addresses, innermost first, as far as unwind tables
 *                     lead, or to the interpreter, whose frames are in the entry "script" (0:
 *                     none). "cut": there are more. Ids of entries "script" and "stack" are
 *                     counted together. Whose code an address is in, the time of the call says
 *   {"t":"annotation","id":9,"parent":4,"text":"layer 3"}
 *   {"t":"note","text":"what the recorder could not do"}
 */

/* --- device.jsonl ------------------------------------------------------------------------------
 *
 * Written like tables.jsonl, in the order in which the device found out. A call is named by the
 * lane and the begin of its record, [0,7301]. Ranges are four numbers each, all in one list: begin,
 * bytes, stride, count (struct greta_ranges); they ascend and do not overlap.
 *
 *   {"t":"footprint","call":[0,7301],"node":[0,6100],"kernel":"rope","read":[4096,512,0,1],
 *    "write":[8192,4,8,64],"atomic":[..],"cut":["read"],"stopped":1}
 *                     everything that one launch of a kernel accessed. "call" submitted it, a graph
 *                     launch perhaps, and then "node" is the call by which the node got its kernel.
 *                     "cut": there is more of these kinds. "stopped": a fault ended it
 *   {"t":"variable","call":[0,7301],"address":"0x..","bytes":256,"symbol":"0x.."}
 *                     of code that "call" loaded, where footprints are noted; "symbol" is the
 * address by which the program names it
 *   {"t":"fault","event":"illegal_access","call":[..],"node":[..],"stream":"0x..","device":0,
 *    "operation":"kernel","kernel":"rope","message":"..","address":"0x..","bytes":4,
 *    "access":"write","block":[3,0,0],"thread":[232,0,0],"allocation":"0x..",
 *    "allocation_bytes":4000,"variable":"counter","code":"code.9903b66f4c7a9cb1",
 *    "instruction":"0x2d04","sides":[{"access":"read","block":[3,0,0],"thread":[0,0,0],
 *    "instruction":"0x2d00"},{..}]}
 *                     what is not known is missing. "allocation" is the live one that the address
 * is in or nearest to, or the "variable" of a code object; with "space":"shared" the address counts
 * from the begin of a block's shared memory, with "private" from that of a thread's private memory,
 * and allocation_bytes is its size; "instruction" is by the addresses of the file "code". Events:
 * illegal_access and trap ended the work; damage: found when memory was freed; outside: an access
 * to the rest of an allocation's last page, which hardware does not notice; unwritten: a read of
 * bytes of device memory that nothing has written, "by_pattern":1 if that is told by the pattern of
 * fresh memory in 16 bytes or more, since not every write is known; race: accesses of one launch
 * that nothing orders, the second of them in the fields and both in "sides"; barrier: the first of
 * "sides" waits at a barrier that the second does not reach; unwatched: a kernel in which no races
 * can be seen, where they are asked for; approximate: a kernel with instructions, named in the
 * message, whose results may differ from hardware's in the last bits; brought: a copy to the host,
 * "bytes" is its size, and the message has words of it in hexadecimal, eight digits each, always
 * the same places of a copy of that size, so that two runs can be compared (GRETA_SIM_FRESH); heap:
 * of what "kernel" allocated by malloc at "instruction", "count" blocks of "bytes" bytes together
 * are not freed by now, none if they are missing. The last one of a place holds, and "call" is the
 * first launch that left some. With a message it is not known how it goes on (GRETA_SIM_HEAP);
 * graph_memory: what a node allocates became the program's when "call" launched its graph ("count"
 * is 1); or it was freed, or only named by a capture (it is missing; GRETA_SIM_HEAP)
 */

#endif
