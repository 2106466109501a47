#include "hiprtc/compiled_kernels.h"

#include <cstring>
#include <stdexcept>

#include "hiprtc/shared_usage.h"

namespace greta::hiprtc {
namespace {

// The records of simt/include/greta_simt/kernel.h.
struct ArgumentRecord {
  uint32_t offset, size, is_pointer, is_const;
};
struct KernelRecord {
  uint64_t kernel, entry;
  uint32_t magic, index, max_threads, kernarg_size, kernarg_align, argument_count;
};
constexpr uint32_t kLayoutMagic = 0x4c524547;

struct NameRecord {
  uint64_t address, index;
};

template <class T>
T load(std::string_view bytes, size_t at) {
  T value;
  if (at + sizeof(T) > bytes.size()) throw std::runtime_error("kernel records are cut short");
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

ArgumentMetadata argument(const ArgumentRecord& record, const KernelParameter* written) {
  ArgumentMetadata metadata = {
      record.offset, record.size, record.is_pointer != 0, record.is_const != 0, false, "", ""};
  if (!written) return metadata;
  metadata.name = written->name;
  metadata.type_name = written->type;
  metadata.is_restrict =
      metadata.is_pointer && written->type.find("__restrict") != std::string::npos;
  return metadata;
}

class Reader {
 public:
  Reader(const ObjectFile& object, const Registration& registration)
      : object_(object), registration_(registration), usage_(object) {
    out_.kernels.resize(registration.parameters.size());
  }

  CompiledKernels run() {
    // By symbol, because the compiler leaves gaps between the records of a section.
    for (const ObjectSymbol& symbol : object_.symbols()) {
      if (symbol.type != STT_OBJECT || symbol.section >= object_.sections().size()) continue;
      const ObjectSection& section = object_.sections()[symbol.section];
      if (section.name == ".greta_layout") read_layout(section, symbol.value);
      if (section.name == ".greta_names") read_name(section, symbol.value);
    }
    for (const ObjectSymbol& symbol : object_.symbols()) sort_symbol(symbol);
    return std::move(out_);
  }

 private:
  void read_layout(const ObjectSection& section, size_t at) {
    KernelRecord record = load<KernelRecord>(section.content, at);
    if (record.magic != kLayoutMagic) throw std::runtime_error("unexpected kernel record");
    out_.kernels.at(record.index) = read_kernel(section, at, record);
  }

  KernelMetadata read_kernel(const ObjectSection& section, size_t at, const KernelRecord& record) {
    KernelMetadata kernel;
    kernel.name = object_.target_name(section, at + offsetof(KernelRecord, kernel));
    kernel.kernarg_size = record.kernarg_size;
    kernel.kernarg_align = record.kernarg_align;
    kernel.max_threads = record.max_threads;
    kernel.static_shared_bytes =
        usage_.bytes_used_from(object_.target_name(section, at + offsetof(KernelRecord, entry)));
    const auto& written = registration_.parameters.at(record.index);
    for (uint32_t i = 0; i < record.argument_count; ++i) {
      size_t offset = at + sizeof(KernelRecord) + i * sizeof(ArgumentRecord);
      kernel.arguments.push_back(argument(load<ArgumentRecord>(section.content, offset),
                                          i < written.size() ? &written[i] : nullptr));
    }
    return kernel;
  }

  void read_name(const ObjectSection& section, size_t at) {
    NameRecord record = load<NameRecord>(section.content, at);
    out_.lowered_names[registration_.names.at(record.index)] = object_.target_name(section, at);
  }

  void sort_symbol(const ObjectSymbol& symbol) {
    if (symbol.binding == STB_LOCAL || symbol.name.empty()) return;
    bool defined = symbol.section != SHN_UNDEF;
    if (!defined && symbol.type == STT_TLS) out_.dynamic_shared.push_back(symbol.name);
    if (!defined && is_kernel(symbol.name)) out_.kernel_symbols.push_back(symbol.name);
    bool own = symbol.name.find("greta_simt") != std::string::npos;
    if (defined && symbol.type == STT_OBJECT && !own) out_.device_variables.push_back(symbol.name);
  }

  bool is_kernel(const std::string& name) const {
    for (const KernelMetadata& kernel : out_.kernels)
      if (kernel.name == name) return true;
    return false;
  }

  const ObjectFile& object_;
  const Registration& registration_;
  SharedUsage usage_;
  CompiledKernels out_;
};

std::string bytes_directive(std::string_view bytes) {
  std::string text;
  for (size_t i = 0; i < bytes.size(); ++i)
    text += (i % 32 ? "," : "\n.byte ") +
            std::to_string(static_cast<unsigned>(static_cast<unsigned char>(bytes[i])));
  return text + "\n";
}

// AMD's note: owner "AMDGPU", type 32 (NT_AMDGPU_METADATA), everything aligned to 4 bytes.
std::string note(const CompiledKernels& compiled) {
  std::vector<KernelMetadata> distinct;
  for (const KernelMetadata& kernel : compiled.kernels) {
    bool known = false;
    for (const KernelMetadata& seen : distinct) known = known || seen.name == kernel.name;
    if (!known) distinct.push_back(kernel);
  }
  std::string descriptor = encode_metadata(distinct);
  return ".section .note.amdgpu,\"a\",@note\n.p2align 2\n.long 7," +
         std::to_string(descriptor.size()) + ",32\n.asciz \"AMDGPU\"\n.p2align 2" +
         bytes_directive(descriptor) + ".p2align 2\n";
}

std::string kernel_names(const CompiledKernels& compiled) {
  std::string text = ".section .rodata\n";
  for (size_t i = 0; i < compiled.kernels.size(); ++i) {
    std::string symbol = "greta_simt_name_" + std::to_string(i);
    text += ".globl " + symbol + "\n.hidden " + symbol + "\n" + symbol + ": .asciz \"" +
            compiled.kernels[i].name + "\"\n";
  }
  for (const std::string& symbol : compiled.kernel_symbols)
    text += ".globl \"" + symbol + "\"\n.hidden \"" + symbol + "\"\n.set \"" + symbol + "\", 0\n";
  return text;
}

// All extern __shared__ arrays are one and the same memory, whatever their names and types.
std::string dynamic_shared(const CompiledKernels& compiled) {
  if (compiled.dynamic_shared.empty()) return "";
  std::string text = ".section .tbss,\"awT\",@nobits\n.p2align 8\n";
  for (const std::string& symbol : compiled.dynamic_shared)
    text += ".globl \"" + symbol + "\"\n.hidden \"" + symbol + "\"\n.type \"" + symbol +
            "\",@tls_object\n\"" + symbol + "\":\n";
  return text + ".zero 65536\n";
}

}  // namespace

CompiledKernels read_compiled_kernels(const ObjectFile& object, const Registration& registration) {
  return Reader(object, registration).run();
}

std::string link_supplement(const CompiledKernels& compiled) {
  return note(compiled) + kernel_names(compiled) + dynamic_shared(compiled) +
         ".section .note.GNU-stack,\"\",@progbits\n";
}

std::string export_script(const CompiledKernels& compiled) {
  std::string script =
      "{ global: greta_simt_abi; greta_simt_checked; greta_simt_kernels; "
      "greta_simt_kernel_count;\n";
  for (const std::string& name : compiled.device_variables) script += "\"" + name + "\";\n";
  return script + "local: *; };\n";
}

}  // namespace greta::hiprtc
