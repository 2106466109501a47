// greta-codeobject FILE [PROCESSOR]: prints which kernels are in a file, as JSON.
#include <cstdio>
#include <string>

#include "codeobject/module_reader.h"

namespace greta::codeobject {
namespace {

// Bytes beyond ASCII are taken for Latin-1, so that the output is valid whatever a name holds.
std::string quoted(const std::string& text) {
  std::string json = "\"";
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte < 0x20 || byte >= 0x7f || byte == '"' || byte == '\\') {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", byte);
      json += escape;
    } else {
      json += character;
    }
  }
  return json + '"';
}

std::string member(const char* name, const std::string& value) {
  return quoted(name) + ": " + quoted(value);
}

std::string member(const char* name, uint64_t value) {
  return quoted(name) + ": " + std::to_string(value);
}

template <typename Elements, typename ToJson>
std::string array(const Elements& elements, ToJson&& to_json) {
  std::string json;
  for (const auto& element : elements) json += (json.empty() ? "" : ", ") + to_json(element);
  return "[" + json + "]";
}

std::string argument_json(const ArgumentInfo& argument) {
  return "{" + member("offset", argument.offset) + ", " + member("bytes", argument.bytes) + ", " +
         member("value_kind", argument.value_kind) + ", " + quoted("hidden") +
         (argument.kind == ArgumentKind::hidden ? ": true, " : ": false, ") +
         member("name", argument.name) + ", " + member("type_name", argument.type_name) + ", " +
         member("access", argument.access) + "}";
}

std::string kernel_json(const KernelInfo& kernel) {
  return "{" + member("name", kernel.name) + ", " + member("kernarg_bytes", kernel.kernarg_bytes) +
         ", " + member("explicit_bytes", kernel.explicit_bytes()) + ", " + quoted("arguments") +
         ": " + array(kernel.arguments, argument_json) + "}";
}

std::string module_json(const ModuleInfo& module) {
  return "{" + member("kind", module.kind) + ", " + member("bytes", module.bytes) + ", " +
         quoted("targets") + ": " + array(module.targets, quoted) + ", " +
         member("target", module.target) + ", " + member("problem", module.problem) + ", " +
         quoted("kernels") + ": " + array(module.kernels, kernel_json) + "}";
}

}  // namespace
}  // namespace greta::codeobject

int main(int count, char** words) {
  if (count < 2 || count > 3) {
    std::fputs("usage: greta-codeobject FILE [PROCESSOR]\n", stderr);
    return 2;
  }
  const auto module = greta::codeobject::read_module_file(words[1], count == 3 ? words[2] : "");
  std::puts(greta::codeobject::module_json(module).c_str());
  return module.problem.empty() ? 0 : 1;
}
