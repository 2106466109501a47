#include "hiprtc/build.h"

#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "hiprtc/diagnostics.h"
#include "hiprtc/files.h"
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
    output.log = tidy_diagnostics(log_, {folder_.path(), source_file_, input_.name});
    return output;
  }

 private:
  BuildOutput steps() {
    if (!folder_.exists()) throw BuildFailure{"error: cannot make a temporary folder\n"};
    write_sources();
    KernelScan scan = scan_kernels(preprocess(), simt_directory());
    Registration registration = write_registration(scan.kernels, input_.name_expressions);
    write("program.ii", scan.text + "\n" + registration.text);
    compile();
    CompiledKernels compiled = read_compiled_kernels(ObjectFile(read("program.o")), registration);
    write("supplement.s", link_supplement(compiled));
    write("exports.map", export_script(compiled));
    link();
    return {true, "", read("program.so"), compiled.lowered_names};
  }

  void write_sources() {
    write(source_file_, input_.source);
    for (const auto& [name, text] : input_.headers) write("headers/" + name, text);
  }

  std::string preprocess() {
    Arguments command = {toolchain_.path, "-E", "-x", "c++", options_.standard};
    append(command, {"-I", "headers", "-I", simt_include_directory()});
    append(command, options_.preprocess);
    append(command, compiler_flags(best_isa()));
    append(command, fast_math_flags());
    if (is_checked()) command.push_back("-DGRETA_SIMT_CHECKED");
    append(command, {"-include", "greta_simt/keywords_kept.h", "-include", "hip/hip_runtime.h"});
    append(command, {source_file_, "-o", "source.ii"});
    execute(command, "source.ii");
    return read("source.ii");
  }

  // Not as preprocessed text (.ii), because HIP's keywords are still to be expanded.
  void compile() {
    Arguments command = {toolchain_.path, "-c", "-x", "c++", options_.standard};
    append(command, {options_.optimization});
    append(command, code_flags(toolchain_));
    append(command, compiler_flags(best_isa()));
    if (is_checked()) append(command, checking_flags(toolchain_));
    append(command, options_.compile);
    append(command, {"-include", simt_include_directory() + "/greta_simt/keywords.h"});
    append(command, {"program.ii", "-o", "program.o"});
    execute(command, "program.o");
  }

  void link() {
    Arguments command = {toolchain_.path};
    append(command, link_flags(toolchain_));
    append(command, {"-Wl,--version-script=exports.map", "program.o", "supplement.s", "-o",
                     "program.so", "-lm", "-lc", "-lgcc"});
    execute(command, "program.so");
  }

  void execute(const Arguments& command, const std::string& result) {
    ProcessResult outcome = run_process(command, folder_.path());
    if (!outcome.started) throw BuildFailure{"error: cannot start " + toolchain_.path + "\n"};
    log_ += outcome.output;
    if (outcome.exit_code != 0 || !read_file(folder_.file(result))) throw BuildFailure{""};
  }

  // -ffast-math also changes what the preprocessor defines.
  Arguments fast_math_flags() const {
    for (const std::string& option : options_.compile)
      if (option == "-ffast-math") return {option};
    return {};
  }

  static bool is_checked() {
    const char* placement = std::getenv("GRETA_SIM_PLACEMENT");
    return placement && !std::strcmp(placement, "strict");
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
};

}  // namespace

BuildOutput build(const BuildInput& input) {
  std::optional<Toolchain> toolchain = find_toolchain();
  if (!toolchain) return {false, missing_toolchain_text(), "", {}};
  return Build(input, *toolchain).run();
}

}  // namespace greta::hiprtc
