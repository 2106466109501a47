#include "device/code_object.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "codeobject/elf_headers.h"
#include "codeobject/metadata_note.h"
#include "codeobject/offload_bundle.h"
#include "device/access_check.h"
#include "device/code_image.h"
#include "device/elf_check.h"
#include "device/elf_image.h"
#include "device/native_kernels.h"
#include "gfx/module.h"

namespace greta::sim {
namespace {

constexpr unsigned kUniqueBinding = STB_GNU_UNIQUE;

// The dynamic linker keeps one instance of a "unique" symbol (an inline variable, a static of a
// template) for the whole process, and never unloads its library. Device variables belong to their
// module, so in our copy of the file such symbols become ordinary ones.
void make_unique_symbols_ordinary(ElfImage* image) {
  for (uint32_t i = 0; i < image->symbol_table.count; ++i) {
    Elf64_Sym symbol = image->symbol(i);
    if (ELF64_ST_BIND(symbol.st_info) != kUniqueBinding) continue;
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, ELF64_ST_TYPE(symbol.st_info));
    std::memcpy(image->bytes().data() + image->symbol_table.symbols_offset + i * sizeof symbol,
                &symbol, sizeof symbol);
  }
}

bool write_all(int file, const std::vector<unsigned char>& bytes) {
  size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t count = write(file, bytes.data() + written, bytes.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    written += static_cast<size_t>(count);
  }
  return true;
}

// The file again under a number that is rarely in use. A debugger opens the path we load from in
// its own process, where a low number would be some other file, or a pipe to wait at.
int with_high_number(int file) {
  constexpr int kHigh = 700;
  const int high = fcntl(file, F_DUPFD_CLOEXEC, kHigh);
  if (high < 0) return file;
  close(file);
  return high;
}

// A path of the open file that no other load has used: the dynamic linker takes an equal path for
// the same library, and the system reuses file numbers. The bits of a counter are spelled as "./"
// and "/", which mean nothing to the file system.
std::string unused_path_of(int file) {
  static std::atomic<uint64_t> loads{0};
  std::string path = "/proc/self/fd/";
  for (uint64_t bits = ++loads; bits != 0; bits >>= 1) path += bits & 1 ? "./" : "/";
  return path + std::to_string(file);
}

// For which GPU the code is by its own word, if it is not this device's. It is told as of a bundle.
std::optional<std::string> of_other_gpu(const codeobject::KernelMetadata& metadata) {
  const std::string_view processor = codeobject::processor_of(metadata.target);
  if (processor.empty() || processor == "gfx942" || processor == "gfx9-4-generic") return {};
  return "it holds code for " + std::string(processor) + "; the simulated device is a gfx942";
}

}  // namespace

// Carries an image through the steps of loading; keeps the first reason why one failed.
class CodeObjectLoader {
 public:
  CodeObjectLoad load(const void* image) {
    CodeImage found = find_code_image(image);
    if (found.error != hipSuccess) return fail(found.error, found.reason);
    std::string reason;
    if (found.is_machine_code) return load_machine_code(std::move(found.file));
    if (!elf_.parse(std::move(found.file), &reason) || !check_dynamic_linking(&elf_, &reason) ||
        !read_metadata(&reason)) {
      return fail(hipErrorInvalidImage, reason);
    }
    make_unique_symbols_ordinary(&elf_);
    const hipError_t mapped = map(&reason);
    if (mapped != hipSuccess) return fail(mapped, reason);
    note_segments();
    if (!connect_kernels(&reason)) return fail(hipErrorInvalidImage, reason);
    list_globals();
    object_->file_ = std::make_shared<std::vector<unsigned char>>(std::move(elf_.bytes()));
    return {hipSuccess, {}, std::move(object_)};
  }

 private:
  CodeObjectLoad load_machine_code(std::vector<unsigned char> file) {
    std::string reason = "its program headers are corrupt";
    const codeobject::BufferReader bytes(file.data(), file.size());
    const codeobject::ImageBytes image(bytes, 0, file.size());
    Elf64_Ehdr header;
    const auto segments =
        image.read(0, &header) ? codeobject::read_segments(image, header) : std::nullopt;
    codeobject::KernelMetadata metadata;
    const bool described = segments && read_metadata_note(image, *segments, &metadata, &reason);
    std::string refusal;
    object_->machine_code_ = gfx::Module::load(std::move(file), &refusal);
    if (!object_->machine_code_) {
      return fail(hipErrorNoBinaryForGpu, of_other_gpu(metadata).value_or(refusal));
    }
    if (!described) return fail(hipErrorInvalidImage, reason);
    object_->load_address_ = object_->machine_code_->load_address();
    for (auto& kernel : metadata.kernels) {
      Kernel& added = object_->kernels_.emplace_back(std::move(kernel));
      added.machine_code = object_->machine_code_->find_kernel(added.symbol);
      if (added.machine_code == nullptr) {
        return fail(hipErrorInvalidImage,
                    "it describes the kernel " + added.name + " but does not contain it");
      }
      added.code_object = object_.get();
      added.notes_accesses = true;  // as the engine checks them
    }
    list_machine_variables();
    object_->file_ = {object_->machine_code_, &object_->machine_code_->file()};
    return {hipSuccess, {}, std::move(object_)};
  }

  void list_machine_variables() {
    for (const gfx::Segment& segment : object_->machine_code_->segments()) {
      object_->segments_.push_back({segment.begin, segment.end, segment.writable});
    }
    for (const gfx::Object& variable : object_->machine_code_->objects()) {
      if (!variable.global || variable.is_compilers_own()) continue;
      object_->globals_.push_back(
          {variable.name, reinterpret_cast<void*>(variable.begin), variable.bytes});
    }
  }

  static CodeObjectLoad fail(hipError_t error, const std::string& reason) {
    return {error, "cannot load the code object: " + reason, nullptr};
  }

  bool read_metadata(std::string* reason) {
    const codeobject::BufferReader file(elf_.bytes().data(), elf_.bytes().size());
    const codeobject::ImageBytes image(file, 0, elf_.bytes().size());
    codeobject::KernelMetadata metadata;
    if (!read_metadata_note(image, elf_.segments(), &metadata, reason)) return false;
    for (auto& kernel : metadata.kernels) object_->kernels_.emplace_back(std::move(kernel));
    return true;
  }

  hipError_t map(std::string* reason) {
    int file = memfd_create("greta-code-object", MFD_CLOEXEC);
    if (file >= 0) file = with_high_number(file);
    if (file < 0 || !write_all(file, elf_.bytes())) {
      *reason = std::string("no memory for a copy of it: ") + std::strerror(errno);
      if (file >= 0) close(file);
      return hipErrorOperatingSystem;
    }
    object_->handle_ = dlopen(unused_path_of(file).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (object_->handle_ == nullptr) *reason = dlerror();
    close(file);
    return object_->handle_ != nullptr ? hipSuccess : hipErrorInvalidImage;
  }

  void note_segments() {
    link_map* map = nullptr;
    dlinfo(object_->handle_, RTLD_DI_LINKMAP, &map);
    object_->load_address_ = map->l_addr;
    for (const Elf64_Phdr& segment : elf_.segments()) {
      const uintptr_t begin = map->l_addr + segment.p_vaddr;
      if (segment.p_type == PT_LOAD) {
        const bool writable = (segment.p_flags & PF_W) != 0;
        object_->segments_.push_back({begin, begin + segment.p_memsz, writable});
      } else if (segment.p_type == PT_TLS) {
        object_->thread_block_bytes_ = segment.p_memsz;
      }
    }
  }

  // The defined symbol with this name; its address lies in the loaded segments.
  bool find_symbol(std::string_view name, uint64_t least_size, Elf64_Sym* found) const {
    for (uint32_t i = 0; i < elf_.symbol_table.count; ++i) {
      const Elf64_Sym symbol = elf_.symbol(i);
      if (symbol.st_shndx == SHN_UNDEF || elf_.symbol_name(symbol) != name) continue;
      *found = symbol;
      return elf_.is_loaded(symbol.st_value, least_size, PF_R);
    }
    return false;
  }

  template <typename Value>
  const Value* find_data(std::string_view name, uint64_t count) const {
    Elf64_Sym symbol;
    if (!find_symbol(name, count * sizeof(Value), &symbol)) return nullptr;
    return reinterpret_cast<const Value*>(object_->load_address_ + symbol.st_value);
  }

  bool connect_kernels(std::string* reason) {
    const auto* abi = find_data<uint32_t>("greta_simt_abi", 1);
    const auto* count = find_data<uint32_t>("greta_simt_kernel_count", 1);
    *reason = "it was not made for the simulated device";
    if (abi == nullptr || count == nullptr) return false;
    *reason = "it was made for another version of the simulated device";
    if (*abi != GRETA_SIMT_ABI) return false;
    *reason = "its table of kernels is corrupt";
    const auto* rows = find_data<greta_simt_kernel_row>("greta_simt_kernels", *count);
    if (rows == nullptr && *count != 0) return false;
    for (uint32_t i = 0; i < *count; ++i) {
      if (!connect(rows[i])) return false;
    }
    return all_connected(reason);
  }

  bool connect(const greta_simt_kernel_row& row) {
    const auto name = reinterpret_cast<uintptr_t>(row.name) - object_->load_address_;
    const auto entry = reinterpret_cast<uintptr_t>(row.entry) - object_->load_address_;
    if (!is_text(name) || !elf_.is_loaded(entry, 1, PF_R | PF_X)) return false;
    Kernel* kernel = object_->find_kernel(row.name);
    if (kernel == nullptr) return true;  // not described, so nobody can launch it
    const greta_simt_entry native = native_version_of(row.name);
    kernel->entry = native != nullptr ? native : row.entry;
    kernel->code_object = object_.get();
    kernel->notes_accesses = native == nullptr && is_checked();
    return true;
  }

  bool is_checked() const {
    const auto* checked = find_data<uint32_t>("greta_simt_checked", 1);
    return checked != nullptr && *checked != 0;
  }

  // A kernel with a hand-tuned version names it in greta_native_<kernel>.
  greta_simt_entry native_version_of(const char* kernel) const {
    Elf64_Sym symbol;
    if (!find_symbol(std::string("greta_native_") + kernel, 1, &symbol)) return nullptr;
    if (!is_text(symbol.st_value)) return nullptr;
    return find_native_kernel(
        reinterpret_cast<const char*>(object_->load_address_ + symbol.st_value));
  }

  // True if a null-terminated string begins at this address of the file.
  bool is_text(uint64_t address) const {
    constexpr uint64_t kMostNameBytes = 1 << 16;
    char character;
    for (uint64_t i = 0; i < kMostNameBytes; ++i) {
      if (!elf_.read_at(address + i, &character)) return false;
      if (character == '\0') return true;
    }
    return false;
  }

  bool all_connected(std::string* reason) const {
    for (const Kernel& kernel : object_->kernels_) {
      if (kernel.entry != nullptr) continue;
      *reason = "it describes the kernel " + kernel.name + " but does not contain it";
      return false;
    }
    return true;
  }

  void list_globals() {
    for (uint32_t i = 0; i < elf_.symbol_table.count; ++i) {
      const Elf64_Sym symbol = elf_.symbol(i);
      const std::string_view name = elf_.symbol_name(symbol);
      const bool is_variable = symbol.st_shndx != SHN_UNDEF && symbol.st_size != 0 &&
                               ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT &&
                               elf_.is_loaded(symbol.st_value, symbol.st_size, PF_R);
      if (!is_variable || name.substr(0, 11) == "greta_simt_" ||
          name.substr(0, 13) == "greta_native_") {
        continue;
      }
      void* address = reinterpret_cast<void*>(object_->load_address_ + symbol.st_value);
      object_->globals_.push_back({std::string(name), address, symbol.st_size});
    }
  }

  ElfImage elf_;
  std::unique_ptr<CodeObject> object_{new CodeObject};
};

CodeObjectLoad CodeObject::load(const void* image) { return CodeObjectLoader().load(image); }

CodeObject::~CodeObject() {
  if (handle_ == nullptr && !machine_code_) return;
  if (handle_ != nullptr) dlclose(handle_);
  machine_code_.reset();
  forget_accessible_ranges();
}

const Kernel* CodeObject::find_kernel(std::string_view name) const {
  const auto found = std::find_if(kernels_.begin(), kernels_.end(),
                                  [name](const Kernel& kernel) { return kernel.name == name; });
  return found != kernels_.end() ? &*found : nullptr;
}

Kernel* CodeObject::find_kernel(std::string_view name) {
  return const_cast<Kernel*>(static_cast<const CodeObject*>(this)->find_kernel(name));
}

const GlobalVariable* CodeObject::find_global(std::string_view name) const {
  const auto found =
      std::find_if(globals_.begin(), globals_.end(),
                   [name](const GlobalVariable& variable) { return variable.name == name; });
  return found != globals_.end() ? &*found : nullptr;
}

bool CodeObject::contains(uintptr_t address, size_t bytes) const {
  return std::any_of(segments_.begin(), segments_.end(), [&](const CodeObjectSegment& segment) {
    return address >= segment.begin && address < segment.end && bytes <= segment.end - address;
  });
}

bool CodeObject::find_thread_block(CodeObjectSegment* block) const {
  void* data = nullptr;
  if (thread_block_bytes_ == 0 || handle_ == nullptr) return false;
  if (dlinfo(handle_, RTLD_DI_TLS_DATA, &data) != 0 || data == nullptr) return false;
  const auto begin = reinterpret_cast<uintptr_t>(data);
  *block = {begin, begin + thread_block_bytes_, true};
  return true;
}

}  // namespace greta::sim
