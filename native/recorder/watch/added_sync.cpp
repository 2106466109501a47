#include "recorder/watch/added_sync.h"

#include <atomic>
#include <cstdlib>
#include <cstring>

#include "recorder/hooks/captures.h"
#include "recorder/hooks/outside_call.h"
#include "recorder/hooks/own_calls.h"
#include "recorder/hooks/real_functions.h"
#include "recorder/hooks/recorded_call.h"

namespace greta::recorder {
namespace {

struct Asked {
  uint64_t first = 1;
  uint64_t last = 0;
};

Asked parse(const char* text) {
  if (text == nullptr || *text == '\0') return {};
  if (std::strcmp(text, "all") == 0) return {1, UINT64_MAX};
  if (std::strncmp(text, "..", 2) == 0) return {1, std::strtoull(text + 2, nullptr, 10)};
  const uint64_t only = std::strtoull(text, nullptr, 10);
  return only != 0 ? Asked{only, only} : Asked{};
}

const Asked& asked() {
  static const Asked parsed = parse(secure_getenv("GRETA_RECORD_SYNC"));
  return parsed;
}

std::atomic<uint64_t> g_operations{0};

void wait_for(uint64_t number, const greta_record& operation, void* stream) {
  using Synchronize = int (*)(void*);
  const auto wait = reinterpret_cast<Synchronize>(real_function(Call::hipStreamSynchronize));
  const auto* site = reinterpret_cast<const void*>(operation.site);
  const OutsideCall outside;
  RecordedCall call(kAddedSync, site, 0);
  if (!call) {
    wait(stream);
    return;
  }
  call.word(0) = number;
  call.word(1) = reinterpret_cast<uint64_t>(stream);
  call.begin();
  call.finish(wait(stream));
}

}  // namespace

bool sync_is_asked_for() { return asked().first <= asked().last; }

void sync_after(const greta_record& operation, void* stream, int result) {
  const uint64_t number = g_operations.fetch_add(1, std::memory_order_relaxed) + 1;
  if (number < asked().first || number > asked().last) return;
  if (result == 0 && !is_captured(stream)) wait_for(number, operation, stream);
}

void forget_operations() { g_operations = 0; }

}  // namespace greta::recorder
