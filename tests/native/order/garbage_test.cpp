// Tables of garbage must be survived: run with GRETA_SANITIZE=address,undefined.
#include <random>
#include <vector>

#include "check.h"
#include "order/order.h"

namespace {

using Random = std::mt19937_64;

int64_t small(Random& random) { return static_cast<int64_t>(random() % 10) - 1; }

// Numbers that may be rows half of the time, anything at all otherwise.
int64_t some(Random& random, bool wild) {
  return wild && random() % 2 == 0 ? static_cast<int64_t>(random()) : small(random);
}

struct Tables {
  std::vector<greta_operation> operations;
  std::vector<greta_access> accesses;
  std::vector<greta_allocation> allocations;
  std::vector<greta_stream> streams;
  std::vector<greta_block> blocks;
  std::vector<uint8_t> outputs = std::vector<uint8_t>(4096, 1);  // more than there are rows

  greta_tables view() const {
    return {operations.data(),
            accesses.data(),
            allocations.data(),
            streams.data(),
            blocks.data(),
            accesses.size() % 2 == 0 ? nullptr : outputs.data(),
            allocations.size() % 2 == 0 ? nullptr : outputs.data(),
            static_cast<int64_t>(operations.size()),
            static_cast<int64_t>(accesses.size()),
            static_cast<int64_t>(allocations.size()),
            static_cast<int64_t>(streams.size()),
            static_cast<int64_t>(blocks.size()),
            static_cast<int64_t>(operations.size() % 3),
            nullptr};
  }
};

greta_operation some_operation(Random& random, bool wild, int64_t first_access) {
  greta_operation operation{};
  operation.kind = static_cast<uint8_t>(random() % 4 != 0 ? 1 + random() % 4 : random() % 20);
  operation.waits = random() % 8 == 0 ? static_cast<uint8_t>(random() % 4) : 0;
  operation.finished = random() % 10 != 0;
  operation.failed = random() % 10 == 0;
  operation.captured = random() % 10 == 0;
  operation.device = static_cast<int16_t>(some(random, wild));
  operation.thread = static_cast<int32_t>(some(random, wild));
  operation.stream = static_cast<int32_t>(some(random, wild));
  operation.event = static_cast<int32_t>(some(random, wild));
  operation.allocation = static_cast<int32_t>(some(random, wild));
  operation.start_event = static_cast<int32_t>(some(random, wild));
  operation.begin = some(random, wild);
  operation.end = some(random, wild);
  operation.first_access =
      static_cast<int32_t>(wild && random() % 20 == 0 ? some(random, true) : first_access);
  return operation;
}

greta_access some_access(Random& random, bool wild, int64_t operation) {
  greta_access access{};
  access.operation = static_cast<int32_t>(operation);
  access.origin = static_cast<int32_t>(some(random, wild));
  access.address = static_cast<uint64_t>(some(random, wild));
  access.bytes = static_cast<uint64_t>(some(random, wild));
  access.pitch = random() % 4 == 0 ? static_cast<uint64_t>(some(random, wild)) : 0;
  access.width = static_cast<uint64_t>(some(random, wild));
  access.reach = static_cast<uint64_t>(some(random, wild));
  access.allocation = static_cast<int32_t>(some(random, wild));
  access.block = random() % 4 == 0 ? static_cast<uint32_t>(some(random, wild)) : 0;
  access.mode = static_cast<uint8_t>(random() % 5);
  access.role = static_cast<uint8_t>(random() % 8);
  access.space = static_cast<uint8_t>(random() % 4);
  access.known = static_cast<uint8_t>(random());
  access.at_call = random() % 4 == 0;
  return access;
}

greta_allocation some_allocation(Random& random, bool wild) {
  greta_allocation allocation{};
  allocation.address = static_cast<uint64_t>(some(random, wild));
  allocation.bytes = static_cast<uint64_t>(some(random, wild));
  allocation.known_bytes = random() % 4 != 0;
  allocation.memory = static_cast<uint8_t>(random() % 8);
  allocation.device = static_cast<int16_t>(small(random));
  allocation.made_at = -1;
  allocation.freed_at = random() % 4 == 0 ? some(random, wild) : -1;
  allocation.free_stream = static_cast<int32_t>(some(random, wild));
  return allocation;
}

greta_block some_block(Random& random, bool wild) {
  greta_block block{};
  block.address = static_cast<uint64_t>(some(random, wild));
  block.bytes = static_cast<uint64_t>(some(random, wild));
  block.allocation = static_cast<int32_t>(some(random, wild));
  block.freed_at = some(random, wild);
  return block;
}

Tables some_tables(Random& random, bool wild) {
  Tables tables;
  for (int64_t row = 0, rows = static_cast<int64_t>(random() % 200); row < rows; ++row) {
    auto first = static_cast<int64_t>(tables.accesses.size());
    tables.operations.push_back(some_operation(random, wild, first));
    for (uint64_t count = random() % 4; count > 0; --count) {
      tables.accesses.push_back(some_access(random, wild, row));
    }
  }
  for (int i = 0; i < 9; ++i) tables.allocations.push_back(some_allocation(random, wild));
  for (int i = 0; i < 5; ++i) tables.blocks.push_back(some_block(random, wild));
  for (int i = 0; i < 7; ++i) {
    greta_stream stream{};
    stream.kind = static_cast<uint8_t>(random() % 6);
    stream.device = static_cast<int16_t>(random() % 3);
    tables.streams.push_back(stream);
  }
  return tables;
}

int64_t conflicts_of(const greta_tables& tables) {
  std::vector<greta_conflict> conflicts(16);
  greta_summary summary;
  CHECK(greta_order_conflicts(&tables, conflicts.data(), 16, &summary) == GRETA_DONE);
  CHECK(summary.found <= 16);
  for (int64_t i = 0; i < summary.found; ++i) {
    CHECK(conflicts[i].first < conflicts[i].second);
    CHECK(conflicts[i].second < tables.operation_count);
  }
  return summary.found;
}

int64_t completed_of(const greta_tables& tables) {
  std::vector<int64_t> known_by(tables.operation_count), streams(tables.stream_count);
  CHECK(greta_order_completion(&tables, known_by.data(), streams.data()) == GRETA_DONE);
  CHECK(greta_order_completion(&tables, known_by.data(), nullptr) == GRETA_DONE);
  int64_t completed = 0;
  for (int64_t row = 0; row < tables.operation_count; ++row) {
    CHECK(known_by[row] == -1 || (known_by[row] >= row && known_by[row] < tables.operation_count));
    completed += known_by[row] >= 0;
  }
  return completed;
}

void alike_in(const greta_tables& tables, int64_t last) {
  size_t count = tables.access_count;
  std::vector<uint32_t> kinds(count);
  std::vector<int64_t> firsts(count);
  std::vector<uint8_t> meets(count);
  int64_t found = 0;
  CHECK(greta_order_alike(&tables, 0, tables.access_count, last, kinds.data(), firsts.data(),
                          meets.data(), &found) == GRETA_DONE);
  CHECK(found <= tables.access_count);
  for (uint32_t kind : kinds) CHECK(kind < found);
  CHECK(greta_order_alike(&tables, 1, tables.access_count, last, nullptr, nullptr, nullptr,
                          &found) == GRETA_DONE);
  CHECK(found == 0);  // there are not so many
}

}  // namespace

TEST(garbage_is_survived) {
  Random random(1);
  int64_t found = 0, completed = 0;
  for (int round = 0; round < 3000; ++round) {
    Tables tables = some_tables(random, round % 2 == 0);
    greta_tables view = tables.view();
    found += conflicts_of(view);
    completed += completed_of(view);
    alike_in(view, small(random));
    for (greta_access& access : tables.accesses) {
      if (random() % 8 == 0) access.operation = static_cast<int32_t>(some(random, true));
    }
    alike_in(view, some(random, true));
    std::vector<greta_pair> pairs(20);
    for (greta_pair& pair : pairs) pair = {some(random, true), some(random, true), 0, 0};
    CHECK(greta_order_pairs(&view, pairs.data(), 20) == GRETA_DONE);
  }
  CHECK(completed > 1000);
  CHECK(found > 1000);  // it is not all thrown out at the door
}

TEST(too_many_rows_are_refused) {
  greta_tables tables{};
  tables.operation_count = int64_t{1} << 40;
  greta_summary summary;
  CHECK(greta_order_conflicts(&tables, nullptr, 0, &summary) == GRETA_TOO_MANY_ROWS);
}
