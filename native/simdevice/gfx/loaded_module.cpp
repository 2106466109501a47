#include "gfx/loaded_module.h"

#include <elf.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <tuple>
#include <utility>

#include "codeobject/byte_range.h"
#include "codeobject/elf_headers.h"
#include "environment.h"

namespace greta::sim::gfx {

using codeobject::lies_within;

namespace {

constexpr uint64_t kPageBytes = 4096;
constexpr uint64_t kMostMappedBytes = uint64_t{1} << 30;
constexpr uint32_t kMachineMask = 0xff;
constexpr uint32_t kGfx942 = 0x4c, kGfx9_4Generic = 0x5f;  // EF_AMDGPU_MACH_AMDGCN_*

// R_AMDGPU_*
enum : uint32_t {
  kAbs32Lo = 1,
  kAbs32Hi = 2,
  kAbs64 = 3,
  kRel32 = 4,
  kRel64 = 5,
  kAbs32 = 6,
  kRelative64 = 13,
};

// What of malloc a function is; those around it are known by their names in C++.
std::optional<HeapPoint> heap_point_of(std::string_view function) {
  if (function == "__ockl_dm_alloc") return HeapPoint::allocates;
  if (function == "__ockl_dm_dealloc") return HeapPoint::frees;
  const bool makes = function.substr(0, 5) == "_Znwm" || function.substr(0, 5) == "_Znam";
  if (makes || function == "malloc") return HeapPoint::wrapper;
  return std::nullopt;
}

uint64_t page_end(uint64_t address) { return (address + kPageBytes - 1) & ~(kPageBytes - 1); }

}  // namespace

// From the bytes of a file to a module; keeps the first reason why it is refused.
class ModuleLoading {
 public:
  ModuleLoading(LoadedModule* module, std::string* reason) : module_(*module), reason_(*reason) {}

  bool run() { return read_headers() && map() && read_symbols() && relocate() && find_kernels(); }

 private:
  bool fail(const char* reason) {
    reason_ = reason;
    return false;
  }

  template <class T>
  bool read(uint64_t offset, T* to) const {
    if (!lies_within(offset, sizeof(T), 0, module_.file_.size())) return false;
    std::memcpy(to, module_.file_.data() + offset, sizeof(T));
    return true;
  }

  bool read_headers() {
    if (!read(0, &header_)) return fail("it is cut short");
    const uint32_t machine = header_.e_flags & kMachineMask;
    if (machine != kGfx942 && machine != kGfx9_4Generic) {
      return fail("it is for another GPU; the simulated device is a gfx942");
    }
    if (header_.e_type != ET_DYN) return fail("it is not linked");
    const codeobject::BufferReader file(module_.file_.data(), module_.file_.size());
    auto segments = codeobject::read_segments({file, 0, module_.file_.size()}, header_);
    if (!segments) return fail("its program headers are corrupt");
    segments_ = std::move(*segments);
    return true;
  }

  bool fits(const Elf64_Phdr& segment) const {
    return lies_within(segment.p_offset, segment.p_filesz, 0, module_.file_.size()) &&
           segment.p_filesz <= segment.p_memsz && segment.p_vaddr <= kMostMappedBytes &&
           segment.p_memsz <= kMostMappedBytes;
  }

  bool map() {
    uint64_t end = 0;
    for (const Elf64_Phdr& segment : segments_) {
      if (segment.p_type != PT_LOAD) continue;
      const bool is_code = (segment.p_flags & PF_X) != 0;
      if (!fits(segment) || segment.p_vaddr < end || (is_code && segment.p_vaddr % 4 != 0)) {
        return fail("its segments are corrupt");
      }
      end = segment.p_vaddr + segment.p_memsz;
    }
    if (end == 0) return fail("it has no segments");
    // A page on either side that nothing lies in.
    module_.mapped_ = page_end(end) + 2 * kPageBytes;
    void* const pages =
        mmap(nullptr, module_.mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return fail("there is no memory for it");
    module_.pages_ = pages;
    module_.base_ = reinterpret_cast<uintptr_t>(pages) + kPageBytes;
    for (const Elf64_Phdr& segment : segments_) place(segment);
    return true;
  }

  void place(const Elf64_Phdr& segment) {
    const uintptr_t begin = module_.base_ + segment.p_vaddr;
    const Segment placed{begin, begin + segment.p_memsz, (segment.p_flags & PF_W) != 0};
    if (segment.p_type == PT_GNU_RELRO && fits(segment)) module_.constants_ = placed;
    if (segment.p_type != PT_LOAD) return;
    std::memcpy(reinterpret_cast<void*>(begin), module_.file_.data() + segment.p_offset,
                segment.p_filesz);
    module_.segments_.push_back(placed);
    if (segment.p_flags & PF_X) module_.code_.push_back(placed);
  }

  bool is_loaded(uint64_t address, uint64_t bytes) const {
    return std::any_of(segments_.begin(), segments_.end(), [&](const Elf64_Phdr& segment) {
      return segment.p_type == PT_LOAD &&
             lies_within(address, bytes, segment.p_vaddr, segment.p_memsz);
    });
  }

  // -- symbols ---------------------------------------------------------------------------------

  struct SymbolTable {
    uint64_t symbols = 0, strings = 0, strings_bytes = 0, count = 0;
  };

  bool read_symbols() {
    Elf64_Shdr section, strings;
    for (uint64_t i = 0; i < header_.e_shnum; ++i) {
      if (!read(header_.e_shoff + i * sizeof section, &section)) {
        return fail("its section headers are corrupt");
      }
      if (section.sh_type != SHT_DYNSYM && section.sh_type != SHT_SYMTAB) continue;
      if (!read(header_.e_shoff + uint64_t{section.sh_link} * sizeof strings, &strings) ||
          !lies_within(section.sh_offset, section.sh_size, 0, module_.file_.size()) ||
          !lies_within(strings.sh_offset, strings.sh_size, 0, module_.file_.size())) {
        return fail("its symbol tables are corrupt");
      }
      const SymbolTable table{section.sh_offset, strings.sh_offset, strings.sh_size,
                              section.sh_size / sizeof(Elf64_Sym)};
      if (section.sh_type == SHT_DYNSYM) dynamic_ = table;
      if (section.sh_type == SHT_SYMTAB) module_.knows_all_objects_ = true;
      take_symbols(table, section.sh_type == SHT_DYNSYM);
    }
    sort_symbols();
    return true;
  }

  std::string_view name_of(const SymbolTable& table, const Elf64_Sym& symbol) const {
    if (symbol.st_name >= table.strings_bytes) return {};
    const auto* text =
        reinterpret_cast<const char*>(module_.file_.data() + table.strings + symbol.st_name);
    return {text, strnlen(text, table.strings_bytes - symbol.st_name)};
  }

  void take_symbols(const SymbolTable& table, bool dynamic) {
    for (uint64_t i = 0; i < table.count; ++i) {
      Elf64_Sym symbol;
      if (!read(table.symbols + i * sizeof symbol, &symbol) || symbol.st_shndx == SHN_UNDEF) {
        continue;
      }
      if (!is_loaded(symbol.st_value, symbol.st_size)) continue;
      const uintptr_t address = module_.base_ + symbol.st_value;
      const auto type = ELF64_ST_TYPE(symbol.st_info);
      if (type == STT_FUNC) module_.functions_.push_back(address);
      if (const auto point = heap_point_of(name_of(table, symbol)); point && type == STT_FUNC) {
        module_.heap_functions_.push_back({address, address + symbol.st_size, *point});
      }
      if (type != STT_OBJECT || symbol.st_size == 0) continue;
      module_.objects_.push_back(
          {std::string(name_of(table, symbol)), address, symbol.st_size, dynamic});
    }
  }

  // Both tables name most of them: one of each, the global one.
  void sort_symbols() {
    auto& objects = module_.objects_;
    std::sort(objects.begin(), objects.end(), [](const Object& a, const Object& b) {
      return std::tie(a.begin, a.bytes, b.global, a.name) <
             std::tie(b.begin, b.bytes, a.global, b.name);
    });
    const auto same = [](const Object& a, const Object& b) {
      return a.begin == b.begin && a.name == b.name;
    };
    objects.erase(std::unique(objects.begin(), objects.end(), same), objects.end());
    auto& functions = module_.functions_;
    std::sort(functions.begin(), functions.end());
    functions.erase(std::unique(functions.begin(), functions.end()), functions.end());
  }

  // -- relocations -----------------------------------------------------------------------------

  bool find_dynamic(Elf64_Sxword tag, uint64_t* value) const {
    for (const Elf64_Phdr& segment : segments_) {
      if (segment.p_type != PT_DYNAMIC) continue;
      Elf64_Dyn entry;
      for (uint64_t at = 0; at + sizeof entry <= segment.p_filesz; at += sizeof entry) {
        if (!read(segment.p_offset + at, &entry) || entry.d_tag == DT_NULL) break;
        if (entry.d_tag != tag) continue;
        *value = entry.d_un.d_val;
        return true;
      }
    }
    return false;
  }

  bool relocate() {
    return relocate_table(DT_RELA, DT_RELASZ) && relocate_table(DT_JMPREL, DT_PLTRELSZ);
  }

  bool relocate_table(Elf64_Sxword table_tag, Elf64_Sxword size_tag) {
    uint64_t table, size;
    if (!find_dynamic(table_tag, &table) || !find_dynamic(size_tag, &size)) return true;
    if (!is_loaded(table, size)) return fail("its relocations are corrupt");
    for (uint64_t i = 0; i < size / sizeof(Elf64_Rela); ++i) {
      Elf64_Rela relocation;
      std::memcpy(&relocation,
                  reinterpret_cast<const void*>(module_.base_ + table + i * sizeof relocation),
                  sizeof relocation);
      if (!apply(relocation)) return false;
    }
    return true;
  }

  bool apply(const Elf64_Rela& relocation) {
    uint64_t value = static_cast<uint64_t>(relocation.r_addend);
    const auto type = static_cast<uint32_t>(ELF64_R_TYPE(relocation.r_info));
    if (type == kRelative64) {
      value += module_.base_;
    } else if (!add_symbol(ELF64_R_SYM(relocation.r_info), &value)) {
      return fail("it needs a symbol that it does not define");
    }
    const uint64_t place = module_.base_ + relocation.r_offset;
    switch (type) {
      case kRelative64:
      case kAbs64:
        return store(relocation.r_offset, value);
      case kRel64:
        return store(relocation.r_offset, value - place);
      case kAbs32:
      case kAbs32Lo:
        return store(relocation.r_offset, static_cast<uint32_t>(value));
      case kAbs32Hi:
        return store(relocation.r_offset, static_cast<uint32_t>(value >> 32));
      case kRel32:
        return store(relocation.r_offset, static_cast<uint32_t>(value - place));
      default:
        return fail("it has a relocation of an unknown kind");
    }
  }

  bool add_symbol(uint64_t index, uint64_t* value) const {
    Elf64_Sym symbol;
    if (index >= dynamic_.count || !read(dynamic_.symbols + index * sizeof symbol, &symbol)) {
      return false;
    }
    if (symbol.st_shndx == SHN_UNDEF) return ELF64_ST_BIND(symbol.st_info) == STB_WEAK;
    *value += symbol.st_shndx == SHN_ABS ? symbol.st_value : module_.base_ + symbol.st_value;
    return true;
  }

  template <class T>
  bool store(uint64_t address, T value) {
    if (!is_loaded(address, sizeof value)) return fail("its relocations are corrupt");
    std::memcpy(reinterpret_cast<void*>(module_.base_ + address), &value, sizeof value);
    return true;
  }

  // -- kernels ---------------------------------------------------------------------------------

  bool find_kernels() {
    std::vector<uintptr_t> entries;
    for (const Object& object : module_.objects_) {
      const std::string_view name = object.name;
      if (name.size() < 3 || name.substr(name.size() - 3) != ".kd") continue;
      if (object.bytes != sizeof(KernelDescriptor)) return fail("a kernel descriptor is corrupt");
      KernelDescriptor descriptor;
      std::memcpy(&descriptor, reinterpret_cast<const void*>(object.begin), sizeof descriptor);
      const uintptr_t entry = object.begin + static_cast<uint64_t>(descriptor.entry_offset);
      if (module_.find_code(entry) == nullptr || entry % 4 != 0) {
        return fail("a kernel descriptor is corrupt");
      }
      if (descriptor.has(KernelDescriptor::kWave32)) return fail("a kernel has waves of 32 lanes");
      module_.kernels_.try_emplace(object.name, module_, descriptor, entry);
      entries.push_back(entry);
    }
    // A kernel is not called: one that calls functions need not decode all other kernels.
    std::sort(entries.begin(), entries.end());
    auto& functions = module_.functions_;
    const auto is_kernel = [&](uintptr_t function) {
      return std::binary_search(entries.begin(), entries.end(), function);
    };
    functions.erase(std::remove_if(functions.begin(), functions.end(), is_kernel), functions.end());
    return true;
  }

  LoadedModule& module_;
  std::string& reason_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Phdr> segments_;
  SymbolTable dynamic_;
};

std::shared_ptr<const Module> Module::load(std::vector<unsigned char> file, std::string* reason) {
  auto module = std::make_shared<LoadedModule>();
  if (!module->load(std::move(file), reason)) return nullptr;
  return module;
}

LoadedModule::~LoadedModule() {
  if (pages_ != nullptr) munmap(pages_, mapped_);
}

bool LoadedModule::load(std::vector<unsigned char> file, std::string* reason) {
  file_ = std::move(file);
  return ModuleLoading(this, reason).run();
}

const KernelCode* LoadedModule::find_kernel(std::string_view descriptor) const {
  const auto found = kernels_.find(descriptor);
  return found != kernels_.end() ? &found->second : nullptr;
}

const Segment* LoadedModule::find_code(uintptr_t address) const {
  for (const Segment& segment : code_) {
    if (address >= segment.begin && address < segment.end) return &segment;
  }
  return nullptr;
}

// Compilers read an object of 12, 20 or 28 bytes by a load of the next power of two, where its
// alignment says that this cannot reach another page.
static bool is_widened_load(uintptr_t address, size_t bytes, bool write, uintptr_t end) {
  return !write && bytes >= 16 && address % bytes == 0 && address + bytes - end < bytes / 2;
}

// An object is accessed within its bounds. Between objects lie constants without a name, which may
// be read; in memory that can be written nothing lies there, if the file names all objects.
bool LoadedModule::allows(uintptr_t address, size_t bytes, bool write, Segment* around) const {
  bool widened = false;
  auto after =
      std::upper_bound(objects_.begin(), objects_.end(), address,
                       [](uintptr_t value, const Object& object) { return value < object.begin; });
  if (after != objects_.begin()) {
    const Object& object = *std::prev(after);
    if (address - object.begin < object.bytes) {
      *around = {object.begin, object.begin + object.bytes, true};
      if (bytes <= around->end - address) return true;
      widened = is_widened_load(address, bytes, write, around->end);
      if (!widened) return false;
    }
  }
  for (const Segment& segment : segments_) {
    if (!lies_within(address, bytes, segment.begin, segment.end - segment.begin)) continue;
    const bool constant = !segment.writable || lies_within(address, bytes, constants_.begin,
                                                           constants_.end - constants_.begin);
    *around = {address, address + bytes, false};
    return constant ? !write : widened || !knows_all_objects_;
  }
  return false;
}

bool KernelCode::prepare(std::string* reason) const {
  std::call_once(once_, [this] { decode(); });
  *reason = problem_;
  return problem_.empty();
}

namespace {

// GRETA_SIM_ISA may ask for less than the processor has, never for more. hipRTC, which reads it
// too, tells of a value that is not understood.
isa::Lanes wanted_lanes() {
  const std::string wanted = variable("GRETA_SIM_ISA");
  const isa::Lanes most = wanted == "baseline" ? isa::Lanes::portable
                          : wanted == "avx2"   ? isa::Lanes::avx2
                                               : isa::Lanes::avx512;
  return std::min(most, isa::best_lanes());
}

constexpr uint32_t kMostPrivateBytes = 1 << 24;

}  // namespace

void KernelCode::decode() const {
  if (descriptor_.private_segment_bytes > kMostPrivateBytes) {
    problem_ = "it asks for " + std::to_string(descriptor_.private_segment_bytes) +
               " bytes of private memory for each thread";
    return;
  }
  const Segment& code = *module_.find_code(entry_);
  std::vector<size_t> functions;
  for (const uintptr_t function : module_.functions()) {
    if (function >= code.begin && function < code.end) functions.push_back(function - code.begin);
  }
  code_begin_ = code.begin;
  if (program_.load(reinterpret_cast<const void*>(code.begin), code.end - code.begin,
                    entry_ - code.begin, module_.architecture(), wanted_lanes(), &problem_,
                    functions)) {
    entry_step_ = static_cast<uint32_t>(program_.step_of_byte(entry_ - code.begin));
    mark_heap();
  }
}

// Where the functions of malloc begin, and where the one that finds memory returns.
void KernelCode::mark_heap() const {
  const auto add = [&](int32_t step, HeapPoint point) {
    if (step < 0 || static_cast<size_t>(step) >= program_.steps.size()) return;
    if (!heap_points_.try_emplace(static_cast<uint32_t>(step), point).second) return;
    program_.mark(static_cast<uint32_t>(step));
  };
  for (const LoadedModule::HeapFunction& function : module_.heap_functions()) {
    const int32_t first = program_.step_of_byte(function.begin - code_begin_);
    if (first < 0) continue;  // this kernel does not come to it
    add(first, function.point);
    if (function.point != HeapPoint::allocates) continue;
    const auto end = static_cast<uint32_t>(function.end - code_begin_);
    for (auto i = static_cast<size_t>(first); i < program_.steps.size(); ++i) {
      const isa::Step& step = program_.steps[i];
      if (step.offset >= end) break;
      const bool returns =
          step.instruction.row != nullptr && step.instruction.opcode == isa::Opcode::s_setpc_b64;
      if (returns) add(static_cast<int32_t>(i), HeapPoint::has_allocated);
    }
  }
}

bool prepare(const KernelCode& code, std::string* reason) { return code.prepare(reason); }

}  // namespace greta::sim::gfx
