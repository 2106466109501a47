// Rules for editing.
// - The interpreter is read, never asked: no Python.h, no GIL, no object of Python's is changed or
//   kept. Only the calling thread's own frames are read, since only they stand still.
// - Plain loads are for kChecked, after describe_frames has read the first frames whole and with
//   checks. What does not look as expected is "no site" for good, never a guess: a wrong line is
//   worse than none. Every walk has a bound.
// - A known site takes no lock and no allocation; nobody waits for the loader (settle_python).
// - After an edit: `make native-test` (recorder), tests/recorder/test_three_ways.py, and with each
//   Python that is installed; for a new version python_site_layout.c prints the offsets.
// - A new field of an entry "script" needs no new version of the recording; a changed one does.
#include "recorder/sites/python_site.h"

#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <unordered_map>

#include "recorder/sites/python_description.h"
#include "recorder/sites/site_key.h"

namespace greta::recorder {
namespace {

uint64_t turn(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }

// --- what a thread remembers --------------------------------------------------------------------

constexpr size_t kCacheEntries = 256;

// On the heap: the static TLS block of a preloaded library comes off every thread's stack.
struct ThreadCache {
  uint32_t generation = 0;
  struct Entry {
    SiteKey key;
    uint32_t id = 0;
  } entries[kCacheEntries];
};

thread_local ThreadCache* thread_cache __attribute__((tls_model("initial-exec"))) = nullptr;

void free_thread_cache(void* cache) {
  thread_cache = nullptr;
  delete static_cast<ThreadCache*>(cache);
}

std::atomic<uint32_t> generation{1};  // of the ids; caches of an earlier one are void

__attribute__((noinline)) ThreadCache* renew_cache() {
  static pthread_key_t key;
  static const bool has_key = pthread_key_create(&key, free_thread_cache) == 0;
  auto* cache = new (std::nothrow) ThreadCache;
  if (!cache || !has_key || pthread_setspecific(key, cache) != 0) {
    delete cache;
    return nullptr;
  }
  delete thread_cache;
  cache->generation = generation.load();
  return thread_cache = cache;
}

ThreadCache* current_cache() {
  ThreadCache* cache = thread_cache;
  bool usable = cache && cache->generation == generation.load(std::memory_order_relaxed);
  return __builtin_expect(usable, true) ? cache : renew_cache();
}

// --- what the process remembers -----------------------------------------------------------------

// A program that keeps generating code has a new site for each piece.
constexpr size_t kScriptsLimit = 100000;
constexpr size_t kKnownSitesLimit = 1 << 20;

struct SiteTable {
  std::mutex mutex;
  std::unordered_map<SiteKey, uint32_t, SiteKeyHash> by_key;
  // The same words from other code objects, as when one source is compiled again and again.
  std::unordered_map<SiteKey, uint32_t, SiteKeyHash> by_text;
  bool said_full = false;
  bool said_unreadable = false;
};

// Never freed: threads may outlive the destructors.
SiteTable*& site_table() {
  static SiteTable* table = new SiteTable;
  return table;
}

enum class Stage {
  kAbsent,     // no Python, as far as we know
  kPending,    // there may be one now
  kUnchecked,  // there is one; no frame of it was seen yet
  kChecked,    // its frames are what we take them for
  kRefused     // they are not
};

std::atomic<Stage> stage{Stage::kAbsent};
std::mutex stage_mutex;  // held to move on from kPending and kUnchecked
std::atomic<SymbolLookup> symbol_lookup{nullptr};
PythonInterpreter python;  // not changed after kPending
Code python_code;          // as well

SiteKey text_key(const std::string& text) {
  SiteKey key;
  uint64_t word = 0;
  for (size_t at = 0; at < text.size(); at += sizeof word) {
    word = 0;
    memcpy(&word, text.data() + at, std::min(sizeof word, text.size() - at));
    mix(&key, word, at, text.size());
  }
  return key;
}

uint32_t id_of_text(SiteTable& table, const std::string& body, ScriptSink& sink) {
  if (table.by_text.size() >= kScriptsLimit) {
    if (!table.said_full) sink.add_note("too many script lines call HIP; later ones are left out");
    table.said_full = true;
    return 0;
  }
  uint32_t& id = table.by_text[text_key(body)];
  if (id == 0) id = sink.add_script(body);
  return id;
}

// --- the frames, as fast as they can be read ----------------------------------------------------

template <typename T>
T load(uintptr_t object, int field) {
  T value;
  memcpy(&value, reinterpret_cast<const void*>(object + static_cast<uintptr_t>(field)),
         sizeof value);
  return value;
}

uint64_t sample_bytes(uintptr_t bytes) {
  auto size = load<uint64_t>(bytes, kObjectSize);
  // Both loads stay inside the object, which has a header of four words and a final zero.
  auto middle = load<uint64_t>(bytes + size / 2, kBytesData - 8);
  auto end = load<uint64_t>(bytes + size, kBytesData - 8);
  return size ^ turn(middle, 11) ^ turn(end, 37);
}

uint64_t sample_text(uintptr_t text) {
  if (load<const void*>(text, kObjectType) != python.text_type) return 0;
  auto length = load<uint64_t>(text, python.layout.text_length);
  auto end = load<uint64_t>(text + length, python.layout.text_ascii_data - 8);
  auto before = load<uint64_t>(text + length, python.layout.text_ascii_data - 16);
  return length ^ turn(end, 23) ^ turn(before, 53);
}

// Tells a code object from an earlier one that was freed and had the same address. Versions that
// number their code objects say so themselves; for the others, what an entry is made of is sampled.
uint64_t code_identity(uintptr_t code) {
  const PythonLayout& layout = python.layout;
  uint64_t first_line = load<uint32_t>(code, layout.code_first_line);
  auto table = load<uintptr_t>(code, layout.code_line_table);
  auto file = load<uintptr_t>(code, layout.code_filename);
  uint64_t identity = (first_line << 32) ^ table ^ (file << 7);
  if (layout.code_version != kNoField) {
    return identity ^ static_cast<uint64_t>(load<uint32_t>(code, layout.code_version)) << 32;
  }
  auto name = load<uintptr_t>(code, layout.code_name);
  return identity ^ turn(name, 17) ^ sample_bytes(table) ^ sample_text(file);
}

uintptr_t innermost_frame(const PythonLayout& layout, uintptr_t thread) {
  auto frame = load<uintptr_t>(thread, layout.thread_frame);
  if (layout.cframe_frame == kNoField || !frame) return frame;
  return load<uintptr_t>(frame, layout.cframe_frame);
}

// False if there is no Python code on this thread.
bool make_key(uintptr_t thread, SiteKey* key) {
  const PythonLayout& layout = python.layout;
  uintptr_t frame = innermost_frame(layout, thread);
  int frames = 0;
  for (int walked = 0; frame && frames < kScriptFrames && walked < kFramesWalked; ++walked) {
    auto code = load<uintptr_t>(frame, layout.frame_code) & ~kReferenceTags;
    bool has_code = layout.frame_owner == kNoField ||
                    load<uint8_t>(frame, layout.frame_owner) < kFirstOwnerWithoutCode;
    if (has_code && load<const void*>(code, kObjectType) == python.code_type) {
      uint64_t instruction = layout.instruction_form == InstructionForm::kPointer
                                 ? load<uint64_t>(frame, layout.frame_instruction)
                                 : load<uint32_t>(frame, layout.frame_instruction);
      mix(key, code, instruction, code_identity(code));
      ++frames;
    }
    frame = load<uintptr_t>(frame, layout.frame_previous);
  }
  return frames > 0;
}

// --- finding Python, and new sites --------------------------------------------------------------

Stage search_python(ScriptSink& sink) {
  std::string note;
  switch (find_python(symbol_lookup.load(), &python, &note)) {
    case PythonSearch::kFound:
      python_code = code_around(reinterpret_cast<uintptr_t>(python.this_thread));
      return Stage::kUnchecked;
    case PythonSearch::kUnreadable:
      sink.add_note(note);
      return Stage::kRefused;
    case PythonSearch::kAbsent:
      break;
  }
  return Stage::kAbsent;
}

// The first frames anyone sees: only if all of them can be read are later ones read unchecked.
Stage check_python(uintptr_t thread, ScriptSink& sink) {
  std::string ignored;
  switch (describe_frames(python, thread, &ignored)) {
    case Description::kComplete:
      return Stage::kChecked;
    case Description::kEmpty:
      return Stage::kUnchecked;
    case Description::kMismatch:
      break;
  }
  sink.add_note(std::string("the frames of this Python ") + python.version +
                " are not laid out as expected; calls are recorded without their script lines");
  return Stage::kRefused;
}

// In a process that ends, Python frees the states of threads that still run; only the thread that
// ends it, which is the main one, may still look.
uintptr_t this_thread() {
  auto thread = reinterpret_cast<uintptr_t>(python.this_thread());
  if (!thread || !python.is_finalizing || !python.is_finalizing()) return thread;
  return syscall(SYS_gettid) == getpid() ? thread : 0;
}

// True once frames may be read. Until then, moves on as far as this thread can.
__attribute__((noinline)) bool settle_python(ScriptSink& sink) {
  // Looking for symbols takes the loader's lock, and a thread that holds it may come here from the
  // constructor of a library: nobody waits.
  std::unique_lock<std::mutex> lock(stage_mutex, std::try_to_lock);
  if (!lock.owns_lock()) return false;
  int saved_errno = errno;
  if (stage.load() == Stage::kPending) {
    stage.store(Stage::kAbsent);  // first, so that a library loaded meanwhile is looked at again
    Stage found = search_python(sink);
    if (found != Stage::kAbsent) stage.store(found);
  }
  if (stage.load() == Stage::kUnchecked) {
    if (uintptr_t thread = this_thread()) stage.store(check_python(thread, sink));
  }
  errno = saved_errno;
  return stage.load() == Stage::kChecked;
}

uint32_t describe_new_site(uintptr_t thread, SiteTable& table, ScriptSink& sink) {
  std::string body;
  Description found = describe_frames(python, thread, &body);
  if (found == Description::kMismatch && !table.said_unreadable) {
    sink.add_note("some Python frames could not be read; their calls have no script lines");
    table.said_unreadable = true;
  }
  return found == Description::kComplete ? id_of_text(table, body, sink) : 0;
}

__attribute__((noinline)) uint32_t look_up_site(uintptr_t thread, const SiteKey& key,
                                                ScriptSink& sink) {
  int saved_errno = errno;
  SiteTable& table = *site_table();
  uint32_t id = 0;
  {
    std::lock_guard<std::mutex> lock(table.mutex);
    auto known = table.by_key.find(key);
    if (known != table.by_key.end()) {
      id = known->second;
    } else {
      id = describe_new_site(thread, table, sink);
      if (table.by_key.size() >= kKnownSitesLimit) table.by_key.clear();
      table.by_key.emplace(key, id);
    }
  }
  errno = saved_errno;
  return id;
}

bool may_read_frames(ScriptSink& sink) {
  Stage now = stage.load(std::memory_order_acquire);
  if (__builtin_expect(now == Stage::kChecked, true)) return true;
  if (now == Stage::kAbsent || now == Stage::kRefused) return false;
  return settle_python(sink);
}

}  // namespace

void python_may_be_loaded(SymbolLookup lookup) {
  symbol_lookup.store(lookup);
  Stage absent = Stage::kAbsent;
  stage.compare_exchange_strong(absent, Stage::kPending);
}

uint32_t current_script_site(ScriptSink& sink) {
  if (!may_read_frames(sink)) return 0;
  uintptr_t thread = this_thread();
  SiteKey key;
  if (!thread || !make_key(thread, &key)) return 0;
  ThreadCache* cache = current_cache();
  if (!cache) return look_up_site(thread, key, sink);
  ThreadCache::Entry& entry = cache->entries[key.low % kCacheEntries];
  if (__builtin_expect(entry.key == key, true)) return entry.id;
  uint32_t id = look_up_site(thread, key, sink);
  entry = {key, id};
  return id;
}

Code python_interpreter_code() { return python_code; }

void forget_script_sites() {
  // What other threads of the parent held locked or half changed stays so in the child.
  new (&stage_mutex) std::mutex;
  site_table() = new SiteTable;
  generation.fetch_add(1);
}

}  // namespace greta::recorder
