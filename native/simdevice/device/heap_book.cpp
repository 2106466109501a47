#include "device/heap_book.h"

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <unordered_map>

#include "device/code_object.h"
#include "device/recorder_notes.h"

namespace greta::sim {
namespace {

// Two launches, one of which allocates what the other frees, change what is there for ever.
constexpr uint64_t kMostNotes = 1 << 16;

// What a launch allocated at a place and nobody has freed.
struct Left {
  FaultRecord launched;
  uint64_t blocks = 0;
};

// An instruction that calls malloc.
struct Place {
  FaultRecord record;             // what is left there, of all launches
  std::map<uint64_t, Left> of;    // by launch
  uint64_t told_blocks = 0;       // that the recorder knows of
  uint64_t told_of = UINT64_MAX;  // the first of the launches, as it knows them
};

struct Block {
  Place* place;
  uint64_t launch;
  uint64_t bytes;
};

struct Book {
  using Key = std::tuple<const void*, std::string, uint64_t>;  // code, kernel, instruction

  std::mutex mutex;
  std::map<Key, Place> places;
  std::unordered_map<uint64_t, Block> blocks;  // by address
  uint64_t notes = 0;

  void remove(uint64_t address) {
    const auto found = blocks.find(address);
    if (found == blocks.end()) return;
    const Block& block = found->second;
    --block.place->record.count;
    block.place->record.bytes -= block.bytes;
    const auto left = block.place->of.find(block.launch);
    if (--left->second.blocks == 0) block.place->of.erase(left);
    blocks.erase(found);
  }
};

Book& book() {
  static auto* const one = new Book;
  return *one;
}

uint64_t next_number() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

// It is told of the first launch that left something.
void tell(Place* place) {
  const uint64_t first = place->of.empty() ? place->told_of : place->of.begin()->first;
  if (place->told_blocks == place->record.count && place->told_of == first) return;
  place->told_blocks = place->record.count;
  place->told_of = first;
  FaultRecord& record = place->record;
  if (!place->of.empty()) {
    const FaultRecord& launched = place->of.begin()->second.launched;
    record.call = launched.call;
    record.node = launched.node;
    record.stream = launched.stream;
    record.device = launched.device;
  }
  if (++book().notes == kMostNotes) record.message = "too many changes";
  tell_fault(record);
}

}  // namespace

HeapCaller::HeapCaller(const Kernel& kernel, FaultRecord launched)
    : kernel_(kernel), launched_(std::move(launched)), number_(next_number()) {}

void HeapCaller::allocated(uint64_t address, uint64_t bytes, uintptr_t instruction) {
  const CodeObject* const code = kernel_.code_object;
  const bool known = code != nullptr && code->contains(instruction, 1);
  const uint64_t at = known ? instruction - code->load_address() : 0;
  const void* const file = known ? code->file().get() : nullptr;
  const std::lock_guard<std::mutex> lock(book().mutex);
  book().remove(address);  // somebody has freed it by other means
  const auto [found, is_new] = book().places.try_emplace({file, kernel_.name, at});
  Place& place = found->second;
  if (is_new) {
    place.record = launched_;
    place.record.what = FaultClass::heap;
    place.record.kernel = kernel_.name;
    if (known) place.record.code = code->file();  // kept: its address names it
    place.record.instruction = at;
  }
  ++place.record.count;
  place.record.bytes += bytes;
  const auto left = place.of.try_emplace(number_, Left{launched_, 0}).first;
  ++left->second.blocks;
  book().blocks[address] = {&place, number_, bytes};
}

void HeapCaller::freed(uint64_t address) {
  const std::lock_guard<std::mutex> lock(book().mutex);
  book().remove(address);
}

void tell_heap() {
  const std::lock_guard<std::mutex> lock(book().mutex);
  for (auto& [key, place] : book().places) {
    if (book().notes < kMostNotes) tell(&place);
  }
}

void forget_heap() {
  {
    const std::lock_guard<std::mutex> lock(book().mutex);
    while (!book().blocks.empty()) book().remove(book().blocks.begin()->first);
  }
  tell_heap();
}

}  // namespace greta::sim
