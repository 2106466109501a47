#include "codeobject/file_contents.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <new>
#include <string_view>
#include <utility>

#include "codeobject/compressed_bundle.h"
#include "codeobject/elf_headers.h"
#include "codeobject/offload_bundle.h"
#include "codeobject/open_file.h"

namespace greta::codeobject {
namespace {

constexpr uint64_t kMostBytes = uint64_t{1} << 34;
constexpr uint16_t kMostSections = 60000;
constexpr size_t kMostObjects = 4096;
constexpr uint64_t kAlignment = 4096;  // of every bundle in a section, by clang
constexpr std::string_view kSection = ".hip_fatbin";

// What is done with each code object; `size` is what its bundle says, kMostBytes if none does.
using OnObject = std::function<void(const ImageBytes& image, uint64_t size, const std::string& id)>;

// Walks through a file, and tells what kept it from going on.
class Walk {
 public:
  explicit Walk(OnObject on_object) : on_object_(std::move(on_object)) {}

  std::string kind, problem;

  void file(const MemoryReader& memory, uint64_t bytes) {
    const ImageBytes image(memory, 0, kMostBytes);
    Elf64_Ehdr header;
    const bool has_header = image.read(0, &header);
    if (image.begins_with(kBundleMagic) || image.begins_with(kCompressedMagic)) {
      kind = image.begins_with(kBundleMagic) ? "bundle" : "compressed bundle";
      images_between(image, 0, bytes);
    } else if (has_header && machine_of(header) == ElfMachine::amdgpu) {
      kind = "elf";
      on_object_(image, kMostBytes, "");
    } else if (has_header && is_host_elf(header)) {
      kind = "program";
      program(image, header, bytes);
    } else {
      problem = "it is neither an ELF file nor an offload bundle";
    }
    if (objects_ == 0 && kind != "elf" && problem.empty()) problem = "it holds no code for a GPU";
  }

 private:
  static bool is_host_elf(const Elf64_Ehdr& header) {
    return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
           header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB;
  }

  void program(const ImageBytes& image, const Elf64_Ehdr& header, uint64_t bytes) {
    const bool sane = header.e_shentsize == sizeof(Elf64_Shdr) && header.e_shnum <= kMostSections &&
                      header.e_shstrndx < header.e_shnum;
    std::vector<Elf64_Shdr> sections(sane ? header.e_shnum : 0);
    if (!sane ||
        !image.copy(header.e_shoff, sections.data(), sections.size() * sizeof sections[0])) {
      problem = "it has no sections, among which code for a GPU would be";
      return;
    }
    for (const Elf64_Shdr& section : sections) {
      char name[kSection.size() + 1];
      const uint64_t at = sections[header.e_shstrndx].sh_offset + section.sh_name;
      if (section.sh_type == SHT_NOBITS || !image.copy(at, name, sizeof name)) continue;
      if (std::memcmp(name, kSection.data(), sizeof name) != 0) continue;
      if (section.sh_offset > bytes || section.sh_size > bytes - section.sh_offset) {
        problem = "it is cut short";
      } else {
        images_between(image, section.sh_offset, section.sh_offset + section.sh_size);
      }
    }
  }

  void images_between(const ImageBytes& file, uint64_t begin, uint64_t end) {
    for (uint64_t at = begin; at < end && objects_ < kMostObjects;) {
      const ImageBytes image = file.from(at);
      uint64_t bytes = 0;
      if (image.begins_with(kBundleMagic)) bytes = bundle(image);
      if (image.begins_with(kCompressedMagic)) bytes = compressed(image);
      if (bytes > end - at) break;
      at += std::max<uint64_t>((bytes + kAlignment - 1) / kAlignment, 1) * kAlignment;
    }
  }

  // Both: how long it is.
  uint64_t bundle(const ImageBytes& image) {
    const auto entries = read_bundle(image);
    if (!entries) problem = "its bundle header is corrupt";
    uint64_t bytes = 0;
    for (const BundleEntry& entry : entries.value_or(std::vector<BundleEntry>())) {
      if (entry.offset > kMostBytes || entry.size > kMostBytes) continue;
      bytes = std::max(bytes, entry.offset + entry.size);
      if (entry.is_for_host() || entry.size == 0 || ++objects_ > kMostObjects) continue;
      on_object_(image.from(entry.offset), entry.size, entry.id);
    }
    return bytes;
  }

  uint64_t compressed(const ImageBytes& image) {
    CompressedHeader header;
    std::string reason;
    if (!read_compressed_header(image, &header, &reason)) {
      problem = reason;
      return 0;
    }
    const Unpacked unpacked = unpack_bundle(image, header);
    if (unpacked.bytes == nullptr) {
      problem = unpacked.problem;
      return header.total_bytes;
    }
    const BufferReader memory(unpacked.bytes.get(), unpacked.size);
    const ImageBytes inside(memory, 0, kMostBytes);
    if (inside.begins_with(kBundleMagic)) {
      bundle(inside);
    } else {
      problem = "its compressed part is corrupt";
    }
    return header.total_bytes;
  }

  OnObject on_object_;
  size_t objects_ = 0;
};

Walk walk(const std::string& path, OnObject on_object) try {
  Walk way(std::move(on_object));
  // Without waiting: the path may be that of a pipe.
  const OpenFile file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status{};
  if (!file.is_open()) {
    way.problem = std::string("cannot open it: ") + std::strerror(errno);
  } else if (fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) {
    way.problem = "it is not an ordinary file";
  } else {
    way.file(FileReader(file.number()), static_cast<uint64_t>(status.st_size));
  }
  return way;
} catch (const std::bad_alloc&) {
  Walk way({});
  way.problem = "there is no memory to read it";
  return way;
}

}  // namespace

FileContents read_file_contents(const std::string& path) {
  FileContents contents;
  const Walk way = walk(path, [&](const ImageBytes& image, uint64_t size, const std::string& id) {
    ModuleInfo object = read_code_object(image, size);
    if (!id.empty()) object.target = id;
    contents.objects.push_back(std::move(object));
  });
  contents.kind = way.kind;
  contents.problem = way.problem;
  if (way.kind == "program" &&
      contents.objects.empty()) {  // what hipRTC of the simulated device makes
    ModuleInfo object = read_module_file(path);
    if (object.problem.empty() && !object.kernels.empty()) {
      contents.objects.push_back(std::move(object));
      contents.problem.clear();
    }
  }
  return contents;
}

std::optional<ByteVector> extract_object(const std::string& path, size_t place) {
  std::optional<ByteVector> found;
  size_t next = 0;
  walk(path, [&](const ImageBytes& image, uint64_t size, const std::string&) {
    if (next++ != place) return;
    const ModuleInfo object = read_code_object(image, size);
    if (object.bytes != 0) found = image.copy(0, object.bytes);
  });
  return found;
}

}  // namespace greta::codeobject
