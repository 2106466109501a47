// What the device knows of its work (contract/device_notes.h), as lines of device.jsonl.
#include "contract/device_notes.h"

#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <string>

#include "recorder/hooks/export.h"
#include "recorder/lanes/json_line.h"
#include "recorder/lanes/process_recording.h"
#include "recorder/lanes/same_process.h"
#include "recorder/lanes/tables.h"
#include "recorder/lanes/thread_state.h"
#include "recorder/notes/known_variables.h"

namespace greta::recorder {
namespace {

constexpr const char* kFile = "device.jsonl";
constexpr const char* kAccessNames[GRETA_ACCESS_KINDS] = {"read", "write", "atomic"};
// Footprints of a program that launches without end; faults have room even then.
constexpr uint64_t kMostFootprintBytes = uint64_t{512} << 20;
constexpr uint64_t kMostBytes = kMostFootprintBytes + (uint64_t{64} << 20);
constexpr uint64_t kMostCodeBytes = uint64_t{256} << 20;

bool is_recorded() { return is_same_process() && recording().is_on(); }

void put_call(JsonLine* line, const char* name, const greta_call& call) {
  if (call.begin == 0) return;
  line->raw(name, "[" + std::to_string(call.lane) + "," + std::to_string(call.begin) + "]");
}

std::string triple(const uint32_t (&values)[3]) {
  return "[" + std::to_string(values[0]) + "," + std::to_string(values[1]) + "," +
         std::to_string(values[2]) + "]";
}

// Four numbers each, all in one list: there may be thousands.
std::string ranges_json(const greta_ranges* ranges, uint64_t count) {
  std::string text = "[";
  char entry[88];
  for (uint64_t i = 0; i < count; ++i) {
    const greta_ranges& r = ranges[i];
    std::snprintf(entry, sizeof entry, "%s%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
                  i != 0 ? "," : "", r.begin, r.bytes, r.stride, r.count);
    text += entry;
  }
  return text + "]";
}

const char* event_name(uint32_t event) {
  switch (event) {
    case GRETA_ILLEGAL_ACCESS:
      return "illegal_access";
    case GRETA_TRAP:
      return "trap";
    case GRETA_DAMAGE:
      return "damage";
    case GRETA_OUTSIDE:
      return "outside";
    case GRETA_UNWRITTEN:
      return "unwritten";
    case GRETA_RACE:
      return "race";
    case GRETA_BARRIER:
      return "barrier";
    case GRETA_UNWATCHED:
      return "unwatched";
    case GRETA_APPROXIMATE:
      return "approximate";
    case GRETA_BROUGHT:
      return "brought";
    case GRETA_HEAP:
      return "heap";
    case GRETA_GRAPH_MEMORY:
      return "graph_memory";
    default:
      return nullptr;
  }
}

// FNV-1a: the same code object is kept once.
uint64_t fingerprint(const void* code, uint64_t bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  const auto* at = static_cast<const unsigned char*>(code);
  for (uint64_t i = 0; i < bytes; ++i) hash = (hash ^ at[i]) * 0x100000001b3;
  return hash;
}

// The file that the code object is kept in; empty if it cannot be.
std::string keep_code(const void* code, uint64_t bytes) {
  if (code == nullptr || bytes == 0 || bytes > kMostCodeBytes) return "";
  char name[32];
  std::snprintf(name, sizeof name, "code.%016" PRIx64, fingerprint(code, bytes));
  // No more than it has: what is there already is the same.
  append_to_recording(name, {static_cast<const char*>(code), bytes}, bytes);
  return name;
}

void put_access(JsonLine* line, const greta_device_fault& fault) {
  if ((fault.known & GRETA_ADDRESS_KNOWN) != 0) line->address("address", fault.address);
  if (fault.bytes != 0) line->field("bytes", fault.bytes);
  if ((fault.known & GRETA_ACCESS_KNOWN) != 0 && fault.access < GRETA_ACCESS_KINDS) {
    line->field("access", kAccessNames[fault.access]);
  }
  if ((fault.known & GRETA_BLOCK_KNOWN) != 0) line->raw("block", triple(fault.block));
  if ((fault.known & GRETA_THREAD_KNOWN) != 0) line->raw("thread", triple(fault.thread));
  if ((fault.known & GRETA_BY_PATTERN) != 0) line->field("by_pattern", 1);
  const bool shared = (fault.known & GRETA_SHARED) != 0;
  if (shared || (fault.known & GRETA_PRIVATE) != 0) {
    line->field("space", shared ? "shared" : "private");
    line->field("allocation_bytes", fault.base_bytes);
    return;
  }
  if (fault.base != 0) {
    line->address("allocation", fault.base);
    line->field("allocation_bytes", fault.base_bytes);
    if (fault.variable != nullptr) line->field("variable", fault.variable);
  }
}

std::string sides_json(const greta_device_fault& fault) {
  std::string text = "[";
  for (uint64_t i = 0; i < fault.side_count; ++i) {
    const greta_side& side = fault.sides[i];
    text += i != 0 ? ",{" : "{";
    if (side.accesses != 0 && side.access < GRETA_ACCESS_KINDS) {
      text += "\"access\":" + json_string(kAccessNames[side.access]) + ",";
    }
    text += "\"block\":" + triple(side.block) + ",\"thread\":" + triple(side.thread);
    if (side.instruction != 0) text += ",\"instruction\":" + json_address(side.instruction);
    text += "}";
  }
  return text + "]";
}

void write_variable(const greta_variable& variable) {
  JsonLine line("variable");
  put_call(&line, "call", variable.call);
  line.address("address", variable.address);
  line.field("bytes", variable.bytes);
  if (variable.symbol != 0) line.address("symbol", variable.symbol);
  append_to_recording(kFile, line.finished(), kMostFootprintBytes);
}

// Never given back, and without a lock: a child may be forked at any time.
struct KnownVariable {
  greta_variable variable;
  const KnownVariable* next;
};
std::atomic<const KnownVariable*> g_known_variables{nullptr};

}  // namespace

void write_known_variables() {
  for (const KnownVariable* one = g_known_variables; one != nullptr; one = one->next) {
    greta_variable variable = one->variable;
    variable.call = {};  // of another process
    write_variable(variable);
  }
}

extern "C" GRETA_EXPORT int greta_recorder_current_call(greta_call* call) {
  const ThreadState& t = t_state;
  if (t.phase != Phase::library || t.call_begin == 0) return 0;
  *call = {t.call_begin, t.lane_number};
  return 1;
}

extern "C" GRETA_EXPORT void greta_recorder_footprint(const greta_footprint* footprint) {
  if (footprint->size != sizeof *footprint || !is_recorded()) return;
  JsonLine line("footprint");
  put_call(&line, "call", footprint->call);
  put_call(&line, "node", footprint->node);
  if (footprint->kernel != nullptr) line.field("kernel", footprint->kernel);
  std::string cut;
  for (unsigned kind = 0; kind < GRETA_ACCESS_KINDS; ++kind) {
    const auto& accessed = footprint->accessed[kind];
    if (accessed.count != 0) {
      line.raw(kAccessNames[kind], ranges_json(accessed.ranges, accessed.count));
    }
    if (accessed.cut != 0) cut += (cut.empty() ? "" : ",") + json_string(kAccessNames[kind]);
  }
  if (!cut.empty()) line.raw("cut", "[" + cut + "]");
  if (footprint->stopped != 0) line.field("stopped", 1);
  append_to_recording(kFile, line.finished(), kMostFootprintBytes);
}

extern "C" GRETA_EXPORT void greta_recorder_variable(const greta_variable* variable) {
  if (variable->size != sizeof *variable || !is_recorded()) return;
  write_variable(*variable);
  auto* known = new KnownVariable{*variable, g_known_variables.load()};
  while (!g_known_variables.compare_exchange_weak(known->next, known)) {
  }
}

extern "C" GRETA_EXPORT void greta_recorder_fault(const greta_device_fault* fault) {
  const char* const event = event_name(fault->event);
  if (fault->size != sizeof *fault || event == nullptr || !is_recorded()) return;
  JsonLine line("fault");
  line.field("event", event);
  put_call(&line, "call", fault->call);
  put_call(&line, "node", fault->node);
  line.address("stream", fault->stream);
  line.field("device", static_cast<uint64_t>(fault->device < 0 ? 0 : fault->device));
  if (fault->operation != nullptr) line.field("operation", fault->operation);
  if (fault->kernel != nullptr) line.field("kernel", fault->kernel);
  if (fault->message != nullptr) line.field("message", fault->message);
  put_access(&line, *fault);
  if (fault->count != 0) line.field("count", fault->count);
  if (fault->side_count != 0) line.raw("sides", sides_json(*fault));
  const std::string code = keep_code(fault->code, fault->code_bytes);
  if (!code.empty()) {
    line.field("code", code);
    line.address("instruction", fault->instruction);
  }
  append_to_recording(kFile, line.finished(), kMostBytes);
}

}  // namespace greta::recorder
