#include "device/code_image.h"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "device/code_seal.h"
#include "device/elf_image.h"
#include "device/guard.h"

namespace greta::sim {
namespace {

constexpr uint64_t kMostImageBytes = 256 << 20;
constexpr std::string_view kBundleMagic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view kCompressedMagic = "CCOB";
constexpr std::string_view kOurTarget = "gretasim";

CodeImage failure(hipError_t error, std::string reason) { return {error, std::move(reason), {}}; }

CodeImage invalid(const char* reason) { return failure(hipErrorInvalidImage, reason); }

// The program's memory, as far as it can be read.
class ForeignBytes {
 public:
  explicit ForeignBytes(const void* start) : start_(static_cast<const unsigned char*>(start)) {}

  bool copy(uint64_t offset, uint64_t size, void* to) const {
    if (offset > kMostImageBytes || size > kMostImageBytes) return false;
    const unsigned char* from = start_ + offset;
    // Assembly, since sanitizers object to a C++ copy that may run past the image's end.
    return !run_guarded([=]() mutable {
      asm volatile("rep movsb" : "+S"(from), "+D"(to), "+c"(size) : : "memory");
    });
  }

  template <typename Structure>
  bool read(uint64_t offset, Structure* structure) const {
    return copy(offset, sizeof(Structure), structure);
  }

  bool begins_with(std::string_view magic) const {
    char bytes[32];
    return copy(0, magic.size(), bytes) && std::string_view(bytes, magic.size()) == magic;
  }

  ForeignBytes from(uint64_t offset) const { return ForeignBytes(start_ + offset); }

 private:
  const unsigned char* start_;
};

// The length of an ELF file is the end of the last thing its headers mention.
std::optional<uint64_t> length_of_elf(const ForeignBytes& bytes, const Elf64_Ehdr& header) {
  uint64_t length = sizeof(Elf64_Ehdr);
  const auto extend = [&length](uint64_t offset, uint64_t size) {
    if (offset > kMostImageBytes || size > kMostImageBytes - offset) return false;
    length = std::max(length, offset + size);
    return true;
  };
  if (!extend(header.e_phoff, uint64_t{header.e_phnum} * sizeof(Elf64_Phdr))) return {};
  if (!extend(header.e_shoff, uint64_t{header.e_shnum} * sizeof(Elf64_Shdr))) return {};
  for (uint64_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!bytes.read(header.e_phoff + i * sizeof segment, &segment)) return {};
    if (!extend(segment.p_offset, segment.p_filesz)) return {};
  }
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    if (!bytes.read(header.e_shoff + i * sizeof section, &section)) return {};
    const bool takes_no_room = section.sh_type == SHT_NOBITS || section.sh_type == SHT_NULL;
    if (!takes_no_room && !extend(section.sh_offset, section.sh_size)) return {};
  }
  return length;
}

// Damage to code cannot be seen by looking at it, so only sealed files are accepted.
bool seal_is_right(const Elf64_Ehdr& header, const std::vector<unsigned char>& file) {
  return header.e_flags == compute_seal(file.data(), file.size());
}

// `available` is how much of the image there is, where a bundle says so.
CodeImage copy_elf(const ForeignBytes& bytes, uint64_t available) {
  Elf64_Ehdr header;
  if (available < sizeof header || !bytes.read(0, &header)) return invalid("it is cut short");
  switch (machine_of(header)) {
    case ElfMachine::not_elf:
      return invalid("it is neither an ELF file nor an offload bundle");
    case ElfMachine::amdgpu:
      return failure(hipErrorNoBinaryForGpu, "it holds code for an AMD GPU only");
    case ElfMachine::other:
      return invalid("it is an ELF file, but not a shared object for x86-64");
    case ElfMachine::x86_64_shared_object:
      break;
  }
  const std::optional<uint64_t> length = length_of_elf(bytes, header);
  if (!length) return invalid("its ELF headers are corrupt");
  if (*length > available) return invalid("it is cut short");
  CodeImage image{hipSuccess, {}, std::vector<unsigned char>(*length)};
  if (!bytes.copy(0, *length, image.file.data())) return invalid("it is cut short");
  if (header.e_flags == 0) return invalid("it was not made for the simulated device");
  if (!seal_is_right(header, image.file)) return invalid("its checksum is wrong");
  return image;
}

struct BundleEntry {
  uint64_t offset = 0;
  uint64_t size = 0;
  std::string id;
};

// Bundle: 24 bytes magic, u64 count, then per entry u64 offset, u64 size, u64 id length, id.
// Offsets count from the bundle's start.
std::optional<std::vector<BundleEntry>> read_bundle(const ForeignBytes& bytes) {
  constexpr uint64_t kMostEntries = 1024;
  constexpr uint64_t kMostIdBytes = 4096;
  uint64_t count;
  uint64_t at = kBundleMagic.size();
  if (!bytes.read(at, &count) || count > kMostEntries) return {};
  at += sizeof count;
  std::vector<BundleEntry> entries;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t fields[3];
    if (!bytes.read(at, &fields) || fields[2] > kMostIdBytes) return {};
    at += sizeof fields;
    BundleEntry entry{fields[0], fields[1], std::string(fields[2], '\0')};
    if (!bytes.copy(at, fields[2], entry.id.data())) return {};
    at += fields[2];
    if (entry.offset > kMostImageBytes || entry.size > kMostImageBytes) return {};
    entries.push_back(std::move(entry));
  }
  return entries;
}

bool is_x86_64_shared_object(const ForeignBytes& bytes, const BundleEntry& entry) {
  Elf64_Ehdr header;
  return entry.size >= sizeof header && bytes.read(entry.offset, &header) &&
         machine_of(header) == ElfMachine::x86_64_shared_object;
}

CodeImage find_in_bundle(const ForeignBytes& bytes) {
  const std::optional<std::vector<BundleEntry>> entries = read_bundle(bytes);
  if (!entries) return invalid("its bundle header is corrupt");
  const auto named_ours = [](const BundleEntry& entry) {
    return entry.id.find(kOurTarget) != std::string::npos;
  };
  auto found = std::find_if(entries->begin(), entries->end(), named_ours);
  if (found == entries->end()) {
    found = std::find_if(entries->begin(), entries->end(), [&](const BundleEntry& entry) {
      return is_x86_64_shared_object(bytes, entry);
    });
  }
  if (found == entries->end()) {
    return failure(hipErrorNoBinaryForGpu, "its bundle holds no code for the simulated device");
  }
  return copy_elf(bytes.from(found->offset), found->size);
}

}  // namespace

CodeImage find_code_image(const void* image) {
  if (image == nullptr) return failure(hipErrorInvalidValue, "there is none");
  const ForeignBytes bytes(image);
  if (bytes.begins_with(kBundleMagic)) return find_in_bundle(bytes);
  if (bytes.begins_with(kCompressedMagic)) {
    return failure(hipErrorNoBinaryForGpu,
                   "it is a compressed bundle; build it without --offload-compress");
  }
  return copy_elf(bytes, kMostImageBytes);
}

}  // namespace greta::sim
