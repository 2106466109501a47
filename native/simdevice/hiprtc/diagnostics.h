// The compiler's messages as the user should see them.
#pragma once

#include <string>

namespace greta::hiprtc {

struct DiagnosticNames {
  std::string folder;       // the private folder that the compiler worked in
  std::string source_file;  // the program's file in it
  std::string program;      // what the user calls it
};

// The file name, inside the private folder, under which a program's source is written. It is the
// program's own name wherever that is a plain relative path, so that messages show it.
std::string source_file_name(const std::string& program);

std::string tidy_diagnostics(const std::string& log, const DiagnosticNames& names);

}  // namespace greta::hiprtc
