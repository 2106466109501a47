// The headers of an ELF file: what it is for, how long it is, where its segments lie.
#pragma once

#include <elf.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "codeobject/image_bytes.h"

namespace greta::codeobject {

enum class ElfMachine { not_elf, x86_64_shared_object, amdgpu, other };
ElfMachine machine_of(const Elf64_Ehdr& header);

// The end of the last thing that the headers mention; none if they cannot be followed.
std::optional<uint64_t> length_of_elf(const ImageBytes& image, const Elf64_Ehdr& header);

// The program headers; none if they cannot be read or are more than any code object has.
std::optional<std::vector<Elf64_Phdr>> read_segments(const ImageBytes& image,
                                                     const Elf64_Ehdr& header);

}  // namespace greta::codeobject
