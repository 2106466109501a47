#include "device/code_image.h"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "codeobject/compressed_bundle.h"
#include "codeobject/elf_headers.h"
#include "codeobject/image_bytes.h"
#include "codeobject/memory_reader.h"
#include "codeobject/offload_bundle.h"
#include "device/code_seal.h"

namespace greta::sim {

using codeobject::BundleEntry;
using codeobject::ElfMachine;
using codeobject::ImageBytes;
using codeobject::machine_of;

namespace {

constexpr uint64_t kMostImageBytes = 256 << 20;
constexpr std::string_view kOurTarget = "gretasim";

CodeImage failure(hipError_t error, std::string reason) {
  return {error, std::move(reason), {}, false};
}

CodeImage invalid(const char* reason) { return failure(hipErrorInvalidImage, reason); }

// Damage to code cannot be seen by looking at it, so only sealed files are accepted.
bool seal_is_right(const Elf64_Ehdr& header, const std::vector<unsigned char>& file) {
  return header.e_flags == compute_seal(file.data(), file.size());
}

// `available` is how much of the image there is, where a bundle says so.
CodeImage copy_elf(const ImageBytes& bytes, uint64_t available) {
  Elf64_Ehdr header;
  if (available < sizeof header || !bytes.read(0, &header)) return invalid("it is cut short");
  const ElfMachine machine = machine_of(header);
  if (machine == ElfMachine::not_elf) {
    return invalid("it is neither an ELF file nor an offload bundle");
  }
  if (machine == ElfMachine::other) {
    return invalid("it is an ELF file, but for neither an AMD GPU nor the simulated device");
  }
  const std::optional<uint64_t> length = length_of_elf(bytes, header);
  if (!length) return invalid("its ELF headers are corrupt");
  if (*length > available) return invalid("it is cut short");
  std::optional<codeobject::ByteVector> file = bytes.copy(0, *length);
  if (!file) return invalid("it is cut short");
  if (machine == ElfMachine::amdgpu) return {hipSuccess, {}, std::move(*file), true};
  if (header.e_flags == 0) return invalid("it was not made for the simulated device");
  if (!seal_is_right(header, *file)) return invalid("its checksum is wrong");
  return {hipSuccess, {}, std::move(*file), false};
}

bool is_x86_64_shared_object(const ImageBytes& bytes, const BundleEntry& entry) {
  Elf64_Ehdr header;
  return entry.size >= sizeof header && bytes.read(entry.offset, &header) &&
         machine_of(header) == ElfMachine::x86_64_shared_object;
}

// Code that runs on gfx942 as it is: for itself or for its family, and not for the other setting of
// XNACK, which the device has off.
bool is_for_processor(const BundleEntry& entry, std::string_view processor) {
  return codeobject::processor_of(entry.id) == processor &&
         entry.id.find("xnack+") == std::string::npos;
}

// "gfx90a, gfx1100"
std::string processors_of(const std::vector<BundleEntry>& entries) {
  std::string all;
  for (const BundleEntry& entry : entries) {
    if (entry.id.compare(0, 4, "host") == 0) continue;
    all += (all.empty() ? "" : ", ") + std::string(codeobject::processor_of(entry.id));
  }
  return all.empty() ? "no GPU" : all;
}

CodeImage find_in_bundle(const ImageBytes& bytes) {
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
  for (const char* processor : {"gfx942", "gfx9-4-generic"}) {
    if (found != entries->end()) break;
    found = std::find_if(entries->begin(), entries->end(), [&](const BundleEntry& entry) {
      return is_for_processor(entry, processor);
    });
  }
  if (found == entries->end()) {
    return failure(hipErrorNoBinaryForGpu, "it holds code for " + processors_of(*entries) +
                                               "; the simulated device is a gfx942");
  }
  return copy_elf(bytes.from(found->offset), found->size);
}

CodeImage find_in_compressed(const ImageBytes& bytes) {
  codeobject::CompressedHeader header;
  std::string reason;
  if (!read_compressed_header(bytes, &header, &reason)) {
    return failure(hipErrorNoBinaryForGpu, std::move(reason));
  }
  const codeobject::Unpacked unpacked = unpack_bundle(bytes, header);
  if (unpacked.bytes == nullptr) return failure(hipErrorNoBinaryForGpu, unpacked.problem);
  const codeobject::BufferReader memory(unpacked.bytes.get(), unpacked.size);
  const ImageBytes bundle(memory, 0, unpacked.size);
  if (!bundle.begins_with(codeobject::kBundleMagic)) return invalid("it holds no bundle");
  return find_in_bundle(bundle);
}

}  // namespace

CodeImage find_code_image(const void* image) {
  if (image == nullptr) return failure(hipErrorInvalidValue, "there is none");
  const codeobject::OwnMemory memory;
  const ImageBytes bytes(memory, reinterpret_cast<uintptr_t>(image), kMostImageBytes);
  if (bytes.begins_with(codeobject::kBundleMagic)) return find_in_bundle(bytes);
  if (bytes.begins_with(codeobject::kCompressedMagic)) {
    return find_in_compressed(bytes);
  }
  return copy_elf(bytes, kMostImageBytes);
}

}  // namespace greta::sim
