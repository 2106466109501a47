#include "hiprtc/diagnostics.h"

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "hiprtc/options.h"

namespace greta::hiprtc {
namespace {

constexpr const char* kUnnamed = "CompileSource";
constexpr const char* kKernelPlace = "<kernel ";
constexpr const char* kNamePlace = "<name expression ";

bool starts_with(const std::string& text, const std::string& prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  if (from.empty() || from == to) return;
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

bool is_plain_path(const std::filesystem::path& path) {
  if (path.is_absolute() || path.filename().empty()) return false;
  for (const auto& part : path)
    if (part == "..") return false;
  return path.string()[0] != '-';
}

std::string without(const std::string& text, char unwanted) {
  std::string kept;
  for (char c : text)
    if (c != unwanted && c != '\n') kept += c;
  return kept;
}

// Goes through a log line by line. A message is a line that begins with its place, followed by
// lines that quote the source; lines before it that say where it is ("In function ...") are its
// own too.
class MessageFilter {
 public:
  std::string run(const std::string& log) {
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) take(line);
    return kept_;
  }

 private:
  void take(const std::string& line) {
    if (is_message(line)) {
      keeping_ = is_wanted(line);
      if (keeping_) kept_ += introduction_ + worded(line) + "\n";
      introduction_.clear();
    } else if (is_quotation(line)) {
      if (keeping_ && introduction_.empty()) kept_ += line + "\n";
    } else if (!starts_with(line, kKernelPlace) && !starts_with(line, kNamePlace)) {
      introduction_ += line + "\n";
    }
  }

  static bool is_message(const std::string& line) {
    return line.find(": error: ") != std::string::npos ||
           line.find(": warning: ") != std::string::npos ||
           line.find(": note: ") != std::string::npos ||
           line.find(": fatal error: ") != std::string::npos;
  }
  static bool is_quotation(const std::string& line) { return line.empty() || line[0] == ' '; }

  // Of the messages about one name expression only the first says something new.
  bool is_wanted(const std::string& line) {
    if (starts_with(line, kKernelPlace)) return false;
    if (!starts_with(line, kNamePlace)) return true;
    return seen_.insert(line.substr(0, line.find(">:1:"))).second;
  }

  static std::string worded(const std::string& line) {
    size_t place_end = line.find(">:1:");
    if (!starts_with(line, kNamePlace) || place_end == std::string::npos) return line;
    size_t begin = std::string(kNamePlace).size();
    return "error: name expression '" + line.substr(begin, place_end - begin) + "'" +
           line.substr(line.find(": ", line.find(": ", place_end) + 1));
  }

  std::string kept_;
  std::string introduction_;
  bool keeping_ = false;
  std::set<std::string> seen_;
};

}  // namespace

std::string source_file_name(const std::string& program) {
  return !program.empty() && is_plain_path(program) ? program : kUnnamed;
}

std::string place_of_kernel(const std::string& name) {
  return kKernelPlace + without(without(name, '"'), '\\') + ">";
}

std::string place_of_name_expression(const std::string& expression) {
  return kNamePlace + without(without(expression, '"'), '\\') + ">";
}

std::string tidy_diagnostics(const std::string& log, const DiagnosticNames& names) {
  std::string text = MessageFilter().run(log);
  // Rather too much than nothing at all.
  if (text.find("error") == std::string::npos) text = log;
  replace_all(text, names.folder + "/", "");
  replace_all(text, names.own_headers + "/include/", "");
  replace_all(text, kMacrosFile, "<command-line>");
  if (!names.program.empty()) replace_all(text, names.source_file, names.program);
  return text;
}

std::string tidy_link_errors(const std::string& log) {
  static const std::regex kUndefined("undefined reference to [`'](.*)'");
  std::set<std::string> names;
  for (std::sregex_iterator at(log.begin(), log.end(), kUndefined), end; at != end; ++at)
    names.insert((*at)[1]);
  if (names.empty()) return log;
  std::string text;
  for (const std::string& name : names)
    text += "error: undefined reference to '" + name + "': a device function that is declared " +
            "and used, but defined nowhere in this program\n";
  return text;
}

}  // namespace greta::hiprtc
