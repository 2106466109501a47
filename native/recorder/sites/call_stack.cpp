#include "recorder/sites/call_stack.h"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>
#include <string>
#include <unordered_map>

#include "recorder/lanes/errno_keeper.h"
#include "recorder/lanes/tables.h"
#include "recorder/lanes/thread_memory.h"
#include "recorder/sites/libraries.h"
#include "recorder/sites/script_site.h"

namespace greta::recorder {
namespace {

using RecentStack = ThreadMemory::RecentStack;

constexpr size_t kUsualFrames = 32;
// A recursive program has a stack for every depth it calls from.
constexpr size_t kMostStacks = 100000;

struct StackTable {
  std::mutex mutex;
  std::unordered_map<SiteKey, uint32_t, SiteKeyHash> ids;
  bool said_full = false;
};

// Never freed: threads may outlive the destructors.
StackTable& table() {
  static StackTable* const instance = new StackTable;
  return *instance;
}

// Of the ids; what threads remember of an earlier one is void.
std::atomic<uint32_t> g_generation{1};

size_t frames_wanted() {
  static const size_t wanted = [] {
    const char* value = secure_getenv("GRETA_RECORD_STACKS");
    if (value == nullptr || *value == '\0') return kUsualFrames;
    const size_t number = std::strtoul(value, nullptr, 10);
    return number < kMostFrames ? number : kMostFrames;
  }();
  return wanted;
}

std::string hex(uint64_t address) {
  char digits[24];
  std::snprintf(digits, sizeof digits, "\"0x%llx\"", static_cast<unsigned long long>(address));
  return digits;
}

// The code that the frames are in is written down before them.
uint32_t write_stack(uint32_t call, uint32_t script, const uint64_t* frames, size_t count) {
  std::string list = "[";
  for (size_t i = 0; i < count; ++i) {
    note_site(frames[i]);
    list += (i == 0 ? "" : ",") + hex(frames[i]);
  }
  const uint32_t id = new_stack_id();
  JsonLine line = JsonLine("stack")
                      .field("id", id)
                      .field("call", uint64_t{call})
                      .field("script", uint64_t{script});
  line.raw("frames", list + "]");
  if (count == frames_wanted()) line.field("cut", uint64_t{1});
  return write_table_line(line) ? id : script;
}

__attribute__((noinline)) uint32_t look_up_stack(const SiteKey& key, uint32_t call, uint32_t script,
                                                 const uint64_t* frames, size_t count) {
  const ErrnoKeeper errno_keeper;
  StackTable& stacks = table();
  std::lock_guard<std::mutex> lock(stacks.mutex);
  const auto known = stacks.ids.find(key);
  if (known != stacks.ids.end()) return known->second;
  if (stacks.ids.size() >= kMostStacks) {
    if (!stacks.said_full) write_note("too many different stacks; later ones are left out");
    stacks.said_full = true;
    return script;
  }
  const uint32_t id = write_stack(call, script, frames, count);
  stacks.ids.emplace(key, id);
  return id;
}

uint32_t id_of(const StackWalk& walk, uint32_t call, uint32_t script, uint32_t generation) {
  SiteKey key;
  mix(&key, script, walk.count, call);
  for (size_t i = 0; i < walk.count; ++i) mix(&key, walk.frames[i], i, script);
  auto& stacks = thread_memory().stacks;
  ThreadMemory::Stack& place = stacks[key.low % stacks.size()];
  if (place.key == key && place.generation == generation) return place.id;
  const uint32_t id = look_up_stack(key, call, script, walk.frames, walk.count);
  place = {key, id, generation};
  return id;
}

// Where the last walk from there is kept, or one from another place; null without memory.
RecentStack* recent_stack(HookFrame hook) {
  ThreadMemory& memory = thread_memory();
  auto* all = memory.recent.load(std::memory_order_relaxed);
  if (__builtin_expect(all == nullptr, false)) {
    const ErrnoKeeper errno_keeper;
    all = new (std::nothrow) ThreadMemory::RecentStacks{};
    memory.recent.store(all);
    if (all == nullptr) return nullptr;
  }
  const auto place = reinterpret_cast<uint64_t>(hook.stack);
  const uint64_t mixed =
      (place ^ *static_cast<const uint64_t*>(hook.stack)) * 0x9e3779b97f4a7c15ull;
  return &(*all)[mixed >> 60];
}

}  // namespace

uint32_t current_stack(HookFrame hook, uint32_t call) {
  const uint32_t script = current_script();
  if (frames_wanted() == 0 || hook.stack == nullptr) return script;
  RecentStack* const recent = recent_stack(hook);
  if (recent == nullptr) return script;
  const uint32_t generation = g_generation.load(std::memory_order_relaxed);
  const uint32_t known = recent->id.load(std::memory_order_relaxed);
  if (known != 0 && recent->call == call && recent->script == script &&
      recent->generation == generation && is_same_walk(recent->walk, hook)) {
    return known;
  }
  recent->id.store(0, std::memory_order_relaxed);
  // Below the interpreter there is nothing but the interpreter, which its own frames tell better.
  const Code interpreter = script != 0 ? interpreter_code() : Code();
  walk_native_stack(hook, interpreter, frames_wanted(), &recent->walk);
  const uint32_t id = id_of(recent->walk, call, script, generation);
  recent->call = call;
  recent->script = script;
  recent->generation = generation;
  if (recent->walk.is_of_thread) recent->id.store(id, std::memory_order_relaxed);
  return id;
}

void forget_stacks() {
  new (&table()) StackTable;  // the old one is left: another thread may have been at it
  g_generation.fetch_add(1);
}

}  // namespace greta::recorder
