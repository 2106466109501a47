// The compiler's messages as the user should see them: under the name of the user's program,
// without the traces of what hipRTC did to the text.
#pragma once

#include <string>

namespace greta::hiprtc {

struct DiagnosticNames {
  std::string folder;       // the private folder that the compiler worked in
  std::string own_headers;  // where the simt headers are
  std::string source_file;  // the program's file in the folder
  std::string program;      // what the user calls it
};

// The file name, inside the private folder, under which a program's source is written. It is the
// program's own name wherever that is a plain relative path, so that messages show it.
std::string source_file_name(const std::string& program);

// The places that appended code claims to come from. Messages about a kernel's registration only
// repeat what is wrong with the kernel; a name expression is the user's own text.
std::string place_of_kernel(const std::string& name);
std::string place_of_name_expression(const std::string& expression);

std::string tidy_diagnostics(const std::string& log, const DiagnosticNames& names);

// What the linker complains of: functions that are declared and used, but defined nowhere.
std::string tidy_link_errors(const std::string& log);

}  // namespace greta::hiprtc
