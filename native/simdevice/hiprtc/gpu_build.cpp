#include "hiprtc/gpu_build.h"

#include <sstream>

#include "environment.h"
#include "hiprtc/diagnostics.h"
#include "hiprtc/files.h"
#include "hiprtc/name_expression.h"
#include "hiprtc/options.h"
#include "hiprtc/process.h"

namespace greta::hiprtc {
namespace {

using Words = std::vector<std::string>;

// A word of the compiler's command on each line, as `greta check` writes them.
Words compiler_command() {
  Words words;
  std::istringstream lines(variable("GRETA_SIM_GPU_COMPILER"));
  for (std::string line; std::getline(lines, line);) words.push_back(line);
  return words;
}

// Templates have code where something refers to them.
std::string with_references(const BuildInput& input) {
  std::string text = input.source + "\n";
  for (size_t i = 0; i < input.name_expressions.size(); ++i) {
    text += "__attribute__((device, used)) const void* greta_name_" + std::to_string(i) +
            " = (const void*)(&" + bare_name(input.name_expressions[i]) + ");\n";
  }
  return text;
}

bool write_all(const BuildInput& input, const TemporaryFolder& folder, const std::string& source) {
  if (!folder.exists() || !write_file(folder.file(source), with_references(input))) return false;
  for (const auto& [name, text] : input.headers) {
    if (!write_file(folder.file("headers/" + name), text)) return false;
  }
  return true;
}

bool has_all(const std::string& code, const LoweredNames& names) {
  for (const auto& name : names) {
    if (code.find(name.second) == std::string::npos) return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> build_for_gpu(const BuildInput& input, const LoweredNames& names) {
  Words command = compiler_command();
  if (command.empty()) return std::nullopt;
  const TemporaryFolder folder;
  const std::string source = source_file_name(input.name);
  if (!write_all(input, folder, source)) return std::nullopt;
  const CompileOptions options = translate_options(input.options);
  const auto add = [&](const Words& words) {
    command.insert(command.end(), words.begin(), words.end());
  };
  add({options.standard, options.optimization, "-gline-tables-only", "-w", "-D__HIPCC_RTC__=1"});
  add({"-I", "headers"});
  add(options.preprocess);
  for (const char* header :
       {"hip_runtime.h", "hip_fp16.h", "hip_bfloat16.h", "hip_cooperative_groups.h"}) {
    add({"-include", std::string("hip/") + header});
  }
  add({"-fdebug-prefix-map=" + folder.path() + "=.", source, "-o", "program.co"});
  const ProcessResult outcome = run_process(command, folder.path());
  std::optional<std::string> code = read_file(folder.file("program.co"));
  if (outcome.exit_code != 0 || !code || !has_all(*code, names)) return std::nullopt;
  return code;
}

}  // namespace greta::hiprtc
