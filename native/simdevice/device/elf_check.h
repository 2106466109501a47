// Is a shared object safe to give to the dynamic linker? The linker trusts what it reads: with a
// corrupt table it would write through wild addresses, while holding its locks. Files that were
// damaged are recognised by their seal (code_seal.h); this is for those that were made wrong.
#pragma once

#include <string>

#include "device/elf_image.h"

namespace greta::sim {

// Checks every table the dynamic linker would follow, and fills image->symbol_table. False, with
// the reason, if something is out of bounds or of a kind that a code object has no use for.
bool check_dynamic_linking(ElfImage* image, std::string* reason);

}  // namespace greta::sim
