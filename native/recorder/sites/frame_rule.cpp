// Reads .eh_frame, which the Linux Standard Base describes, and DWARF's call frame instructions.
//
// Rules for editing.
// - A library's tables are read where they are loaded, and every read stays inside the loaded part
//   that they begin in: a damaged table costs the rest of a stack, never the process.
// - What is not understood is "no rule". Nothing is guessed from the stack's contents.
// - No allocation: this runs in every call of the program that comes from a new place.
#include "recorder/sites/frame_rule.h"

#include <link.h>

#include <cstring>

namespace greta::recorder {
namespace {

// --- reading, within bounds ----------------------------------------------------------------------

class Bytes {
 public:
  Bytes() = default;
  Bytes(uintptr_t at, uintptr_t end) : at_(at), end_(at <= end ? end : at) {}

  uintptr_t at() const { return at_; }
  uintptr_t end() const { return end_; }
  bool ok() const { return ok_; }
  bool done() const { return !ok_ || at_ >= end_; }
  void fail() { ok_ = false; }

  void skip(uint64_t bytes) {
    if (bytes > end_ - at_) return fail();
    at_ += bytes;
  }

  template <typename T>
  T number() {
    T value{};
    if (!ok_ || sizeof value > end_ - at_) {
      fail();
      return value;
    }
    std::memcpy(&value, reinterpret_cast<const void*>(at_), sizeof value);
    at_ += sizeof value;
    return value;
  }

  uint64_t unsigned_leb() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 63; shift += 7) {
      const auto byte = number<uint8_t>();
      value |= uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80u) == 0) return value;
    }
    fail();
    return 0;
  }

  int64_t signed_leb() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 63;) {
      const auto byte = number<uint8_t>();
      value |= uint64_t{byte & 0x7fu} << shift;
      shift += 7;
      if ((byte & 0x80u) != 0) continue;
      if ((byte & 0x40u) != 0) value |= ~uint64_t{0} << shift;
      return static_cast<int64_t>(value);
    }
    fail();
    return 0;
  }

  // The next `bytes` on their own; this goes on behind them.
  Bytes part(uint64_t bytes) {
    const uintptr_t begin = at_;
    skip(bytes);
    if (!ok_) return Bytes();
    return Bytes(begin, at_);
  }

 private:
  uintptr_t at_ = 0;
  uintptr_t end_ = 0;
  bool ok_ = true;
};

// How a table writes an address (DW_EH_PE_...).
constexpr uint8_t kAbsent = 0xff;
constexpr uint8_t kRelativeToPlace = 0x10;
constexpr uint8_t kIndirect = 0x80;

uintptr_t encoded(Bytes* bytes, uint8_t encoding) {
  const uintptr_t place = bytes->at();
  uint64_t value = 0;
  switch (encoding & 0x0fu) {
    case 0x00:
    case 0x04:
    case 0x0c:
      value = bytes->number<uint64_t>();
      break;
    case 0x02:
      value = bytes->number<uint16_t>();
      break;
    case 0x03:
      value = bytes->number<uint32_t>();
      break;
    case 0x0a:
      value = static_cast<uint64_t>(int64_t{bytes->number<int16_t>()});
      break;
    case 0x0b:
      value = static_cast<uint64_t>(int64_t{bytes->number<int32_t>()});
      break;
    default:
      bytes->fail();
  }
  const uint8_t relative = encoding & 0x70u;
  if (relative == kRelativeToPlace) return value + place;
  if (relative != 0) bytes->fail();
  return value;
}

// --- finding the entry of a function -------------------------------------------------------------

struct Tables {
  uintptr_t wanted;
  Bytes index;           // .eh_frame_hdr
  uintptr_t part_begin;  // the loaded part that .eh_frame lies in
  uintptr_t part_end;
};

bool holds(const dl_phdr_info& info, const ElfW(Phdr) & part, uintptr_t address) {
  const uintptr_t begin = info.dlpi_addr + part.p_vaddr;
  return part.p_type == PT_LOAD && address >= begin && address - begin < part.p_memsz;
}

int find_tables(dl_phdr_info* info, size_t, void* given) {
  auto& tables = *static_cast<Tables*>(given);
  bool is_here = false;
  const ElfW(Phdr)* index = nullptr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    is_here = is_here || holds(*info, part, tables.wanted);
    if (part.p_type == PT_GNU_EH_FRAME) index = &part;
  }
  if (!is_here) return 0;
  if (index == nullptr) return 1;
  const uintptr_t begin = info->dlpi_addr + index->p_vaddr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    if ((part.p_flags & PF_R) == 0 || !holds(*info, part, begin)) continue;
    tables.part_begin = info->dlpi_addr + part.p_vaddr;
    tables.part_end = tables.part_begin + part.p_memsz;
    const uintptr_t end = begin + index->p_memsz;
    tables.index = Bytes(begin, end < tables.part_end ? end : tables.part_end);
  }
  return 1;
}

// Both numbers of a row of the index are relative to its begin.
struct Row {
  int32_t function;
  int32_t entry;
};

// Linkers write the index in one way only: sorted, with 4 bytes a number, relative to itself.
constexpr uint8_t kSortedIndex = 0x3b;

uintptr_t find_entry(const Tables& tables) {
  Bytes index = tables.index;
  const uintptr_t begin = index.at();
  if (index.number<uint8_t>() != 1) return 0;
  const auto frame_encoding = index.number<uint8_t>();
  const auto count_encoding = index.number<uint8_t>();
  if (index.number<uint8_t>() != kSortedIndex || count_encoding == kAbsent) return 0;
  encoded(&index, frame_encoding);
  uint64_t count = encoded(&index, count_encoding);
  const uint64_t room = (index.end() - index.at()) / sizeof(Row);
  if (!index.ok() || count == 0) return 0;
  if (count > room) count = room;
  const auto row = [&](uint64_t at) {
    Row found;
    std::memcpy(&found, reinterpret_cast<const void*>(index.at() + at * sizeof found),
                sizeof found);
    return found;
  };
  const auto wanted = static_cast<int64_t>(tables.wanted - begin);
  uint64_t low = 0;
  uint64_t high = count;  // rows before low begin at or before the place, those from high on behind
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (row(middle).function <= wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low == 0 ? 0 : begin + static_cast<uintptr_t>(int64_t{row(low - 1).entry});
}

// --- the entry -----------------------------------------------------------------------------------

struct Entry {
  Bytes shared_program;  // of the common entry (CIE)
  Bytes program;
  uintptr_t function = 0;
  uint64_t code_factor = 1;
  int64_t data_factor = 1;
  uint8_t encoding = 0;
};

Bytes record_at(const Tables& tables, uintptr_t address) {
  if (address < tables.part_begin || address >= tables.part_end) return Bytes();
  Bytes bytes(address, tables.part_end);
  const auto length = bytes.number<uint32_t>();
  if (length == 0 || length == UINT32_MAX) bytes.fail();  // the end, or one of 4 GB and more
  return bytes.part(length);
}

// The letters after 'z', each of which has something in the data that follows.
bool read_augmentation(Bytes letters, Bytes data, Entry* entry) {
  while (!letters.done()) {
    switch (letters.number<char>()) {
      case 'R':
        entry->encoding = data.number<uint8_t>();
        break;
      case 'P':
        encoded(&data, data.number<uint8_t>() & 0x7fu);
        break;
      case 'L':
        data.skip(1);
        break;
      case 'B':
        break;
      default:  // also 'S', a frame that a signal was handled on
        return false;
    }
  }
  return data.ok() && (entry->encoding & kIndirect) == 0;
}

bool read_common(Bytes record, Entry* entry) {
  if (record.number<uint32_t>() != 0) return false;  // is one
  const auto version = record.number<uint8_t>();
  if (version != 1 && version != 3) return false;
  const uintptr_t text = record.at();
  while (record.ok() && record.number<char>() != '\0') {
  }
  Bytes letters(text, record.at() - 1);
  entry->code_factor = record.unsigned_leb();
  entry->data_factor = record.signed_leb();
  const uint64_t returns_in = version == 1 ? record.number<uint8_t>() : record.unsigned_leb();
  if (!record.ok() || returns_in != 16) return false;
  if (!letters.done()) {
    if (letters.number<char>() != 'z') return false;
    const uint64_t bytes = record.unsigned_leb();
    if (!read_augmentation(letters, record.part(bytes), entry)) return false;
  }
  entry->shared_program = record;
  return record.ok();
}

bool read_entry(const Tables& tables, Entry* entry) {
  const uintptr_t address = find_entry(tables);
  Bytes record = record_at(tables, address);
  const uintptr_t place = record.at();
  const auto back = record.number<uint32_t>();
  if (!record.ok() || back == 0 || !read_common(record_at(tables, place - back), entry)) {
    return false;
  }
  entry->function = encoded(&record, entry->encoding);
  const uintptr_t bytes = encoded(&record, entry->encoding & 0x0fu);
  record.skip(record.unsigned_leb());  // of the augmentation
  entry->program = record;
  return record.ok() && tables.wanted - entry->function < bytes;
}

// --- its instructions ----------------------------------------------------------------------------

constexpr uint64_t kRbp = 6;
constexpr uint64_t kRsp = 7;
constexpr uint64_t kReturn = 16;

// What is known at one place of a function.
struct State {
  FrameRule rule;
  bool returns = false;  // the return address is just below the end of the frame
};

class Machine {
 public:
  explicit Machine(const Entry& entry) : entry_(entry), place_(entry.function) {}

  FrameRule at(uintptr_t wanted) {
    bool understood = run(entry_.shared_program, UINTPTR_MAX);
    initial_ = state_;
    understood = understood && run(entry_.program, wanted);
    return understood && state_.returns ? state_.rule : FrameRule();
  }

 private:
  // False if there is something that we do not understand.
  bool run(Bytes program, uintptr_t wanted) {
    while (!program.done()) {
      const auto code = program.number<uint8_t>();
      if (advances(code, &program)) {
        if (place_ > wanted) return program.ok();
      } else if (!apply(code, &program)) {
        return false;
      }
    }
    return program.ok();
  }

  bool advances(uint8_t code, Bytes* program) {
    uint64_t units = 0;
    switch (code) {
      case 0x02:
        units = program->number<uint8_t>();
        break;
      case 0x03:
        units = program->number<uint16_t>();
        break;
      case 0x04:
        units = program->number<uint32_t>();
        break;
      default:
        if ((code & 0xc0u) != 0x40) return false;
        units = code & 0x3fu;
    }
    place_ += units * entry_.code_factor;
    return true;
  }

  bool apply(uint8_t code, Bytes* program) {
    const uint64_t low = code & 0x3fu;
    switch (code & 0xc0u) {
      case 0x80:
        return save(low, static_cast<int64_t>(program->unsigned_leb()) * entry_.data_factor);
      case 0xc0:
        return restore(low);
      default:
        return apply_other(code, program);
    }
  }

  bool apply_other(uint8_t code, Bytes* program) {
    uint64_t which = 0;
    switch (code) {
      case 0x00:  // nop
        return true;
      case 0x05:  // offset_extended
        which = program->unsigned_leb();
        return save(which, static_cast<int64_t>(program->unsigned_leb()) * entry_.data_factor);
      case 0x11:  // offset_extended_sf
        which = program->unsigned_leb();
        return save(which, program->signed_leb() * entry_.data_factor);
      case 0x06:  // restore_extended
        return restore(program->unsigned_leb());
      case 0x07:  // undefined
        return lose(program->unsigned_leb());
      case 0x08:  // same_value
        return restore_unchanged(program->unsigned_leb());
      case 0x0a:  // remember_state
        if (depth_ == kMostStates) return false;
        states_[depth_++] = state_;
        return true;
      case 0x0b:  // restore_state
        if (depth_ == 0) return false;
        state_ = states_[--depth_];
        return true;
      case 0x0c:  // def_cfa
        which = program->unsigned_leb();
        return ends_at(which, static_cast<int64_t>(program->unsigned_leb()));
      case 0x12:  // def_cfa_sf
        which = program->unsigned_leb();
        return ends_at(which, program->signed_leb() * entry_.data_factor);
      case 0x0d:  // def_cfa_register
        return ends_at(program->unsigned_leb(), state_.rule.offset);
      case 0x0e:  // def_cfa_offset
        return ends_at_offset(static_cast<int64_t>(program->unsigned_leb()));
      case 0x13:  // def_cfa_offset_sf
        return ends_at_offset(program->signed_leb() * entry_.data_factor);
      case 0x0f:  // def_cfa_expression
        return ends_where(program->part(program->unsigned_leb()));
      case 0x10:  // expression
        which = program->unsigned_leb();
        return save_where(which, program->part(program->unsigned_leb()));
      case 0x09:  // register
      case 0x14:  // val_offset
        which = program->unsigned_leb();
        program->unsigned_leb();
        return lose(which);
      case 0x16:  // val_expression
        which = program->unsigned_leb();
        program->skip(program->unsigned_leb());
        return lose(which);
      case 0x2e:  // GNU_args_size
        program->unsigned_leb();
        return true;
      default:
        return false;
    }
  }

  bool save(uint64_t which, int64_t offset) {
    if (which == kReturn) state_.returns = offset == -8;
    if (which != kRbp) return true;
    state_.rule.rbp = FrameRule::Saved::in_frame;
    state_.rule.saved = static_cast<int16_t>(offset);
    return offset == state_.rule.saved;
  }

  bool restore(uint64_t which) {
    if (which == kReturn) state_.returns = initial_.returns;
    if (which != kRbp) return true;
    state_.rule.rbp = initial_.rule.rbp;
    state_.rule.saved = initial_.rule.saved;
    return true;
  }

  bool restore_unchanged(uint64_t which) {
    if (which == kRbp) state_.rule.rbp = FrameRule::Saved::unchanged;
    return which != kReturn;
  }

  // The return address of the outermost function is undefined. A lost rbp matters to callers only
  // if they use it, but nobody could tell.
  bool lose(uint64_t which) {
    if (which == kReturn) state_.returns = false;
    return which != kRbp;
  }

  bool ends_at(uint64_t which, int64_t offset) {
    state_.rule.base = which == kRsp   ? FrameRule::Base::rsp
                       : which == kRbp ? FrameRule::Base::rbp
                                       : FrameRule::Base::none;
    return ends_at_offset(offset);
  }

  bool ends_at_offset(int64_t offset) {
    state_.rule.offset = static_cast<int32_t>(offset);
    return offset == state_.rule.offset;
  }

  // rbp + number; then perhaps "what lies there".
  static bool is_from_rbp(Bytes* expression, int64_t* offset) {
    if (expression->number<uint8_t>() != 0x70 + kRbp) return false;
    *offset = expression->signed_leb();
    return expression->ok();
  }

  bool ends_where(Bytes expression) {
    int64_t offset = 0;
    const bool known = is_from_rbp(&expression, &offset) && expression.number<uint8_t>() == 0x06 &&
                       expression.done();
    state_.rule.base = known ? FrameRule::Base::at_rbp : FrameRule::Base::none;
    return ends_at_offset(offset);
  }

  bool save_where(uint64_t which, Bytes expression) {
    if (which == kReturn) state_.returns = false;
    if (which != kRbp) return true;
    int64_t offset = 0;
    if (!is_from_rbp(&expression, &offset) || !expression.done()) return false;
    state_.rule.rbp = FrameRule::Saved::at_rbp;
    state_.rule.saved = static_cast<int16_t>(offset);
    return offset == state_.rule.saved;
  }

  static constexpr int kMostStates = 8;

  const Entry& entry_;
  uintptr_t place_;
  State state_;
  State initial_;
  State states_[kMostStates];
  int depth_ = 0;
};

}  // namespace

FrameRule find_frame_rule(uintptr_t address) {
  // The call itself is before its return address, and may be the last of its function.
  Tables tables{address - 1, {}, 0, 0};
  dl_iterate_phdr(find_tables, &tables);
  Entry entry;
  if (tables.index.done() || !read_entry(tables, &entry)) return FrameRule();
  return Machine(entry).at(tables.wanted);
}

}  // namespace greta::recorder
