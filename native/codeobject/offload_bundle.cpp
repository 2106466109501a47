#include "codeobject/offload_bundle.h"

#include <utility>

namespace greta::codeobject {
namespace {

constexpr uint64_t kMostEntries = 1024;
constexpr uint64_t kMostIdBytes = 4096;

bool read_entry(const ImageBytes& image, uint64_t* at, BundleEntry* entry) {
  uint64_t fields[3];
  if (!image.read(*at, &fields) || fields[2] > kMostIdBytes) return false;
  *at += sizeof fields;
  *entry = {fields[0], fields[1], std::string(fields[2], '\0')};
  if (!image.copy(*at, entry->id.data(), fields[2])) return false;
  *at += fields[2];
  return entry->offset <= image.most_bytes() && entry->size <= image.most_bytes();
}

}  // namespace

// Bundle: 24 bytes magic, u64 count, then per entry u64 offset, u64 size, u64 id length, id.
std::optional<std::vector<BundleEntry>> read_bundle(const ImageBytes& image) {
  uint64_t count;
  uint64_t at = kBundleMagic.size();
  if (!image.read(at, &count) || count > kMostEntries) return {};
  at += sizeof count;
  std::vector<BundleEntry> entries;
  for (uint64_t i = 0; i < count; ++i) {
    BundleEntry entry;
    if (!read_entry(image, &at, &entry)) return {};
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::string_view processor_of(std::string_view target) {
  target = target.substr(0, target.find(':'));
  const size_t triple_end = target.rfind("--");
  return triple_end == std::string_view::npos ? target : target.substr(triple_end + 2);
}

}  // namespace greta::codeobject
