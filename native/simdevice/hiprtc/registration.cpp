#include "hiprtc/registration.h"

#include "hiprtc/diagnostics.h"
#include "hiprtc/name_expression.h"

namespace greta::hiprtc {
namespace {

constexpr const char* kMaxThreads = "::greta_simt::max_block_dim";

std::string number(size_t value) { return std::to_string(value); }

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
    out_.text += "\n";
    return std::move(out_);
  }

 private:
  // What is written after this claims to come from line 1 of `name`.
  void place(const std::string& name) { out_.text += "\n# 1 \"" + name + "\"\n"; }
  void write(const std::string& text) { out_.text += text + " "; }

  // An alias in the kernel's own namespace, where the names in its parameter list mean what they
  // meant to the user; the parameter list picks one of several overloads.
  void add_kernel(const FoundKernel& kernel) {
    size_t index = next_kernel(kernel.parameters);
    std::string alias = "greta_simt_kernel_" + number(index);
    std::string pointer = "void (*)(" + kernel.parameter_types + ")";
    std::string bound = kernel.launch_bound.empty() ? kMaxThreads : kernel.launch_bound;
    place(place_of_kernel(kernel.name));
    write(opening(kernel) + "using " + alias + " = ::greta_simt::kernel<" + pointer +
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
    write("extern \"C\" __attribute__((visibility(\"hidden\"))) const char " + name + "[];");
    write("__attribute__((section(\".greta_layout\"), used)) static const " + type +
          "::record greta_simt_record_" + number(index) + " = " + type + "::describe(" +
          number(index) + ", " + threads + ");");
    rows_ += "{" + name + ", &" + type + "::entry}, ";
  }

  void add_name(const std::string& expression) {
    std::string name = bare_name(expression);
    place(place_of_name_expression(expression));
    const FoundKernel* kernel = find_template(name);
    if (kernel) add_instance(name, *kernel);
    write(
        "__attribute__((section(\".greta_names\"), used)) static const ::greta_simt::name_record "
        "greta_simt_lowered_" +
        number(out_.names.size()) + " = {(const void*)&" + name + ", " + number(out_.names.size()) +
        "};");
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
    write("using " + alias + " = ::greta_simt::kernel<decltype(&" + name + "), &" + name + ">;");
    bool literal = !kernel.launch_bound.empty() &&
                   kernel.launch_bound.find_first_not_of("0123456789") == std::string::npos;
    add_row(index, alias, literal ? kernel.launch_bound : kMaxThreads);
  }

  void write_table() {
    place(place_of_kernel("table"));
    write("extern \"C\" {");
    write("extern const uint32_t greta_simt_abi, greta_simt_kernel_count;");
    write("extern const greta_simt_kernel_row greta_simt_kernels[];");
    write("extern const uint32_t greta_simt_checked;");
    write("const uint32_t greta_simt_checked = ::greta_simt::checked;");
    write("const uint32_t greta_simt_abi = ::greta_simt::abi;");
    write("const uint32_t greta_simt_kernel_count = " + number(out_.parameters.size()) + ";");
    write("const greta_simt_kernel_row greta_simt_kernels[] = {" + rows_ + "{nullptr, nullptr}};");
    write("}");
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
