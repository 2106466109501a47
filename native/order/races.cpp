#include "order/races.h"

namespace greta::order {
namespace {

constexpr uint64_t most_rows_of_a_rectangle = 4096;
constexpr size_t most_candidates = 64;  // of one operation
constexpr int64_t visits_of_an_access = 16;
constexpr int64_t least_visits = int64_t{1} << 24;

uint64_t end_of(uint64_t begin, uint64_t bytes) {
  return bytes > UINT64_MAX - begin ? UINT64_MAX : begin + bytes;
}

bool writes(const Touch& touch) { return touch.mode != Mode::read; }
bool may_write(const Touch& touch) { return touch.mode == Mode::may_write; }
bool surely_writes(const Touch& touch) {
  return touch.mode == Mode::write || touch.mode == Mode::atomic ||
         (touch.accesses && touch.output);
}
bool is_known(const greta_access& access, Known what) {
  return (access.known & static_cast<uint8_t>(what)) != 0;
}

uint8_t kind_of_conflict(const Touch& first, const Touch& second) {
  if (first.access == none) return GRETA_USED_BEFORE_ALLOCATED;
  if (!writes(first)) return GRETA_WRITE_AFTER_READ;
  // Who may write uses what is there as well: a kernel that works in place.
  return second.mode == Mode::write ? GRETA_WRITE_AFTER_WRITE : GRETA_READ_AFTER_WRITE;
}

// Whether both use the memory, and one of them is known to write there.
bool surely_collide(const Touch& first, const Touch& second) {
  if (!first.accesses || !second.accesses) return false;
  if (first.access == none || second.access == none) return true;  // an allocation, a free
  if (may_write(first) && may_write(second)) {
    // Two kernels that both add to it atomically are right; to what nobody wrote, none adds.
    return first.output || second.output;
  }
  return (writes(first) && surely_writes(first)) || (writes(second) && surely_writes(second));
}

}  // namespace

Races::Races(const greta_tables& tables, ConflictList& list)
    : tables_(tables),
      list_(list),
      timeline_(tables),
      shadows_(tables.allocation_count),
      visits_left_(least_visits + visits_of_an_access * tables.access_count) {}

void Races::fold(greta_summary& summary) {
  Row row = 0;
  try {
    for (; row < tables_.operation_count; ++row) {
      pass_row(tables_, row);
      take(row);
    }
  } catch (const TooMuchWork&) {
    // What was found until here stands.
  }
  summary = counts_;
  summary.rows = row;
  summary.unknown_streams = timeline_.unknown_streams;
  summary.unknown_events = timeline_.unknown_events;
  list_.write_counts(summary);
}

void Races::take(Row row) {
  const Position& position = timeline_.enter(row);
  position_ = &position;
  Range accesses = access_rows(row);
  if (position.ran) {
    switch (kind_of(tables_.operations[row])) {
      case Kind::copy:
      case Kind::fill:
      case Kind::launch:
      case Kind::graph_launch:
      case Kind::host_touch:
        take_accesses(row, accesses.begin, accesses.end);
        break;
      case Kind::allocate:
        take_allocation(row);
        break;
      case Kind::free:
        take_free(row);
        break;
      default:
        break;
    }
    report();
  }
  timeline_.leave(row);
}

// Each access belongs to one operation, whatever the table says.
Races::Range Races::access_rows(Row row) {
  int64_t count = tables_.access_count;
  bool is_last = row + 1 == tables_.operation_count;
  int64_t end = is_last ? count : tables_.operations[row + 1].first_access;
  int64_t begin = std::clamp<int64_t>(tables_.operations[row].first_access, next_access_, count);
  next_access_ = std::clamp(end, begin, count);
  return {static_cast<uint64_t>(begin), static_cast<uint64_t>(next_access_)};
}

void Races::take_accesses(Row row, int64_t begin, int64_t end) {
  if (!passing_.empty()) forget_passed();
  while (begin < end) {
    // The accesses of one call; a graph launch has those of several.
    int64_t group_end = begin;
    const greta_access* written = nullptr;
    bool sole = true;
    for (; group_end < end; ++group_end) {
      const greta_access& access = tables_.accesses[group_end];
      if (access.origin != tables_.accesses[begin].origin) break;
      if (static_cast<Mode>(access.mode) == Mode::read) continue;
      sole = sole && (written == nullptr ||
                      (written->allocation == access.allocation && written->block == access.block));
      written = &access;
    }
    for (; begin < group_end; ++begin) take_access(row, static_cast<Row>(begin), sole);
  }
  if (is_led_) led_by_memory_ = row;
  is_led_ = false;
}

void Races::take_access(Row row, Row number, bool sole) {
  const greta_access& access = tables_.accesses[number];
  if (!matters(row, access)) return;
  auto mode = static_cast<Mode>(access.mode);
  count(row, access);
  note_if_the_host_may_poll(access);
  Touch touch = touch_here(row, number, mode);
  touch.sole = sole && mode == Mode::may_write;
  note_what_is_known(touch, access);
  note_if_it_may_write_anywhere(access);
  Range whole = perhaps_reached(access);
  if (whole.begin >= whole.end) return;
  Shadow& shadow = shadow_of(access.allocation);
  bool is_rectangle = access.pitch > access.width && access.width > 0;
  uint64_t rows = is_rectangle ? (whole.end - whole.begin) / access.pitch + 1 : 1;
  if (visits_left_ <= 0 || rows > most_rows_of_a_rectangle) {
    ++counts_.inexact;
    if (mode != Mode::read) note_content(touch, access);  // it is a writer all the same
    return;
  }
  uint64_t at = is_rectangle ? access.address : whole.begin;
  for (uint64_t i = 0; i < rows; ++i) {
    uint64_t end = is_rectangle ? end_of(at, access.width) : whole.end;
    Range range{std::max(at, whole.begin), std::min(end, whole.end)};
    if (range.begin < range.end) take_range(touch, access.allocation, shadow, range);
    at = end_of(at, access.pitch);
  }
  if (mode != Mode::read) note_content(touch, access);
}

// Of what was not seen, a launch may write to any memory that there is.
void Races::note_if_it_may_write_anywhere(const greta_access& access) {
  const greta_allocation* allocation = allocation_at(tables_, access.allocation);
  bool is_symbol = allocation != nullptr && allocation->memory == memory_symbol;
  has_written_symbol_ |= is_symbol && static_cast<Mode>(access.mode) != Mode::read;
  bool may_lead = has_written_symbol_ || access.role == role_struct_word;
  may_lead |= access.element == 0 || is_known(access, Known::pointers);
  is_led_ |= is_estimated(access) && may_lead;
}

void Races::note_content(const Touch& touch, const greta_access& access) {
  if (access.allocation < 0) return;
  Content& content = shadow_of(access.allocation).contents[access.block];
  Bounds bounds = bounds_of(access);
  Range range = clipped(access);
  if (touch.reach != Reach::all && bounds.known) {
    range = {bounds.address, end_of(bounds.address, bounds.bytes)};
  }
  content.begin = std::min(content.begin, range.begin);
  content.end = std::max(content.end, range.end);
  for (const Touch& known : content.writers) {
    if (known.queue == touch.queue && known.on_host == touch.on_host) return;
  }
  content.writers.push_back(touch);
}

// A kernel may raise a flag for the host, behind all that is on its stream by now.
void Races::note_if_the_host_may_poll(const greta_access& access) {
  const greta_allocation* allocation = allocation_at(tables_, access.allocation);
  bool is_kernels = is_estimated(access) || access.role == role_footprint;
  bool is_flag = allocation != nullptr && is_of_host(*allocation) && is_kernels &&
                 static_cast<Mode>(access.mode) != Mode::read;
  if (is_flag && position_->stream != nullptr) timeline_.note_poll(*position_);
}

void Races::count(Row row, const greta_access& access) {
  auto mode = static_cast<Mode>(access.mode);
  counts_.reads += mode == Mode::read;
  counts_.writes += mode == Mode::write;
  counts_.may_writes += mode == Mode::may_write;
  if (access.role != role_source && access.role != role_destination) return;
  (mode == Mode::read ? counts_.transfer_reads : counts_.transfer_writes)++;
  const greta_allocation* allocation = allocation_at(tables_, access.allocation);
  bool waits = static_cast<Waits>(tables_.operations[row].waits) == Waits::for_it;
  if (waits || allocation == nullptr || !is_of_host(*allocation)) return;
  (mode == Mode::read ? counts_.host_sources : counts_.host_destinations)++;
}

bool Races::matters(Row row, const greta_access& access) const {
  auto mode = static_cast<Mode>(access.mode);
  if (access.operation != int64_t{row} || access.role == role_freed) return false;
  if (mode < Mode::read || mode > Mode::atomic || is_known(access, Known::followed)) return false;
  const greta_allocation* allocation = allocation_at(tables_, access.allocation);
  // Memory that HIP does not know is the host's, or it is a bad pointer and no race.
  if (allocation == nullptr) {
    return access.allocation == -1 && static_cast<Space>(access.space) == Space::host;
  }
  bool is_gone = allocation->freed_at >= 0 && allocation->freed_at <= row;
  return !is_gone && allocation->made_at <= row;
}

Races::Range Races::clipped(const greta_access& access) const {
  Range range{access.address, end_of(access.address, access.bytes)};
  const greta_allocation* allocation = allocation_at(tables_, access.allocation);
  if (allocation == nullptr) return range;
  range.begin = std::max(range.begin, allocation->address);
  if (allocation->known_bytes) {
    range.end = std::min(range.end, end_of(allocation->address, allocation->bytes));
  }
  return range;
}

// What a pointer is meant for: the announced block that it is in, else the allocation.
Races::Bounds Races::bounds_of(const greta_access& access) const {
  if (const greta_block* block = block_of(tables_, access)) {
    return {block->address, block->bytes, true};
  }
  const greta_allocation* allocation = allocation_at(tables_, access.allocation);
  if (allocation == nullptr) return {0, 0, false};
  return {allocation->address, allocation->bytes, allocation->known_bytes != 0};
}

bool Races::is_at_start(const greta_access& access) const {
  Bounds bounds = bounds_of(access);
  return bounds.known && bounds.address == access.address;
}

// A kernel that is given the start of a buffer and numbers may be told by them where to go.
Races::Range Races::perhaps_reached(const greta_access& access) const {
  if (!is_estimated(access) || is_known(access, Known::plain) || access.bytes == 0) {
    return clipped(access);
  }
  if (!is_at_start(access)) return clipped(access);
  return {access.address, end_of(access.address, bounds_of(access).bytes)};
}

void Races::note_what_is_known(Touch& touch, const greta_access& access) const {
  if (!is_estimated(access)) return;
  Bounds bounds = bounds_of(access);
  bool is_one_element = bounds.known && bounds.bytes <= std::max<uint64_t>(access.element, 1);
  touch.reach = is_one_element && is_at_start(access) ? Reach::whole : Reach::guess;
  touch.accesses = is_known(access, Known::accessed);
  touch.output = tables_.outputs != nullptr && tables_.outputs[touch.access] != 0;
}

// Wherever in its own buffer the other is, it meets this one.
bool Races::covers(const Touch& touch, const Touch& other, int32_t number) const {
  if (touch.access == none) return true;
  const greta_allocation* allocation = allocation_at(tables_, number);
  Bounds all{0, 0, false};
  if (allocation != nullptr) {
    all = {allocation->address, allocation->bytes, allocation->known_bytes != 0};
  }
  if (other.access != none) all = bounds_of(tables_.accesses[other.access]);
  if (!all.known) return false;
  Range range{all.address, end_of(all.address, all.bytes)};
  if (touch.reach == Reach::all) return contains(touch, range);
  Bounds own = bounds_of(tables_.accesses[touch.access]);
  return touch.reach == Reach::whole && own.address <= range.begin &&
         end_of(own.address, own.bytes) >= range.end;
}

bool Races::contains(const Touch& touch, Range range) const {
  const greta_access& access = tables_.accesses[touch.access];
  return access.pitch <= access.width && access.address <= range.begin &&
         end_of(access.address, access.bytes) >= range.end;
}

// Whoever reads takes what somebody wrote: it meets a writer that leaves out none of that.
bool Races::surely_meet(const Touch& first, const Touch& second, int32_t allocation) {
  if (first.reach == Reach::all && second.reach == Reach::all) return true;
  if (covers(first, second, allocation) || covers(second, first, allocation)) return true;
  if (writes(first) == writes(second) || !history_is_known(allocation)) return false;
  const Touch& writer = writes(first) ? first : second;
  const Touch& reader = writes(first) ? second : first;
  if (writer.reach != Reach::all || reader.access == none) return false;
  Range all{UINT64_MAX, 0};
  for_contents(reader, allocation, [&](const Content& content) {
    all = {std::min(all.begin, content.begin), std::max(all.end, content.end)};
  });
  return all.begin < all.end && contains(writer, all);
}

// All that it can take was written by work that it does not wait for; or by nobody.
bool Races::reads_what_nobody_else_wrote(const Touch& writer, const Touch& reader,
                                         int32_t allocation) {
  bool is_read = reader.access != none && !writes(reader) && reader.accesses;
  if (!is_read || writer.access == none || !history_is_known(allocation)) return false;
  Range own = clipped(tables_.accesses[writer.access]);
  Range read = clipped(tables_.accesses[reader.access]);
  bool is_sole = own.begin < read.end && read.begin < own.end;  // by what they are likely to reach
  for_contents(reader, allocation, [&](const Content& content) {
    for (const Touch& one : content.writers) {
      is_sole = is_sole && one.queue == writer.queue && !is_before(one);
    }
  });
  return is_sole;
}

// Whether everybody who may have written to an allocation since it was made has been seen.
bool Races::history_is_known(int32_t number) const {
  const greta_allocation* allocation = allocation_at(tables_, number);
  bool is_fresh = allocation != nullptr && tables_.fresh != nullptr && tables_.fresh[number] != 0;
  return is_fresh && led_by_memory_ < allocation->made_at;
}

// What is in the buffer of an access: in its block and in what is in none, or in all.
template <typename Take>
void Races::for_contents(const Touch& touch, int32_t allocation, Take take) {
  auto& contents = shadow_of(allocation).contents;
  uint32_t own = tables_.accesses[touch.access].block;
  if (own == 0) {
    for (auto& [block, content] : contents) take(content);
    return;
  }
  for (uint32_t block : {uint32_t{0}, own}) {
    auto found = contents.find(block);
    if (found != contents.end()) take(found->second);
  }
}

Shadow& Races::shadow_of(int32_t allocation) {
  if (allocation < 0) return outside_;
  auto& shadow = shadows_[allocation];
  if (shadow == nullptr) shadow = std::make_unique<Shadow>();
  return *shadow;
}

Touch Races::touch_here(Row row, Row access, Mode mode) const {
  Touch touch;
  touch.row = row;
  touch.access = access;
  touch.mode = mode;
  touch.on_host = position_->stream == nullptr;
  if (position_->stream != nullptr) {
    touch.queue = position_->stream->queue;
    touch.index = position_->index;
    touch.on_host = access != none && tables_.accesses[access].at_call;
  }
  return touch;
}

void Races::take_range(const Touch& touch, int32_t allocation, Shadow& shadow, Range range) {
  size_t visits = shadow.visit(range.begin, range.end, [&](uint64_t begin, Segment& segment) {
    compare(segment, begin, touch, allocation);
    update(segment, touch);
  });
  visits_left_ -= static_cast<int64_t>(visits);
  if (touch.mode == Mode::write && visits > 1) shadow.unite(range.begin, range.end);
  if (allocation < 0 && touch.on_host) passing_.push_back({touch.row, range});
}

void Races::compare(Segment& segment, uint64_t begin, const Touch& touch, int32_t allocation) {
  if (segment.write.row != none) {
    if (is_over_for_all(segment.write)) {
      segment.write = Touch{};
    } else {
      compare_with(segment.write, touch, segment, begin, allocation);
    }
  }
  auto& others = segment.others;
  auto over = [&](const Touch& other) { return is_over_for_all(other); };
  others.erase(std::remove_if(others.begin(), others.end(), over), others.end());
  for (const Touch& other : others) {
    if (writes(touch) || writes(other)) compare_with(other, touch, segment, begin, allocation);
  }
}

void Races::compare_with(const Touch& first, const Touch& second, const Segment& segment,
                         uint64_t begin, int32_t allocation) {
  bool are_atomic = first.mode == Mode::atomic && second.mode == Mode::atomic;
  if (first.row == second.row || are_atomic || is_before(first)) return;
  uint8_t kind =
      second.access == none ? uint8_t{GRETA_FREED_IN_FLIGHT} : kind_of_conflict(first, second);
  Range range{begin, segment.end};
  bool sure = (surely_collide(first, second) && surely_meet(first, second, allocation)) ||
              reads_what_nobody_else_wrote(first, second, allocation);
  Candidate found{first, second, allocation, range, kind, segment.copied, sure};
  for (Candidate& known : candidates_) {
    if (known.first.row == first.row && known.kind == kind && known.allocation == allocation) {
      if (sure && !known.sure) known = found;
      return;
    }
  }
  if (candidates_.size() == most_candidates) {
    list_.leave_off();
    return;
  }
  candidates_.push_back(found);
}

void Races::update(Segment& segment, const Touch& touch) const {
  if (touch.mode == Mode::write) {
    segment.write = touch;
    segment.others.clear();
    segment.copied = kind_of(tables_.operations[touch.row]) == Kind::copy;
    return;
  }
  if (touch.sole) segment.copied = false;
  for (Touch& other : segment.others) {
    bool is_same = other.queue == touch.queue && other.mode == touch.mode &&
                   other.on_host == touch.on_host && touch.queue != none &&
                   other.reach == touch.reach && other.accesses == touch.accesses;
    if (!is_same) continue;
    other = touch;
    return;
  }
  segment.others.push_back(touch);
}

// Whatever comes later begins after it.
bool Races::is_over_for_all(const Touch& touch) const {
  if (touch.on_host && timeline_.has_returned(touch.row)) return true;
  return touch.queue != none && timeline_.host_knows(touch.queue, touch.index);
}

bool Races::is_before(const Touch& touch) {
  if (touch.on_host && timeline_.has_returned(touch.row)) return true;
  return touch.queue != none && timeline_.before(touch.queue, touch.index) != nullptr;
}

// ---- memory that comes and goes

void Races::take_allocation(Row row) {
  int32_t number = tables_.operations[row].allocation;
  const greta_allocation* allocation = allocation_at(tables_, number);
  if (allocation == nullptr || position_->stream == nullptr || !allocation->known_bytes) return;
  Range range{allocation->address, end_of(allocation->address, allocation->bytes)};
  if (range.begin >= range.end) return;
  take_range(touch_here(row, none, Mode::write), number, shadow_of(number), range);
}

void Races::take_free(Row row) {
  int32_t number = tables_.operations[row].allocation;
  if (allocation_at(tables_, number) == nullptr) return;
  ++counts_.frees;
  auto& shadow = shadows_[number];
  if (shadow == nullptr) return;
  Touch freed = touch_here(row, none, Mode::write);
  for (auto& [first, segment] : shadow->segments()) {
    if (segment.write.access != none && segment.write.row != none) {
      compare_with(segment.write, freed, segment, first, number);
    }
    for (const Touch& other : segment.others) compare_with(other, freed, segment, first, number);
  }
  shadow = nullptr;
}

void Races::forget_passed() {
  auto has_passed = [&](const Passing& passing) {
    if (!timeline_.has_returned(passing.row)) return false;
    outside_.forget(passing.range.begin, passing.range.end, passing.row);
    return true;
  };
  passing_.erase(std::remove_if(passing_.begin(), passing_.end(), has_passed), passing_.end());
}

// ---- what was found

void Races::report() {
  for (const Candidate& candidate : candidates_) {
    greta_conflict conflict{};
    conflict.first = candidate.first.row;
    conflict.second = candidate.second.row;
    conflict.first_access = candidate.first.access == none ? -1 : int64_t{candidate.first.access};
    conflict.second_access =
        candidate.second.access == none ? -1 : int64_t{candidate.second.access};
    conflict.address = candidate.range.begin;
    conflict.bytes = candidate.range.end - candidate.range.begin;
    conflict.allocation = candidate.allocation;
    conflict.kind = candidate.kind;
    conflict.flags = flags_of(candidate);
    bool is_sure = leaves_no_doubt(candidate, conflict.flags);
    list_.add(conflict, shared_block(candidate), tables_.operations[conflict.first].stream,
              tables_.operations[conflict.second].stream, is_sure);
    if (is_sure && candidate.first.queue != none && !candidate.first.on_host) {
      timeline_.assume_waited(candidate.first.queue, candidate.first.index);
    }
  }
  candidates_.clear();
}

// The block that both are in; 0: there is none.
uint32_t Races::shared_block(const Candidate& candidate) const {
  if (candidate.first.access == none || candidate.second.access == none) return 0;
  uint32_t first = tables_.accesses[candidate.first.access].block;
  return first == tables_.accesses[candidate.second.access].block ? first : 0;
}

uint8_t Races::flags_of(const Candidate& candidate) const {
  const Touch& first = candidate.first;
  const Touch& second = candidate.second;
  uint8_t flags = candidate.sure ? 0 : GRETA_DOUBTFUL;
  if (may_write(first)) flags |= GRETA_FIRST_MAY_WRITE;
  if (may_write(second)) flags |= GRETA_SECOND_MAY_WRITE;
  if (first.sole) flags |= GRETA_FIRST_SOLE;
  if (candidate.copied) flags |= GRETA_CONTENT_COPIED;
  if (first.on_host) flags |= GRETA_FIRST_ON_HOST;
  if (first.queue != none && timeline_.callback_after(first.queue, first.index)) {
    flags |= GRETA_CALLBACK;
  }
  if (first.queue != none && timeline_.polled_after(first.queue, first.index)) {
    flags |= GRETA_POLLED;
  }
  return flags;
}

// One missing wait is one fault: what that wait would have ordered as well is not reported again.
// Where it is not sure that there is a fault, nothing is assumed.
bool Races::leaves_no_doubt(const Candidate& candidate, uint8_t flags) const {
  const Touch& first = candidate.first;
  const Touch& second = candidate.second;
  if ((flags & (GRETA_CALLBACK | GRETA_POLLED | GRETA_DOUBTFUL)) != 0) return false;
  if (!may_write(first) || !may_write(second)) return true;
  // The same kernel may be told by a number to write elsewhere.
  int32_t kernel = tables_.operations[first.row].kernel;
  bool is_same = kernel >= 0 && kernel == tables_.operations[second.row].kernel;
  return !is_same;
}

}  // namespace greta::order
