#include "hiprtc/gpu_build.h"

#include <filesystem>
#include <regex>
#include <sstream>

#include "environment.h"
#include "hiprtc/diagnostics.h"
#include "hiprtc/files.h"
#include "hiprtc/name_expression.h"
#include "hiprtc/options.h"
#include "hiprtc/process.h"
#include "hiprtc/simt_tree.h"
#include "hiprtc/toolchain.h"

namespace greta::hiprtc {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kNoClang =
    "error: programs that are linked (-fgpu-rdc, LLVM bitcode) need clang 19 or newer with its "
    "linker; on Debian and Ubuntu: apt install clang-19 lld-19\n";

// As `greta hipcc` looks for it.
std::string find_clang() {
  const std::string folder = variable("HIP_CLANG_PATH");
  if (!folder.empty()) return find_program(folder + "/clang");
  for (int version = 30; version >= 19; --version) {
    const std::string found = find_program("clang-" + std::to_string(version));
    if (!found.empty()) return found;
  }
  return "";
}

Words targeted(const std::string& clang) {
  return {clang, "--target=amdgcn-amd-amdhsa", "-mcpu=gfx942", "-nogpulib"};
}

Words library_words() {
  for (const char* folder : {"/usr/lib/x86_64-linux-gnu/amdgcn/bitcode", "/usr/lib/amdgcn/bitcode",
                             "/usr/share/amdgcn/bitcode", "/opt/rocm/amdgcn/bitcode"}) {
    std::error_code error;
    if (!std::filesystem::exists(std::string(folder) + "/ocml.bc", error)) continue;
    return {std::string("--hip-device-lib-path=") + folder, "--hip-device-lib=ocml.bc",
            "--hip-device-lib=ockl.bc"};
  }
  return {"-nogpulib", "-DGRETA_NO_DEVICE_LIBRARY"};
}

// The command that compiles the source that follows it for the device.
Words device_compiler(const std::string& clang) {
  std::string own = run_process({clang, "-print-resource-dir"}, "/").output;
  own = own.substr(0, own.find('\n'));
  const std::string tree = std::filesystem::path(simt_directory()).parent_path().string();
  Words words = {clang, "--driver-mode=g++", "-D__HIP_PLATFORM_AMD__=1"};
  for (const std::string& folder : {own + "/include/cuda_wrappers", tree + "/gpu",
                                    tree + "/include", simt_include_directory()}) {
    words.insert(words.end(), {"-isystem", folder});
  }
  words.insert(words.end(),
               {"-nogpuinc", "-include", "__clang_hip_runtime_wrapper.h", "--offload-arch=gfx942"});
  for (const std::string& word : library_words()) words.push_back(word);
  words.insert(words.end(), {"-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output"});
  return words;
}

// A word of the compiler's command on each line, as `greta check` writes them.
Words given_compiler() {
  Words words;
  std::istringstream lines(variable("GRETA_SIM_GPU_COMPILER"));
  for (std::string line; std::getline(lines, line);) words.push_back(line);
  return words;
}

// Templates have code where something refers to them.
std::string with_references(const BuildInput& input) {
  std::string text = input.source + "\n";
  for (size_t i = 0; i < input.name_expressions.size(); ++i) {
    text += "static __attribute__((device, used)) const void* greta_name_" + std::to_string(i) +
            " = (const void*)(&" + bare_name(input.name_expressions[i]) + ");\n";
  }
  return text;
}

// A program's files in a folder, and the compiler run on them.
class DeviceBuild {
 public:
  explicit DeviceBuild(const BuildInput& input)
      : input_(input),
        options_(translate_options(input.options)),
        source_(source_file_name(input.name)) {}

  // What came out; nothing if that failed.
  std::optional<std::string> run(Words command, const Words& how, const std::string& result) {
    if (!write_all()) return std::nullopt;
    const auto add = [&](const Words& words) {
      command.insert(command.end(), words.begin(), words.end());
    };
    add({options_.standard, options_.optimization, "-gline-tables-only", "-D__HIPCC_RTC__=1"});
    add({"-I", "headers"});
    for (const char* header :
         {"hip_runtime.h", "hip_fp16.h", "hip_bfloat16.h", "hip_cooperative_groups.h"}) {
      add({"-include", std::string("hip/") + header});
    }
    if (!options_.macros.empty()) add({"-include", kMacrosFile});
    add(options_.preprocess);
    add(how);
    add({"-fdebug-prefix-map=" + folder_.path() + "=.", source_, "-o", result});
    return execute(command, result);
  }

  std::optional<std::string> execute(const Words& command, const std::string& result) {
    const ProcessResult outcome = run_process(command, folder_.path());
    log_ += outcome.output;
    return outcome.exit_code == 0 ? read_file(folder_.file(result)) : std::nullopt;
  }

  std::string log() const {
    return log_.empty()
               ? log_
               : tidy_diagnostics(log_, {folder_.path(), simt_directory(), source_, input_.name});
  }

 private:
  bool write_all() const {
    if (!folder_.exists() || !write_file(folder_.file(source_), with_references(input_)) ||
        !write_file(folder_.file(kMacrosFile), options_.macros)) {
      return false;
    }
    for (const auto& [name, text] : input_.headers) {
      if (!is_local(name) || !write_file(folder_.file("headers/" + name), text)) return false;
    }
    return true;
  }

  const BuildInput& input_;
  const CompileOptions options_;
  const std::string source_;
  const TemporaryFolder folder_;
  std::string log_;
};

bool has_all(const std::string& code, const LoweredNames& names) {
  for (const auto& name : names) {
    if (code.find(name.second) == std::string::npos) return false;
  }
  return true;
}

// From the variables of with_references(), in LLVM's text.
LoweredNames lowered_names(const BuildInput& input, const std::string& text) {
  static const std::regex kReference("greta_name_([0-9]+) = [^@\n]*@\"?([^ ,\"\n]+)");
  LoweredNames names;
  for (std::sregex_iterator at(text.begin(), text.end(), kReference), end; at != end; ++at) {
    const size_t index = std::stoul((*at)[1]);
    if (index < input.name_expressions.size()) {
      names.emplace(input.name_expressions[index], (*at)[2]);
    }
  }
  return names;
}

bool is_bundle(const std::string& bytes) { return bytes.rfind("__CLANG_OFFLOAD_BUNDLE__", 0) == 0; }

// The bitcode for our device in a bundle, in its place.
bool unbundle(const std::string& clang, const std::string& file, const std::string& folder) {
  const std::string real = std::filesystem::canonical(clang).parent_path().string();
  for (const char* kind : {"hip", "hipv4"}) {
    const std::string out = file + ".bc";
    const Words command = {real + "/clang-offload-bundler",
                           "--unbundle",
                           "--type=bc",
                           "--input=" + file,
                           "--output=" + out,
                           std::string("--targets=") + kind + "-amdgcn-amd-amdhsa--gfx942"};
    if (run_process(command, folder).exit_code != 0) continue;
    const std::optional<std::string> code = read_file(folder + "/" + out);
    if (code && !code->empty()) return write_file(folder + "/" + file, *code);
  }
  return false;
}

}  // namespace

std::optional<std::string> build_for_gpu(const BuildInput& input, const LoweredNames& names) {
  const Words compiler = given_compiler();
  if (compiler.empty()) return std::nullopt;
  std::optional<std::string> code = DeviceBuild(input).run(compiler, {"-w"}, "program.co");
  if (!code || !has_all(*code, names)) return std::nullopt;
  return code;
}

BuildOutput build_bitcode(const BuildInput& input) {
  BuildOutput output;
  const std::string clang = find_clang();
  if (clang.empty()) {
    output.log = kNoClang;
    return output;
  }
  DeviceBuild build(input);
  const auto text =
      build.run(device_compiler(clang), {"-fgpu-rdc", "-emit-llvm", "-S"}, "program.ll");
  if (text) {
    Words assemble = targeted(clang);
    assemble.insert(assemble.end(),
                    {"-c", "-emit-llvm", "-x", "ir", "program.ll", "-o", "program.bc"});
    output.bitcode = build.execute(assemble, "program.bc").value_or("");
    output.lowered_names = lowered_names(input, *text);
  }
  output.succeeded = !output.bitcode.empty();
  output.log = build.log();
  return output;
}

bool is_bitcode(const std::string& bytes) {
  return bytes.rfind("BC\xC0\xDE", 0) == 0 || is_bundle(bytes);
}

std::optional<std::string> link_bitcode(const std::vector<std::string>& pieces,
                                        const std::vector<std::string>& options, std::string* log) {
  const std::string clang = find_clang();
  const TemporaryFolder folder;
  if (clang.empty() || !folder.exists()) {
    *log += kNoClang;
    return std::nullopt;
  }
  // All in one, so that no call leaves what the compiler sees.
  Words command = targeted(clang);
  command.insert(command.end(), {"-O3", "-flto", "-Wno-unused-command-line-argument"});
  command.insert(command.end(), options.begin(), options.end());
  for (size_t i = 0; i < pieces.size(); ++i) {
    const std::string file = std::to_string(i) + ".bc";
    if (!write_file(folder.file(file), pieces[i])) return std::nullopt;
    if (is_bundle(pieces[i]) && !unbundle(clang, file, folder.path())) {
      *log += "error: a bundle holds no bitcode for gfx942\n";
      return std::nullopt;
    }
    command.push_back(file);
  }
  command.insert(command.end(), {"-o", "linked.co"});
  const ProcessResult outcome = run_process(command, folder.path());
  *log += outcome.output;
  return outcome.exit_code == 0 ? read_file(folder.file("linked.co")) : std::nullopt;
}

}  // namespace greta::hiprtc
