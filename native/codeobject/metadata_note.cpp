#include "codeobject/metadata_note.h"

#include <cstring>
#include <string_view>

#include "codeobject/byte_range.h"

namespace greta::codeobject {
namespace {

constexpr std::string_view kOwner = "AMDGPU";
constexpr uint32_t kMetadataNote = 32;  // NT_AMDGPU_METADATA
constexpr uint64_t kMostNoteBytes = 256 << 20;

struct Descriptor {
  const unsigned char* data = nullptr;
  size_t size = 0;
};

bool is_metadata(const Elf64_Nhdr& header, const unsigned char* name) {
  return header.n_type == kMetadataNote && header.n_namesz == kOwner.size() + 1 &&
         std::memcmp(name, kOwner.data(), kOwner.size()) == 0;
}

// Notes follow each other: name size, descriptor size, type, name, descriptor; the latter two
// padded to 4 bytes. A linker that optimizes in parts leaves a note of each part.
std::vector<Descriptor> metadata_in(const ByteVector& notes) {
  const auto padded = [](uint64_t size) { return (size + 3) & ~uint64_t{3}; };
  std::vector<Descriptor> found;
  uint64_t offset = 0;
  Elf64_Nhdr header;
  while (lies_within(offset, sizeof header, 0, notes.size())) {
    std::memcpy(&header, notes.data() + offset, sizeof header);
    const uint64_t name = offset + sizeof header;
    const uint64_t descriptor = name + padded(header.n_namesz);
    if (!lies_within(descriptor, header.n_descsz, 0, notes.size())) break;
    if (is_metadata(header, notes.data() + name)) {
      found.push_back({notes.data() + descriptor, header.n_descsz});
    }
    offset = descriptor + padded(header.n_descsz);
  }
  return found;
}

}  // namespace

bool read_metadata_note(const ImageBytes& image, const std::vector<Elf64_Phdr>& segments,
                        KernelMetadata* metadata, std::string* reason) {
  uint64_t seen = 0;
  bool any = false;
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_NOTE || segment.p_filesz > kMostNoteBytes - seen) continue;
    seen += segment.p_filesz;
    const auto notes = image.copy(segment.p_offset, segment.p_filesz);
    if (!notes) continue;
    for (const Descriptor& note : metadata_in(*notes)) {
      if (!read_kernel_metadata(note.data, note.size, metadata, reason)) return false;
      any = true;
    }
  }
  if (!any) *reason = "it has no AMDGPU metadata note";
  return any;
}

}  // namespace greta::codeobject
