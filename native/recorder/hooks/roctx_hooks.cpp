#include "recorder/hooks/roctx_hooks.h"

#include <dlfcn.h>

#include <cstring>
#include <iterator>

#include "recorder/hooks/dlsym_hook.h"
#include "recorder/hooks/hook.h"

namespace greta::recorder {
namespace {

enum Roctx : uint32_t { kMark = kHipCalls + 1, kPush, kPop, kStart, kStop };

extern "C" {
GRETA_EXPORT void roctxMarkA(const char* message);
GRETA_EXPORT int roctxRangePushA(const char* message);
GRETA_EXPORT int roctxRangePop();
GRETA_EXPORT uint64_t roctxRangeStartA(const char* message);
GRETA_EXPORT void roctxRangeStop(uint64_t id);
}

struct RoctxCall {
  const char* name;
  const char* words;
  AnyFunction hook;
};

const RoctxCall kCalls[] = {
    {"roctxMarkA", R"(["message:const char*:in:text"])", reinterpret_cast<AnyFunction>(roctxMarkA)},
    {"roctxRangePushA", R"(["message:const char*:in:text"])",
     reinterpret_cast<AnyFunction>(roctxRangePushA)},
    {"roctxRangePop", "[]", reinterpret_cast<AnyFunction>(roctxRangePop)},
    {"roctxRangeStartA", R"(["message:const char*:in:text","id:uint64_t:out"])",
     reinterpret_cast<AnyFunction>(roctxRangeStartA)},
    {"roctxRangeStop", R"(["id:uint64_t:in"])", reinterpret_cast<AnyFunction>(roctxRangeStop)},
};

static_assert(std::size(kCalls) == kRoctxCalls);

std::atomic<AnyFunction> g_roctx[std::size(kCalls)];

// Does nothing, as the library does when no tool listens.
uint64_t nobody_listens() { return 0; }

template <typename Function>
Function real_roctx(Roctx call) {
  const size_t index = call - kMark;
  AnyFunction real = g_roctx[index].load(std::memory_order_relaxed);
  if (real == nullptr) {
    real = reinterpret_cast<AnyFunction>(real_dlsym()(RTLD_NEXT, kCalls[index].name));
    if (real == nullptr) real = reinterpret_cast<AnyFunction>(nobody_listens);
    g_roctx[index].store(real, std::memory_order_relaxed);
  }
  return reinterpret_cast<Function>(real);
}

constexpr Call number_of(Roctx call) { return static_cast<Call>(call); }

// The ranges that are open on this thread. Deeper ones than this keep the name of the last.
struct OpenRanges {
  static constexpr uint32_t kMost = 64;
  uint32_t ids[kMost];
  uint32_t depth;
};
__attribute__((tls_model("initial-exec"))) thread_local OpenRanges t_ranges;

void open_range(const char* message) {
  OpenRanges& ranges = t_ranges;
  if (ranges.depth < OpenRanges::kMost) ranges.ids[ranges.depth] = t_state.annotation;
  ++ranges.depth;
  const std::string_view text = message != nullptr ? message : "";
  if (ranges.depth <= OpenRanges::kMost) {
    t_state.annotation = annotation_id(t_state.annotation, text);
  }
}

void close_range() {
  OpenRanges& ranges = t_ranges;
  if (ranges.depth == 0) return;
  --ranges.depth;
  if (ranges.depth < OpenRanges::kMost) t_state.annotation = ranges.ids[ranges.depth];
}

extern "C" {

GRETA_EXPORT void roctxMarkA(const char* message) {
  const auto real = real_roctx<void (*)(const char*)>(kMark);
  RecordedCall call(number_of(kMark), GRETA_CALLER, 0);
  if (!call) return real(message);
  call.word(0) = text_id(message);
  call.begin();
  real(message);
  call.finish(0);
}

GRETA_EXPORT int roctxRangePushA(const char* message) {
  const auto real = real_roctx<int (*)(const char*)>(kPush);
  RecordedCall call(number_of(kPush), GRETA_CALLER, 0);
  if (!call) return real(message);
  call.word(0) = text_id(message);
  call.begin();
  const int level = real(message);
  call.finish(level);
  open_range(message);
  return level;
}

GRETA_EXPORT int roctxRangePop() {
  const auto real = real_roctx<int (*)()>(kPop);
  RecordedCall call(number_of(kPop), GRETA_CALLER, 0);
  if (!call) return real();
  call.begin();
  const int level = real();
  call.finish(level);
  close_range();
  return level;
}

GRETA_EXPORT uint64_t roctxRangeStartA(const char* message) {
  const auto real = real_roctx<uint64_t (*)(const char*)>(kStart);
  RecordedCall call(number_of(kStart), GRETA_CALLER, 0);
  if (!call) return real(message);
  call.word(0) = text_id(message);
  call.word(1) = 0;
  call.begin();
  const uint64_t id = real(message);
  call.word(1) = id;
  call.finish(0);
  return id;
}

GRETA_EXPORT void roctxRangeStop(uint64_t id) {
  const auto real = real_roctx<void (*)(uint64_t)>(kStop);
  RecordedCall call(number_of(kStop), GRETA_CALLER, 0);
  if (!call) return real(id);
  call.word(0) = id;
  call.begin();
  real(id);
  call.finish(0);
}
}

}  // namespace

void write_roctx_entries() {
  for (size_t i = 0; i < std::size(kCalls); ++i) {
    write_table_line(JsonLine("call")
                         .field("id", kMark + i)
                         .field("name", kCalls[i].name)
                         .raw("words", kCalls[i].words));
  }
}

void forget_annotations() { t_ranges = {}; }

AnyFunction roctx_hook_for(const char* name, AnyFunction real) {
  for (size_t i = 0; i < std::size(kCalls); ++i) {
    if (std::strcmp(kCalls[i].name, name) != 0) continue;
    if (real != kCalls[i].hook) g_roctx[i].store(real, std::memory_order_relaxed);
    return kCalls[i].hook;
  }
  return nullptr;
}

}  // namespace greta::recorder
