// greta-codeobject FILE [PROCESSOR]      which kernels a device would take out of a file, as JSON
// greta-codeobject --all FILE            all code objects in a file, as JSON
// greta-codeobject --extract FILE N      one of them, as it is
#include <cstdio>
#include <cstdlib>
#include <string>

#include "codeobject/file_contents.h"
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
         ", " + member("explicit_bytes", kernel.explicit_bytes()) + ", " +
         member("shared_bytes", kernel.static_shared_bytes) + ", " +
         member("scratch_bytes", kernel.private_bytes) + ", " +
         member("max_block_threads", kernel.max_block_threads) + ", " +
         member("wave_threads", kernel.wave_threads) + ", " +
         member("vector_registers", kernel.vector_registers) + ", " +
         member("accumulation_registers", kernel.accumulation_registers) + ", " +
         member("scalar_registers", kernel.scalar_registers) + ", " +
         member("vector_spills", kernel.vector_spills) + ", " +
         member("scalar_spills", kernel.scalar_spills) + ", " + quoted("arguments") + ": " +
         array(kernel.arguments, argument_json) + "}";
}

std::string module_json(const ModuleInfo& module) {
  return "{" + member("kind", module.kind) + ", " + member("bytes", module.bytes) + ", " +
         quoted("targets") + ": " + array(module.targets, quoted) + ", " +
         member("target", module.target) + ", " + member("problem", module.problem) + ", " +
         quoted("kernels") + ": " + array(module.kernels, kernel_json) + "}";
}

int print_all(const std::string& path) {
  const FileContents contents = read_file_contents(path);
  const std::string json = "{" + member("kind", contents.kind) + ", " +
                           member("problem", contents.problem) + ", " + quoted("objects") + ": " +
                           array(contents.objects, module_json) + "}";
  std::puts(json.c_str());
  return contents.problem.empty() ? 0 : 1;
}

int extract(const std::string& path, const char* place) {
  const auto bytes = extract_object(path, std::strtoul(place, nullptr, 10));
  if (!bytes) return 1;
  return std::fwrite(bytes->data(), 1, bytes->size(), stdout) == bytes->size() ? 0 : 1;
}

int print_one(const std::string& path, const char* processor) {
  const ModuleInfo module = read_module_file(path, processor);
  std::puts(module_json(module).c_str());
  return module.problem.empty() ? 0 : 1;
}

}  // namespace
}  // namespace greta::codeobject

int main(int count, char** words) {
  using namespace greta::codeobject;
  const std::string first = count > 1 ? words[1] : "";
  if (count == 3 && first == "--all") return print_all(words[2]);
  if (count == 4 && first == "--extract") return extract(words[2], words[3]);
  if (count == 2 || count == 3) return print_one(first, count == 3 ? words[2] : "");
  std::fputs("usage: greta-codeobject FILE [PROCESSOR] | --all FILE | --extract FILE N\n", stderr);
  return 2;
}
