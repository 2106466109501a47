// All code objects in a file: a program or library with fat binaries (section .hip_fatbin), an
// offload bundle, or a code object by itself. The file may be anything.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "codeobject/image_bytes.h"
#include "codeobject/module_reader.h"

namespace greta::codeobject {

struct FileContents {
  std::string kind;  // "program", or as ModuleInfo::kind
  // Each with one target. `bytes` is 0 and `problem` says why where one cannot be read.
  std::vector<ModuleInfo> objects;
  std::string problem;  // why there are none
};

FileContents read_file_contents(const std::string& path);

// The bytes of one of them, by its place in `objects`; none if it cannot be read.
std::optional<ByteVector> extract_object(const std::string& path, size_t place);

}  // namespace greta::codeobject
