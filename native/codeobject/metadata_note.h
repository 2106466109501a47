// Finds the AMDGPU metadata notes of a code object and reads them.
#pragma once

#include <elf.h>

#include <string>
#include <vector>

#include "codeobject/image_bytes.h"
#include "codeobject/kernel_metadata.h"

namespace greta::codeobject {

// `segments` are the program headers of the ELF file in `image`. False, with the reason, if there
// is no such note or it is corrupt.
bool read_metadata_note(const ImageBytes& image, const std::vector<Elf64_Phdr>& segments,
                        KernelMetadata* metadata, std::string* reason);

}  // namespace greta::codeobject
