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
// padded to 4 bytes.
bool find_metadata(const ByteVector& notes, Descriptor* found) {
  const auto padded = [](uint64_t size) { return (size + 3) & ~uint64_t{3}; };
  uint64_t offset = 0;
  Elf64_Nhdr header;
  while (lies_within(offset, sizeof header, 0, notes.size())) {
    std::memcpy(&header, notes.data() + offset, sizeof header);
    const uint64_t name = offset + sizeof header;
    const uint64_t descriptor = name + padded(header.n_namesz);
    if (!lies_within(descriptor, header.n_descsz, 0, notes.size())) return false;
    if (is_metadata(header, notes.data() + name)) {
      *found = {notes.data() + descriptor, header.n_descsz};
      return true;
    }
    offset = descriptor + padded(header.n_descsz);
  }
  return false;
}

}  // namespace

bool read_metadata_note(const ImageBytes& image, const std::vector<Elf64_Phdr>& segments,
                        KernelMetadata* metadata, std::string* reason) {
  Descriptor note;
  uint64_t seen = 0;
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_NOTE || segment.p_filesz > kMostNoteBytes - seen) continue;
    seen += segment.p_filesz;
    const auto notes = image.copy(segment.p_offset, segment.p_filesz);
    if (notes && find_metadata(*notes, &note)) {
      return read_kernel_metadata(note.data, note.size, metadata, reason);
    }
  }
  *reason = "it has no AMDGPU metadata note";
  return false;
}

}  // namespace greta::codeobject
