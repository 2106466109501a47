#include "hiprtc/options.h"

#include <array>
#include <filesystem>
#include <set>
#include <string_view>

namespace greta::hiprtc {
namespace {

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

template <size_t N>
bool starts_with_any(std::string_view text, const std::array<std::string_view, N>& prefixes) {
  for (std::string_view prefix : prefixes)
    if (starts_with(text, prefix)) return true;
  return false;
}

// Options that only a GPU compiler can use.
bool is_gpu_only(std::string_view option) {
  static constexpr std::array<std::string_view, 22> kPrefixes = {"--offload-arch",
                                                                 "--gpu-architecture",
                                                                 "--gpu-max-threads-per-block",
                                                                 "--amdgpu-target",
                                                                 "--hip-",
                                                                 "--rocm-path",
                                                                 "--rocm-device-lib",
                                                                 "-fgpu-",
                                                                 "-fno-gpu-",
                                                                 "-munsafe-fp-atomics",
                                                                 "-mno-unsafe-fp-atomics",
                                                                 "-mcumode",
                                                                 "-mno-cumode",
                                                                 "-mwavefrontsize64",
                                                                 "-mno-wavefrontsize64",
                                                                 "-mcode-object",
                                                                 "-nogpulib",
                                                                 "-nogpuinc",
                                                                 "-Wno-",
                                                                 "-fhip-",
                                                                 "-fcuda-",
                                                                 "--cuda-"};
  return starts_with_any(option, kPrefixes);
}

// Options of clang alone whose argument is the next option.
bool has_gpu_only_argument(std::string_view option) {
  return option == "-mllvm" || option == "-Xclang" || option == "-Xoffload-linker" ||
         option == "-arch" || option == "-x" || option == "-target";
}

std::string absolute(const std::string& path) {
  std::error_code error;
  std::filesystem::path full = std::filesystem::absolute(path, error);
  return error ? path : full.string();
}

// The spellings of options that take a path, longest first where one begins another.
constexpr std::array<std::string_view, 8> kPathOptions = {
    "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "--include-path=", "-I", "-L"};
constexpr std::array<std::string_view, 3> kMacroOptions = {"-D", "-U", "--define-macro="};

class Translator {
 public:
  explicit Translator(const std::vector<std::string>& options) : options_(options) {}

  CompileOptions run() {
    while (at_ < options_.size()) one();
    return std::move(out_);
  }

 private:
  void one() {
    const std::string& option = options_[at_++];
    if (option == "-fgpu-rdc" || option == "-fno-gpu-rdc") out_.relocatable = option[2] == 'g';
    if (option.empty() || is_gpu_only(option)) return;
    if (has_gpu_only_argument(option)) {
      ++at_;
    } else if (starts_with_any(option, kPathOptions)) {
      path(option);
    } else if (starts_with_any(option, kMacroOptions)) {
      macro(option);
    } else if (starts_with(option, "-std=") || starts_with(option, "--std=")) {
      standard(option.substr(option.find('=') + 1));
    } else if (starts_with(option, "-O")) {
      out_.optimization = option == "-O" ? "-O1" : option;
    } else {
      out_.compile.push_back(option);
    }
  }

  // The value of an option: what follows its name in the same word, or else the next word.
  std::string value_of(const std::string& option, std::string_view name) {
    if (option.size() > name.size()) return option.substr(name.size());
    return at_ < options_.size() ? options_[at_++] : "";
  }

  void path(const std::string& option) {
    for (std::string_view name : kPathOptions) {
      if (!starts_with(option, name)) continue;
      std::string value = value_of(option, name);
      std::string spelled = name == "--include-path=" ? "-I" : std::string(name);
      // A forced include may be found along the include path, a folder may not.
      bool is_file = name == "-include" || name == "-imacros";
      if (!is_file || std::filesystem::exists(value)) value = absolute(value);
      if (name == "-L") return;
      out_.preprocess.push_back(spelled);
      out_.preprocess.push_back(value);
      return;
    }
  }

  void macro(const std::string& option) {
    const bool long_form = starts_with(option, "--define-macro=");
    const std::string name = long_form ? "-D" : option.substr(0, 2);
    const std::string given =
        long_form ? option.substr(option.find('=') + 1) : value_of(option, name);
    const bool asked_by_assert = given.substr(0, given.find('=')) == "NDEBUG";
    if (asked_by_assert || starts_with(given, "_") || starts_with(given, "HIP")) {
      out_.preprocess.push_back(name + given);
      return;
    }
    const std::string line = given.substr(0, given.find('\n'));
    const size_t equals = line.find('=');
    if (name == "-U")
      out_.macros += "#undef " + line + "\n";
    else if (equals == std::string::npos)
      out_.macros += "#define " + line + " 1\n";
    else
      out_.macros += "#define " + line.substr(0, equals) + " " + line.substr(equals + 1) + "\n";
  }

  // The simt headers need C++17, in which older programs compile as well.
  void standard(const std::string& name) {
    static const std::set<std::string> kOlder = {"98", "03", "11", "0x", "14", "1y"};
    bool old = name.size() >= 2 && kOlder.count(name.substr(name.size() - 2));
    out_.standard = "-std=" + (old ? "gnu++17" : name);
  }

  const std::vector<std::string>& options_;
  size_t at_ = 0;
  CompileOptions out_;
};

}  // namespace

CompileOptions translate_options(const std::vector<std::string>& options) {
  return Translator(options).run();
}

}  // namespace greta::hiprtc
