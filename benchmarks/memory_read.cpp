// How fast this machine's cores read memory together: the bound of a matrix-vector product.
#include <cstdint>
#include <thread>
#include <vector>

namespace {

typedef uint64_t Vector __attribute__((vector_size(32)));

void read_part(const Vector* from, size_t count, uint64_t* result) {
  Vector sums[4] = {};
  for (size_t i = 0; i + 4 <= count; i += 4) {
    for (size_t j = 0; j < 4; ++j) sums[j] ^= from[i + j];
  }
  const Vector all = sums[0] ^ sums[1] ^ sums[2] ^ sums[3];
  *result = all[0] ^ all[1] ^ all[2] ^ all[3];
}

}  // namespace

extern "C" uint64_t read_memory(const void* data, size_t bytes, int threads) {
  const size_t part = bytes / sizeof(Vector) / static_cast<size_t>(threads);
  std::vector<uint64_t> results(static_cast<size_t>(threads));
  std::vector<std::thread> readers;
  for (size_t i = 0; i < results.size(); ++i) {
    const auto* from = static_cast<const Vector*>(data) + i * part;
    readers.emplace_back(read_part, from, part, &results[i]);
  }
  uint64_t all = 0;
  for (size_t i = 0; i < results.size(); ++i) {
    readers[i].join();
    all ^= results[i];
  }
  return all;
}
