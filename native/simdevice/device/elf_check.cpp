#include "device/elf_check.h"

#include <algorithm>

namespace greta::sim {
namespace {

bool is_power_of_two(uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

class DynamicLinkingCheck {
 public:
  explicit DynamicLinkingCheck(ElfImage* image) : image_(*image), table_(image->symbol_table) {}

  // Names the first part that is not sound; null if all are.
  const char* find_defect() {
    if (!segments_are_sound()) return "its segments are corrupt";
    if (!tags_are_usable()) return "its dynamic section asks for something unsupported";
    if (!strings_are_sound()) return "its string table is corrupt";
    if (!hash_is_sound()) return "its symbol hash table is corrupt";
    if (!symbols_are_sound()) return "its symbol table is corrupt";
    if (!versions_are_sound()) return "its symbol versions are corrupt";
    if (!functions_are_sound()) return "its start functions are corrupt";
    if (!relocations_are_sound()) return "its relocations are corrupt";
    return nullptr;
  }

 private:
  bool segments_are_sound() const;
  bool is_sound(const Elf64_Phdr& segment) const;
  bool is_protectable(const Elf64_Phdr& segment) const;
  bool tags_are_usable() const;
  bool strings_are_sound();
  bool hash_is_sound();
  bool gnu_hash_is_sound(uint64_t address);
  bool sysv_hash_is_sound(uint64_t address);
  bool symbols_are_sound();
  bool is_sound(const Elf64_Sym& symbol) const;
  bool versions_are_sound() const;
  bool needed_versions_are_sound() const;
  bool functions_are_sound() const;
  bool relocations_are_sound() const;
  bool relocations_are_sound(Elf64_Sxword table_tag, Elf64_Sxword size_tag) const;
  bool is_sound(const Elf64_Rela& relocation) const;

  bool u32_at(uint64_t address, uint32_t* value) const { return image_.read_at(address, value); }
  bool is_string(uint64_t offset) const { return offset < table_.strings_size; }
  bool is_code(uint64_t address) const { return image_.is_loaded(address, 1, PF_R | PF_X); }

  const ElfImage& image_;
  ElfImage::SymbolTable& table_;
};

bool DynamicLinkingCheck::segments_are_sound() const {
  const auto& segments = image_.segments();
  const auto count = [&](uint32_t type) {
    return std::count_if(segments.begin(), segments.end(),
                         [type](const Elf64_Phdr& segment) { return segment.p_type == type; });
  };
  if (count(PT_DYNAMIC) != 1 || count(PT_TLS) > 1 || count(PT_GNU_RELRO) > 1) return false;
  if (count(PT_INTERP) != 0) return false;  // a program, not a code object
  return std::all_of(segments.begin(), segments.end(),
                     [this](const Elf64_Phdr& segment) { return is_sound(segment); });
}

bool DynamicLinkingCheck::is_sound(const Elf64_Phdr& segment) const {
  constexpr uint64_t kMostThreadLocalBytes = 64 << 20;
  constexpr uint32_t kAccess = PF_R | PF_W | PF_X;
  uint64_t offset;
  switch (segment.p_type) {
    case PT_LOAD:
      return (segment.p_flags & PF_R) != 0 && (segment.p_flags & ~kAccess) == 0;
    case PT_DYNAMIC:
      return image_.is_loaded(segment.p_vaddr, segment.p_memsz, PF_R | PF_W);
    case PT_TLS:
      return segment.p_filesz <= segment.p_memsz && segment.p_memsz <= kMostThreadLocalBytes &&
             segment.p_align <= 4096 &&
             (segment.p_align == 0 || is_power_of_two(segment.p_align)) &&
             (segment.p_filesz == 0 ||
              image_.find_offset(segment.p_vaddr, segment.p_filesz, &offset));
    case PT_GNU_RELRO:
      return is_protectable(segment);
    case PT_GNU_STACK:
      return (segment.p_flags & PF_X) == 0;
    default:
      return true;
  }
}

// What becomes read-only after relocation is part of a writable segment, up to the end of its last
// page: anything more would be other people's memory.
bool DynamicLinkingCheck::is_protectable(const Elf64_Phdr& relro) const {
  constexpr uint64_t kPageMask = 4095;
  for (const Elf64_Phdr& segment : image_.segments()) {
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) == 0) continue;
    const uint64_t end = (segment.p_vaddr + segment.p_memsz + kPageMask) & ~kPageMask;
    if (relro.p_vaddr < segment.p_vaddr || relro.p_vaddr >= end) continue;
    return relro.p_memsz <= end - relro.p_vaddr;
  }
  return false;
}

bool DynamicLinkingCheck::tags_are_usable() const {
  for (const Elf64_Dyn& entry : image_.dynamic()) {
    switch (entry.d_tag) {
      case DT_REL:      // x86-64 has relocations with addends only
      case DT_TEXTREL:  // writes into code
      case 36:          // DT_RELR: nobody asked the linker for it, and we do not check it
      case DT_AUDIT:
      case DT_DEPAUDIT:
      case DT_AUXILIARY:
      case DT_FILTER:
        return false;
      default:
        break;
    }
  }
  uint64_t size;
  if (image_.find_dynamic(DT_SYMENT, &size) && size != sizeof(Elf64_Sym)) return false;
  if (image_.find_dynamic(DT_RELAENT, &size) && size != sizeof(Elf64_Rela)) return false;
  if (image_.find_dynamic(DT_PLTREL, &size) && size != DT_RELA) return false;
  return true;
}

bool DynamicLinkingCheck::strings_are_sound() {
  uint64_t address, size;
  if (!image_.find_dynamic(DT_STRTAB, &address) || !image_.find_dynamic(DT_STRSZ, &size)) {
    return false;
  }
  if (size == 0 || !image_.find_offset(address, size, &table_.strings_offset)) return false;
  if (image_.bytes()[table_.strings_offset + size - 1] != '\0') return false;
  table_.strings_size = size;
  for (const Elf64_Dyn& entry : image_.dynamic()) {
    const bool is_name = entry.d_tag == DT_NEEDED || entry.d_tag == DT_SONAME ||
                         entry.d_tag == DT_RPATH || entry.d_tag == DT_RUNPATH;
    if (is_name && !is_string(entry.d_un.d_val)) return false;
  }
  return true;
}

bool DynamicLinkingCheck::hash_is_sound() {
  uint64_t address;
  const bool has_gnu = image_.find_dynamic(DT_GNU_HASH, &address);
  if (has_gnu) return gnu_hash_is_sound(address);  // the one glibc prefers
  return image_.find_dynamic(DT_HASH, &address) && sysv_hash_is_sound(address);
}

// GNU hash table: bucket count, first symbol, bloom words, shift; bloom filter (8 bytes each);
// buckets; one hash per symbol from the first one on, its lowest bit marks the end of a bucket.
bool DynamicLinkingCheck::gnu_hash_is_sound(uint64_t address) {
  constexpr uint32_t kMostSymbols = 1 << 24;
  struct {
    uint32_t buckets, first_symbol, bloom_words, shift;
  } header;
  if (!image_.read_at(address, &header)) return false;
  if (header.buckets == 0 || header.buckets > kMostSymbols || header.first_symbol > kMostSymbols) {
    return false;
  }
  if (!is_power_of_two(header.bloom_words) || header.bloom_words > kMostSymbols) return false;
  if (header.shift > 63) return false;
  const uint64_t buckets = address + sizeof header + uint64_t{header.bloom_words} * 8;
  const uint64_t chains = buckets + uint64_t{header.buckets} * 4;
  table_.count = header.first_symbol;
  for (uint64_t i = 0; i < header.buckets; ++i) {
    uint32_t symbol;
    if (!u32_at(buckets + i * 4, &symbol)) return false;
    if (symbol == 0) continue;
    if (symbol < header.first_symbol) return false;
    for (uint32_t hash = 0; (hash & 1) == 0; ++symbol) {
      if (!u32_at(chains + uint64_t{symbol - header.first_symbol} * 4, &hash)) return false;
    }
    table_.count = std::max(table_.count, symbol);
  }
  return true;
}

// The older table: bucket count, symbol count, buckets, chains: linked lists of symbol numbers.
bool DynamicLinkingCheck::sysv_hash_is_sound(uint64_t address) {
  uint32_t buckets, symbols;
  if (!u32_at(address, &buckets) || !u32_at(address + 4, &symbols) || buckets == 0) return false;
  uint64_t offset;
  const uint64_t words = 2 + uint64_t{buckets} + symbols;
  if (!image_.find_offset(address, words * 4, &offset)) return false;
  const uint64_t chains = address + 8 + uint64_t{buckets} * 4;
  uint32_t steps = 0;  // every symbol is in one list only, or a list never ends
  for (uint64_t i = 0; i < buckets; ++i) {
    uint32_t symbol;
    if (!u32_at(address + 8 + i * 4, &symbol)) return false;
    while (symbol != 0) {
      if (symbol >= symbols || ++steps > symbols) return false;
      if (!u32_at(chains + uint64_t{symbol} * 4, &symbol)) return false;
    }
  }
  table_.count = symbols;
  return true;
}

bool DynamicLinkingCheck::symbols_are_sound() {
  uint64_t address;
  if (!image_.find_dynamic(DT_SYMTAB, &address)) return false;
  const uint64_t size = uint64_t{table_.count} * sizeof(Elf64_Sym);
  if (!image_.find_offset(address, size, &table_.symbols_offset)) return false;
  for (uint32_t i = 0; i < table_.count; ++i) {
    if (!is_sound(image_.symbol(i))) return false;
  }
  return true;
}

bool DynamicLinkingCheck::is_sound(const Elf64_Sym& symbol) const {
  if (!is_string(symbol.st_name)) return false;
  if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS) return true;
  const unsigned type = ELF64_ST_TYPE(symbol.st_info);
  if (type == STT_TLS) {
    const Elf64_Phdr* block = image_.find_segment(PT_TLS);
    return block != nullptr && symbol.st_value <= block->p_memsz &&
           symbol.st_size <= block->p_memsz - symbol.st_value;
  }
  if (type == STT_GNU_IFUNC) return is_code(symbol.st_value);
  return image_.is_loaded(symbol.st_value, symbol.st_size, PF_R);
}

bool DynamicLinkingCheck::versions_are_sound() const {
  uint64_t address, offset;
  if (image_.find_dynamic(DT_VERDEF, &address)) return false;  // code objects define none
  const bool has_numbers = image_.find_dynamic(DT_VERSYM, &address);
  if (has_numbers && !image_.find_offset(address, uint64_t{table_.count} * 2, &offset)) {
    return false;
  }
  return needed_versions_are_sound();
}

// A list of libraries, each with a list of the versions needed of it; links are relative.
bool DynamicLinkingCheck::needed_versions_are_sound() const {
  uint64_t address, libraries;
  if (!image_.find_dynamic(DT_VERNEED, &address)) return true;
  if (!image_.find_dynamic(DT_VERNEEDNUM, &libraries) || libraries > 1000) return false;
  for (uint64_t i = 0; i < libraries; ++i) {
    Elf64_Verneed library;
    if (!image_.read_at(address, &library) || !is_string(library.vn_file)) return false;
    uint64_t version_address = address + library.vn_aux;
    for (uint64_t j = 0; j < library.vn_cnt; ++j) {
      Elf64_Vernaux version;
      if (!image_.read_at(version_address, &version) || !is_string(version.vna_name)) return false;
      if ((version.vna_next == 0) != (j + 1 == library.vn_cnt)) return false;
      version_address += version.vna_next;
    }
    if ((library.vn_next == 0) != (i + 1 == libraries)) return false;
    address += library.vn_next;
  }
  return true;
}

// The functions that run when the object is loaded or unloaded. The arrays' contents are put there
// by relocations.
bool DynamicLinkingCheck::functions_are_sound() const {
  uint64_t address, size;
  for (Elf64_Sxword tag : {DT_INIT, DT_FINI}) {
    if (image_.find_dynamic(tag, &address) && !is_code(address)) return false;
  }
  constexpr Elf64_Sxword kArrays[][2] = {{DT_INIT_ARRAY, DT_INIT_ARRAYSZ},
                                         {DT_FINI_ARRAY, DT_FINI_ARRAYSZ}};
  for (const auto& [array_tag, size_tag] : kArrays) {
    if (!image_.find_dynamic(array_tag, &address)) continue;
    if (!image_.find_dynamic(size_tag, &size) || size % 8 != 0) return false;
    if (!image_.is_loaded(address, size, PF_R | PF_W)) return false;
  }
  return !image_.find_dynamic(DT_PREINIT_ARRAY, &address);
}

bool DynamicLinkingCheck::relocations_are_sound() const {
  return relocations_are_sound(DT_RELA, DT_RELASZ) && relocations_are_sound(DT_JMPREL, DT_PLTRELSZ);
}

bool DynamicLinkingCheck::relocations_are_sound(Elf64_Sxword table_tag,
                                                Elf64_Sxword size_tag) const {
  uint64_t address, size, offset;
  if (!image_.find_dynamic(table_tag, &address)) return true;
  if (!image_.find_dynamic(size_tag, &size) || size % sizeof(Elf64_Rela) != 0) return false;
  if (!image_.find_offset(address, size, &offset)) return false;
  for (uint64_t i = 0; i < size; i += sizeof(Elf64_Rela)) {
    Elf64_Rela relocation;
    if (!image_.read(offset + i, &relocation) || !is_sound(relocation)) return false;
  }
  return true;
}

bool DynamicLinkingCheck::is_sound(const Elf64_Rela& relocation) const {
  const uint64_t type = ELF64_R_TYPE(relocation.r_info);
  const uint64_t bytes = type == R_X86_64_TLSDESC ? 16 : 8;
  if (type == R_X86_64_NONE) return true;
  if (!image_.is_loaded(relocation.r_offset, bytes, PF_W)) return false;
  if (ELF64_R_SYM(relocation.r_info) >= std::max(table_.count, 1u)) return false;
  const auto target = static_cast<uint64_t>(relocation.r_addend);
  switch (type) {
    case R_X86_64_RELATIVE:
      return image_.is_loaded(target, 0, PF_R);
    case R_X86_64_IRELATIVE:
      return is_code(target);
    case R_X86_64_64:
    case R_X86_64_GLOB_DAT:
    case R_X86_64_JUMP_SLOT:
    case R_X86_64_DTPMOD64:
    case R_X86_64_DTPOFF64:
    case R_X86_64_TPOFF64:
    case R_X86_64_TLSDESC:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool check_dynamic_linking(ElfImage* image, std::string* reason) {
  const char* defect = DynamicLinkingCheck(image).find_defect();
  if (defect != nullptr) *reason = defect;
  return defect == nullptr;
}

}  // namespace greta::sim
