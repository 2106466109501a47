#include "order/outputs.h"

#include <algorithm>

namespace greta::order {

namespace {

bool is_known(const greta_access& access, Known what) {
  return (access.known & static_cast<uint8_t>(what)) != 0;
}

bool may_write(const greta_access& access) { return static_cast<Mode>(access.mode) != Mode::read; }

bool surely_reads(const greta_access& access) {
  bool uses = !is_estimated(access) || is_known(access, Known::accessed);
  return uses && static_cast<Mode>(access.mode) == Mode::read;
}

}  // namespace

Outputs::Outputs(const greta_tables& tables, int64_t last)
    : tables_(tables), last_(last), stories_(tables.allocation_count) {}

void Outputs::mark(uint8_t* outputs) {
  int64_t row = -1;
  for (int64_t at = 0; at < tables_.access_count; ++at) {
    pass_row(tables_, at);
    const greta_access& access = tables_.accesses[at];
    if (access.operation < 0 || access.operation >= tables_.operation_count) continue;
    if (access.operation != row) end_operation(row);
    row = access.operation;
    const greta_operation& operation = tables_.operations[row];
    if (row <= last_ && operation.captured == 0 && operation.failed == 0) take(access);
  }
  end_operation(row);
  if (found_.empty()) return;
  for (int64_t at = 0; at < tables_.access_count; ++at) {
    pass_row(tables_, at);
    const greta_access& access = tables_.accesses[at];
    if (access.operation < 0 || access.operation >= tables_.operation_count) continue;
    if (!is_estimated(access) || !may_write(access)) continue;
    outputs[at] = found_.count(pointer_of(access)) != 0;
  }
}

void Outputs::take(const greta_access& access) {
  is_led_ = is_led_ || may_be_led(access);
  const greta_allocation* allocation = allocation_at(tables_, access.allocation);
  if (allocation == nullptr || access.bytes == 0) return;
  Story& story = stories_[access.allocation];
  if (story.writer != unknown && access.operation > story.first_write &&
      pointer_of(access) != story.writer) {
    if (!story.is_next) used_next_.push_back(access.allocation);
    story.is_next = true;
    story.reads = story.reads && surely_reads(access);
  }
  if (!may_write(access)) return;
  if (allocation->memory == memory_symbol && symbol_written_ < 0) {
    symbol_written_ = access.operation;
  }
  take_write(access, story);
}

void Outputs::take_write(const greta_access& access, Story& story) {
  if (story.first_write < 0) story.first_write = access.operation;
  if (story.first_write != access.operation || !is_estimated(access)) return;
  bool is_fresh = tables_.fresh != nullptr && tables_.fresh[access.allocation] != 0;
  if (!is_fresh || led_by_memory_ >= tables_.allocations[access.allocation].made_at) return;
  Pointer pointer = pointer_of(access);
  if (story.writer != unknown && story.writer != pointer) story.by_several = true;
  story.by_several = story.by_several || pointer < 0;
  story.writer = story.by_several ? unknown : pointer;
}

void Outputs::end_operation(int64_t row) {
  for (int32_t allocation : used_next_) {
    Story& story = stories_[allocation];
    if (story.reads) found_.insert(story.writer);
    story.writer = unknown;
  }
  used_next_.clear();
  if (is_led_) led_by_memory_ = row;
  is_led_ = false;
}

// A launch, not all of which was seen, that may have found a pointer in memory.
bool Outputs::may_be_led(const greta_access& access) const {
  if (!is_estimated(access) || is_known(access, Known::followed)) return false;
  bool behind_symbol = symbol_written_ >= 0 && access.operation > symbol_written_;
  return access.role == role_struct_word || is_known(access, Known::pointers) || behind_symbol;
}

// The nodes of a graph have their own kernels.
Outputs::Pointer Outputs::pointer_of(const greta_access& access) {
  const greta_operation& operation = tables_.operations[access.operation];
  const greta_operation* node = access.origin != operation.seq ? node_at(access.origin) : nullptr;
  int64_t kernel = node != nullptr ? node->kernel : operation.kernel;
  return kernel * (1 << 16) + access.argument;
}

const greta_operation* Outputs::node_at(int32_t seq) {
  if (last_node_ != nullptr && last_node_->seq == seq) return last_node_;
  const greta_operation* end = tables_.operations + tables_.operation_count;
  const greta_operation* node =
      std::lower_bound(tables_.operations, end, seq,
                       [](const greta_operation& one, int32_t wanted) { return one.seq < wanted; });
  if (node == end || node->seq != seq) return nullptr;
  return last_node_ = node;
}

}  // namespace greta::order
