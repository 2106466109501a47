#include "codeobject/module_reader.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "codeobject/compressed_bundle.h"
#include "codeobject/elf_headers.h"
#include "codeobject/fat_binary.h"
#include "codeobject/image_bytes.h"
#include "codeobject/metadata_note.h"
#include "codeobject/offload_bundle.h"
#include "codeobject/open_file.h"

namespace greta::codeobject {
namespace {

// Bundles for many targets have hundreds of MiB; no more than their headers and notes are copied.
constexpr uint64_t kMostImageBytes = uint64_t{1} << 34;

// How many targets of a bundle are tried before it is given up.
constexpr size_t kMostAttempts = 16;

struct CodeObject {
  uint64_t bytes = 0;
  KernelMetadata metadata;
  std::string problem;
};

// `available` is how much of the image there is, where a bundle says so.
CodeObject read_elf(const ImageBytes& image, uint64_t available) {
  const auto unreadable = [](const char* problem) { return CodeObject{0, {}, problem}; };
  Elf64_Ehdr header;
  if (available < sizeof header || !image.read(0, &header)) return unreadable("it is cut short");
  const ElfMachine machine = machine_of(header);
  if (machine == ElfMachine::not_elf) {
    return unreadable("it is neither an ELF file nor an offload bundle");
  }
  if (machine == ElfMachine::other) {
    return unreadable("it is an ELF file, but not for a GPU or the simulated device");
  }
  const std::optional<uint64_t> length = length_of_elf(image, header);
  const auto segments = read_segments(image, header);
  if (!length || !segments) return unreadable("its ELF headers are corrupt");
  if (*length > available) return unreadable("it is cut short");
  CodeObject object{*length, {}, {}};
  if (!read_metadata_note(image, *segments, &object.metadata, &object.problem)) {
    object.metadata.kernels.clear();
  }
  return object;
}

}  // namespace

ModuleInfo read_code_object(const ImageBytes& image, uint64_t available) {
  CodeObject object = read_elf(image, available);
  ModuleInfo module;
  if (object.bytes != 0) module.kind = "elf";
  module.bytes = object.bytes;
  module.target = std::move(object.metadata.target);
  if (!module.target.empty()) module.targets.push_back(module.target);
  module.kernels = std::move(object.metadata.kernels);
  module.problem = std::move(object.problem);
  return module;
}

namespace {

// Those that have code for a device, that for the wanted processor first.
std::vector<BundleEntry> device_entries(std::vector<BundleEntry> entries,
                                        std::string_view processor) {
  const auto is_empty = [](const BundleEntry& entry) {
    return entry.is_for_host() || entry.size == 0;
  };
  entries.erase(std::remove_if(entries.begin(), entries.end(), is_empty), entries.end());
  const auto wanted = std::find_if(entries.begin(), entries.end(), [&](const BundleEntry& entry) {
    return processor_of(entry.id) == processor_of(processor);
  });
  if (wanted != entries.end()) std::rotate(entries.begin(), wanted, wanted + 1);
  return entries;
}

void take_kernels(const ImageBytes& image, const std::vector<BundleEntry>& entries,
                  ModuleInfo* module) {
  module->problem = "its bundle holds no code for a device";
  for (size_t i = 0; i < std::min(entries.size(), kMostAttempts); ++i) {
    CodeObject object = read_elf(image.from(entries[i].offset), entries[i].size);
    if (i == 0 || object.problem.empty()) module->problem = object.problem;
    if (!object.problem.empty()) continue;
    module->target = entries[i].id;
    module->kernels = std::move(object.metadata.kernels);
    return;
  }
}

ModuleInfo read_plain_bundle(const ImageBytes& image, std::string_view processor) {
  ModuleInfo module;
  module.kind = "bundle";
  std::optional<std::vector<BundleEntry>> entries = read_bundle(image);
  if (!entries) {
    module.problem = "its bundle header is corrupt";
    return module;
  }
  for (const BundleEntry& entry : *entries) {
    module.bytes = std::max(module.bytes, entry.offset + entry.size);
    if (!entry.is_for_host()) module.targets.push_back(entry.id);
  }
  take_kernels(image, device_entries(std::move(*entries), processor), &module);
  return module;
}

ModuleInfo read_unpacked(const Unpacked& unpacked, std::string_view processor) {
  const BufferReader memory(unpacked.bytes.get(), unpacked.size);
  const ImageBytes bundle(memory, 0, kMostImageBytes);
  ModuleInfo module;
  module.problem = "its compressed part is corrupt";
  return bundle.begins_with(kBundleMagic) ? read_plain_bundle(bundle, processor) : module;
}

ModuleInfo read_compressed_bundle(const ImageBytes& image, std::string_view processor) {
  ModuleInfo module;
  CompressedHeader header;
  if (read_compressed_header(image, &header, &module.problem)) {
    const Unpacked unpacked = unpack_bundle(image, header);
    module.problem = unpacked.problem;
    if (unpacked.bytes != nullptr) module = read_unpacked(unpacked, processor);
    module.bytes = header.total_bytes;
  }
  module.kind = "compressed bundle";
  return module;
}

ModuleInfo unreadable(std::string problem) {
  ModuleInfo module;
  module.problem = std::move(problem);
  return module;
}

ModuleInfo read_image(const ImageBytes& image, std::string_view processor) try {
  if (image.begins_with(kBundleMagic)) return read_plain_bundle(image, processor);
  if (image.begins_with(kCompressedMagic)) return read_compressed_bundle(image, processor);
  return read_code_object(image, kMostImageBytes);
} catch (const std::bad_alloc&) {
  return unreadable("there is no memory to read it");
}

}  // namespace

const KernelInfo* ModuleInfo::find_kernel(std::string_view name) const {
  const auto found = std::find_if(kernels.begin(), kernels.end(),
                                  [name](const KernelInfo& kernel) { return kernel.name == name; });
  return found != kernels.end() ? &*found : nullptr;
}

ModuleInfo read_module(const MemoryReader& memory, const void* image, std::string_view processor) {
  if (image == nullptr) return unreadable("there is none");
  const auto start = reinterpret_cast<uintptr_t>(image);
  return read_image(ImageBytes(memory, start, kMostImageBytes), processor);
}

// Without waiting: the path may be that of a pipe.
ModuleInfo read_module_file(const std::string& path, std::string_view processor) {
  const OpenFile file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) return unreadable(std::string("cannot open it: ") + std::strerror(errno));
  struct stat status{};
  if (fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return unreadable("it is not an ordinary file");
  }
  const FileReader bytes(file.number());
  return read_image(ImageBytes(bytes, 0, kMostImageBytes), processor);
}

ModuleInfo read_fat_binary(const MemoryReader& memory, const void* wrapper,
                           std::string_view processor) {
  const void* image = find_wrapped_image(memory, wrapper);
  if (image == nullptr) return unreadable("it is no fat binary wrapper");
  return read_module(memory, image, processor);
}

}  // namespace greta::codeobject
