#include "hiprtc/build.h"

#include <cstdlib>
#include <stdexcept>

#include "device/code_seal.h"
#include "environment.h"
#include "hiprtc/build_cache.h"
#include "hiprtc/diagnostics.h"
#include "hiprtc/files.h"
#include "hiprtc/fingerprint.h"
#include "hiprtc/gpu_build.h"
#include "hiprtc/isa.h"
#include "hiprtc/options.h"
#include "hiprtc/process.h"
#include "hiprtc/simt_tree.h"
#include "hiprtc/tokens.h"
#include "hiprtc/toolchain.h"

namespace greta::hiprtc {
namespace {

using Arguments = std::vector<std::string>;

void append(Arguments& to, const Arguments& more) { to.insert(to.end(), more.begin(), more.end()); }

// In strict placement the device checks accesses to the byte, and for footprints it notes them:
// kernels have to ask it.
bool is_checked() {
  return variable("GRETA_SIM_PLACEMENT") == "strict" || variable("GRETA_SIM_FOOTPRINTS") == "1";
}

// A failed step: its text goes to the program's log.
struct BuildFailure {
  std::string text;
};

class Build {
 public:
  Build(const BuildInput& input, const Toolchain& toolchain)
      : input_(input),
        toolchain_(toolchain),
        options_(translate_options(input.options)),
        source_file_(source_file_name(input.name)) {}

  BuildOutput run() {
    BuildOutput output;
    try {
      output = steps();
    } catch (const BuildFailure& failure) {
      log_ += failure.text;
    } catch (const std::exception& error) {
      log_ += std::string("error: ") + error.what() + "\n";
    }
    DiagnosticNames names = {folder_.path(), simt_directory(), source_file_, input_.name};
    output.log = output.succeeded && log_.empty() ? "" : tidy_diagnostics(log_, names);
    return output;
  }

  // The files that the source included from outside of this build.
  const std::vector<std::string>& included_files() const { return included_files_; }

 private:
  BuildOutput steps() {
    if (!folder_.exists()) throw BuildFailure{"error: cannot make a temporary folder\n"};
    write_sources();
    KernelScan scan = scan_kernels(preprocess(), simt_directory());
    if (!scan.errors.empty()) throw BuildFailure{scan.errors};
    Registration registration = write_registration(scan.kernels, input_.name_expressions);
    write("program.ii", scan.text + "\n" + registration.text);
    compile();
    CompiledKernels compiled = read_compiled_kernels(ObjectFile(read("program.o")), registration);
    write("supplement.s", link_supplement(compiled));
    write("exports.map", export_script(compiled));
    link();
    return {true, "", sealed(read("program.so")), "", compiled.lowered_names};
  }

  void write_sources() {
    write(source_file_, input_.source);
    write(kMacrosFile, options_.macros);
    for (const auto& [name, text] : input_.headers) {
      if (!is_local(name)) throw BuildFailure{"error: header name '" + name + "' is not local\n"};
      write("headers/" + name, text);
    }
  }

  std::string preprocess() {
    Arguments command = {toolchain_.path, "-E", "-x", "c++", options_.standard};
    append(command, {"-I", "headers", "-I", simt_include_directory()});
    // What the language is without them, headers ask the preprocessor.
    append(command, {"-fno-exceptions", "-fno-rtti"});
    append(command, compiler_flags(best_isa()));
    append(command, fast_math_flags());
    if (is_checked()) command.push_back("-DGRETA_SIMT_CHECKED");
    append(command, {"-include", "greta_simt/keywords_kept.h", "-include", "hip/hip_runtime.h"});
    for (const char* header : implied_headers()) append(command, {"-include", header});
    if (!options_.macros.empty()) append(command, {"-include", kMacrosFile});
    append(command, options_.preprocess);
    append(command, {source_file_, "-o", "source.ii"});
    execute(command, "source.ii");
    std::string text = read("source.ii");
    note_included_files(text);
    return text;
  }

  // hipRTC includes these by itself. They are large, so here only where the text may need them.
  std::vector<const char*> implied_headers() const {
    std::vector<const char*> headers;
    if (mentions("half")) headers.push_back("hip/hip_fp16.h");
    if (mentions("hip_bfloat16")) headers.push_back("hip/hip_bfloat16.h");
    if (mentions("cooperative_groups")) headers.push_back("hip/hip_cooperative_groups.h");
    return headers;
  }

  bool mentions(const char* word) const {
    if (options_.macros.find(word) != std::string::npos) return true;
    if (input_.source.find(word) != std::string::npos) return true;
    for (const auto& header : input_.headers)
      if (header.second.find(word) != std::string::npos) return true;
    return false;
  }

  void note_included_files(std::string_view text) {
    for (std::string& file : hiprtc::included_files(text)) {
      bool own = file.compare(0, simt_directory().size(), simt_directory()) == 0;
      if (!own && file[0] == '/') included_files_.push_back(std::move(file));
    }
  }

  // Not as preprocessed text (.ii), because HIP's keywords are still to be expanded.
  void compile() {
    Arguments command = {toolchain_.path, "-c", "-x", "c++", options_.standard};
    append(command, {options_.optimization});
    append(command, code_flags(toolchain_));
    append(command, compiler_flags(best_isa()));
    if (is_checked()) {
      command.push_back("-DGRETA_SIMT_CHECKED");
      append(command, checking_flags(toolchain_));
    }
    append(command, options_.compile);
    command.push_back("-fdebug-prefix-map=" + folder_.path() + "=.");  // it is gone afterwards
    append(command, {"-include", simt_include_directory() + "/greta_simt/keywords.h"});
    append(command, {"program.ii", "-o", "program.o"});
    execute(command, "program.o");
  }

  void link() {
    Arguments command = {toolchain_.path};
    append(command, link_flags(toolchain_));
    append(command, {"-Wl,--version-script=exports.map", "program.o", "supplement.s", "-o",
                     "program.so", "-Wl,--as-needed", "-lm", "-lstdc++", "-lc", "-lgcc"});
    execute(command, "program.so", tidy_link_errors);
  }

  static std::string sealed(std::string code) {
    sim::seal_code_object(reinterpret_cast<unsigned char*>(code.data()), code.size());
    return code;
  }

  using Wording = std::string (*)(const std::string&);

  void execute(const Arguments& command, const std::string& result, Wording word = nullptr) {
    ProcessResult outcome = run_process(command, folder_.path());
    if (!outcome.started) throw BuildFailure{"error: cannot start " + toolchain_.path + "\n"};
    log_ += word ? word(outcome.output) : outcome.output;
    if (outcome.exit_code != 0 || !read_file(folder_.file(result))) throw BuildFailure{""};
  }

  // -ffast-math also changes what the preprocessor defines.
  Arguments fast_math_flags() const {
    for (const std::string& option : options_.compile)
      if (option == "-ffast-math") return {option};
    return {};
  }

  void write(const std::string& name, std::string_view content) {
    if (!write_file(folder_.file(name), content))
      throw BuildFailure{"error: cannot write " + name + " to a temporary folder\n"};
  }
  std::string read(const std::string& name) {
    auto content = read_file(folder_.file(name));
    if (!content) throw BuildFailure{"error: cannot read back " + name + "\n"};
    return *content;
  }

  const BuildInput& input_;
  const Toolchain& toolchain_;
  CompileOptions options_;
  TemporaryFolder folder_;
  std::string source_file_;
  std::string log_;
  std::vector<std::string> included_files_;
};

// Of everything that decides what comes out, except the content of files found along include paths.
std::string fingerprint(const BuildInput& input, const Toolchain& toolchain) {
  Fingerprint print;
  print.add(simt_identity()).add(identity_of(toolchain)).add(name_of(best_isa()));
  print.add(is_checked() ? "checked" : "").add(input.name).add(input.source);
  for (const auto& [name, text] : input.headers) print.add(name).add(text);
  print.add("names");
  for (const std::string& name : input.name_expressions) print.add(name);
  print.add("options");
  CompileOptions options = translate_options(input.options);  // with absolute paths
  print.add(options.standard).add(options.optimization).add(options.macros);
  for (const std::string& option : options.preprocess) print.add(option);
  for (const std::string& option : options.compile) print.add(option);
  for (const char* variable : {"CPATH", "CPLUS_INCLUDE_PATH"})
    if (const char* value = secure_getenv(variable)) print.add(variable).add(value);
  return print.hex();
}

BuildOutput build_for_cpu(const BuildInput& input) {
  std::optional<Toolchain> toolchain = find_toolchain();
  if (!toolchain) return {false, missing_toolchain_text(), "", "", {}};
  BuildCache cache;
  std::string key = fingerprint(input, *toolchain);
  if (std::optional<BuildOutput> known = cache.find(key)) return *known;
  Build build(input, *toolchain);
  BuildOutput output = build.run();
  if (output.succeeded) cache.store(key, output, build.included_files());
  return output;
}

}  // namespace

// Log and names are those of the CPU's compiler, unless the program is to be linked with others:
// that is done with AMD's machine code.
BuildOutput build(const BuildInput& input) {
  if (translate_options(input.options).relocatable) return build_bitcode(input);
  BuildOutput output = build_for_cpu(input);
  if (!output.succeeded) return output;
  if (std::optional<std::string> code = build_for_gpu(input, output.lowered_names)) {
    output.code = std::move(*code);
  }
  return output;
}

}  // namespace greta::hiprtc
