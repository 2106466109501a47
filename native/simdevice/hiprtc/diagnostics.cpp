#include "hiprtc/diagnostics.h"

#include <filesystem>

namespace greta::hiprtc {
namespace {

constexpr const char* kUnnamed = "CompileSource";

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  if (from.empty()) return;
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

bool is_plain_path(const std::filesystem::path& path) {
  if (path.is_absolute() || path.filename().empty()) return false;
  for (const auto& part : path)
    if (part == "..") return false;
  return path.string()[0] != '-';
}

}  // namespace

std::string source_file_name(const std::string& program) {
  if (program.empty()) return kUnnamed;
  // In a folder of its own: it must not collide with the files of the build.
  if (is_plain_path(program)) return program;
  return kUnnamed;
}

std::string tidy_diagnostics(const std::string& log, const DiagnosticNames& names) {
  std::string text = log;
  replace_all(text, names.folder + "/", "");
  if (!names.program.empty() && names.program != names.source_file)
    replace_all(text, names.source_file, names.program);
  return text;
}

}  // namespace greta::hiprtc
