#include "hiprtc/registration.h"

#include <algorithm>

namespace greta::hiprtc {
namespace {

constexpr const char* kMaxThreads = "::greta_simt::max_block_dim";

std::string number(size_t value) { return std::to_string(value); }

// "&ns::kern<int>" and "(kern<int>)" mean the same as "kern<int>".
std::string bare(const std::string& expression) {
  size_t begin = 0;
  size_t end = expression.size();
  auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\n'; };
  for (;;) {
    while (begin < end && (is_blank(expression[begin]) || expression[begin] == '&')) ++begin;
    while (end > begin && is_blank(expression[end - 1])) --end;
    bool wrapped = end - begin >= 2 && expression[begin] == '(' && expression[end - 1] == ')';
    if (!wrapped) return expression.substr(begin, end - begin);
    ++begin;
    --end;
  }
}

// The name without scopes and template arguments.
std::string last_name(const std::string& qualified) {
  std::string name = qualified.substr(0, qualified.find('<'));
  size_t colon = name.rfind(':');
  if (colon != std::string::npos) name = name.substr(colon + 1);
  name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
  return name;
}

std::string opening(const FoundKernel& kernel) {
  std::string text;
  for (const std::string& name : kernel.namespaces) text += "namespace " + name + " { ";
  return text;
}

std::string closing(const FoundKernel& kernel) {
  size_t levels = kernel.namespaces.size();
  return std::string(levels, '}');
}

std::string scope(const FoundKernel& kernel) {
  std::string text = "::";
  for (const std::string& name : kernel.namespaces)
    if (!name.empty()) text += name + "::";
  return text;
}

class Writer {
 public:
  Writer(const std::vector<FoundKernel>& kernels, const std::vector<std::string>& names)
      : kernels_(kernels), names_(names) {}

  Registration run() {
    for (const FoundKernel& kernel : kernels_)
      if (!kernel.is_template) add_kernel(kernel);
    for (const std::string& name : names_) add_name(name);
    write_table();
    return std::move(out_);
  }

 private:
  void line(const std::string& text) { out_.text += text + "\n"; }

  // Errors in what follows are reported at `place`, line 1.
  void place(const std::string& place) { line("# 1 \"" + place + "\""); }

  // An alias in the kernel's own namespace, where the names in its parameter list mean what they
  // meant to the user; the parameter list picks one of several overloads.
  void add_kernel(const FoundKernel& kernel) {
    size_t index = next_kernel(kernel.parameters);
    std::string alias = "greta_simt_kernel_" + number(index);
    std::string pointer = "void (*)(" + kernel.parameter_types + ")";
    std::string bound = kernel.launch_bound.empty() ? kMaxThreads : kernel.launch_bound;
    place("<kernel " + kernel.name + ">");
    line(opening(kernel) + "using " + alias + " = ::greta_simt::kernel<" + pointer +
         ", static_cast<" + pointer + ">(&" + kernel.name + ")>; constexpr unsigned " + alias +
         "_threads = " + bound + "; " + closing(kernel));
    add_row(index, scope(kernel) + alias, scope(kernel) + alias + "_threads");
  }

  size_t next_kernel(const std::vector<KernelParameter>& parameters) {
    out_.parameters.push_back(parameters);
    return out_.parameters.size() - 1;
  }

  void add_row(size_t index, const std::string& type, const std::string& threads) {
    std::string name = "greta_simt_name_" + number(index);
    line("extern \"C\" __attribute__((visibility(\"hidden\"))) const char " + name + "[];");
    line("__attribute__((section(\".greta_layout\"), used)) static const " + type +
         "::record greta_simt_record_" + number(index) + " = " + type + "::describe(" +
         number(index) + ", " + threads + ");");
    rows_ += "{" + name + ", &" + type + "::entry}, ";
  }

  void add_name(const std::string& expression) {
    std::string name = bare(expression);
    place("<name expression>");
    const FoundKernel* kernel = find_template(name);
    if (kernel) add_instance(name, *kernel);
    line("__attribute__((section(\".greta_names\"), used)) static const ::greta_simt::name_record "
         "greta_simt_lowered_" +
         number(out_.names.size()) + " = {(const void*)&" + name + ", " +
         number(out_.names.size()) + "};");
    out_.names.push_back(expression);
  }

  const FoundKernel* find_template(const std::string& name) const {
    for (const FoundKernel& kernel : kernels_)
      if (kernel.is_template && last_name(kernel.name) == last_name(name)) return &kernel;
    return nullptr;
  }

  void add_instance(const std::string& name, const FoundKernel& kernel) {
    size_t index = next_kernel(kernel.parameters);
    std::string alias = "greta_simt_kernel_" + number(index);
    line("using " + alias + " = ::greta_simt::kernel<decltype(&" + name + "), &" + name + ">;");
    bool literal = !kernel.launch_bound.empty() &&
                   kernel.launch_bound.find_first_not_of("0123456789") == std::string::npos;
    add_row(index, alias, literal ? kernel.launch_bound : kMaxThreads);
  }

  void write_table() {
    place("<kernel table>");
    line("extern \"C\" {");
    line("extern const uint32_t greta_simt_abi, greta_simt_kernel_count;");
    line("extern const greta_simt_kernel_row greta_simt_kernels[];");
    line("const uint32_t greta_simt_abi = ::greta_simt::abi;");
    line("const uint32_t greta_simt_kernel_count = " + number(out_.parameters.size()) + ";");
    line("const greta_simt_kernel_row greta_simt_kernels[] = {" + rows_ + "{nullptr, nullptr}};");
    line("}");
  }

  const std::vector<FoundKernel>& kernels_;
  const std::vector<std::string>& names_;
  std::string rows_;
  Registration out_;
};

}  // namespace

Registration write_registration(const std::vector<FoundKernel>& kernels,
                                const std::vector<std::string>& name_expressions) {
  return Writer(kernels, name_expressions).run();
}

}  // namespace greta::hiprtc
