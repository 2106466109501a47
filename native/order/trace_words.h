// The numbers of greta.trace.trace, and rows that may be lies.
#pragma once

#include <cstdint>

#include "order/generated/trace_enums.h"
#include "order/order.h"
#include "order/stream_rules.h"

namespace greta::order {

constexpr auto role_source = static_cast<uint8_t>(Role::source);
constexpr auto role_destination = static_cast<uint8_t>(Role::destination);
constexpr auto role_argument = static_cast<uint8_t>(Role::argument);
constexpr auto role_struct_word = static_cast<uint8_t>(Role::struct_word);
constexpr auto role_freed = static_cast<uint8_t>(Role::freed);
constexpr auto role_footprint = static_cast<uint8_t>(Role::footprint);
constexpr auto memory_pinned = static_cast<uint8_t>(Memory::pinned);
constexpr auto memory_managed = static_cast<uint8_t>(Memory::managed);
constexpr auto memory_pool = static_cast<uint8_t>(Memory::pool);
constexpr auto memory_symbol = static_cast<uint8_t>(Memory::symbol);

using Row = uint32_t;
constexpr Row none = UINT32_MAX;

inline Kind kind_of(const greta_operation& operation) { return static_cast<Kind>(operation.kind); }

// To be called for each row of a table: whoever looks at all of it would have all of it resident.
inline void pass_row(const greta_tables& tables, int64_t row) {
  constexpr int64_t rows_at_once = 1 << 14;
  if (row % rows_at_once == 0 && tables.let_go != nullptr) tables.let_go();
}

// A call that had no effect: refused, or only written into a graph.
inline bool did_not_run(const greta_tables& tables, Row row) {
  const greta_operation& operation = tables.operations[row];
  return (operation.failed != 0 && row != tables.faulted) || operation.captured != 0;
}

inline const greta_stream* stream_at(const greta_tables& tables, int64_t row) {
  return row >= 0 && row < tables.stream_count ? &tables.streams[row] : nullptr;
}

// A log that does not say on which streams work is has one row for all of them.
inline bool stands_for_several(const greta_stream& stream) {
  return static_cast<StreamKind>(stream.kind) == StreamKind::unknown && stream.handle == 0;
}

inline const greta_allocation* allocation_at(const greta_tables& tables, int64_t row) {
  return row >= 0 && row < tables.allocation_count ? &tables.allocations[row] : nullptr;
}

// The announced block that an access begins in; null where none is live.
inline const greta_block* block_of(const greta_tables& tables, const greta_access& access) {
  if (access.block == 0 || access.block > static_cast<uint64_t>(tables.block_count)) return nullptr;
  const greta_block& block = tables.blocks[access.block - 1];
  bool is_over = block.freed_at >= 0 && block.freed_at <= access.operation;
  return is_over || block.allocation != access.allocation ? nullptr : &block;
}

// The pointer of a kernel: how much it reaches is an estimate.
inline bool is_estimated(const greta_access& access) {
  return access.role == role_argument || access.role == role_struct_word;
}

inline bool is_of_host(const greta_allocation& allocation) {
  return allocation.memory >= memory_pinned && allocation.memory <= memory_managed;
}

}  // namespace greta::order
