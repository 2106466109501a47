#include "codeobject/memory_reader.h"

#include <cstring>

#include "check.h"
#include "sample_images.h"

namespace greta::codeobject {
namespace {

uintptr_t address_of(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

void check_reads_up_to_the_edge(const MemoryReader& memory) {
  const Image image(10000, 7);
  ImageAtEdge edge(image);
  const uintptr_t start = address_of(edge.place(image.size()));
  Image copy(image.size() + 1);
  CHECK(memory.read(start, copy.data(), image.size()));
  CHECK(std::memcmp(copy.data(), image.data(), image.size()) == 0);
  CHECK(!memory.read(start, copy.data(), image.size() + 1));
  CHECK(!memory.read(start + image.size(), copy.data(), 1));
  CHECK(memory.read(start + image.size(), copy.data(), 0));
}

void check_refuses_what_is_no_memory(const MemoryReader& memory) {
  char bytes[16];
  for (const uintptr_t address : {uintptr_t{0}, uintptr_t{64}, uintptr_t{1} << 47,
                                  uintptr_t{1} << 63, ~uintptr_t{0}, ~uintptr_t{7}}) {
    CHECK(!memory.read(address, bytes, sizeof bytes));
  }
}

TEST(own_memory_is_read_up_to_its_edge) { check_reads_up_to_the_edge(OwnMemory()); }

TEST(piped_memory_is_read_up_to_its_edge) { check_reads_up_to_the_edge(PipedMemory()); }

TEST(addresses_that_are_no_memory_cannot_be_read) {
  check_refuses_what_is_no_memory(OwnMemory());
  check_refuses_what_is_no_memory(PipedMemory());
}

TEST(a_buffer_is_read_within_its_bounds) {
  const unsigned char bytes[4] = {1, 2, 3, 4};
  const BufferReader reader(bytes, sizeof bytes);
  unsigned char copy[4] = {};
  CHECK(reader.read(1, copy, 3) && copy[0] == 2 && copy[2] == 4);
  CHECK(reader.read(4, copy, 0));
  CHECK(!reader.read(1, copy, 4) && !reader.read(5, copy, 0) &&
        !reader.read(~uintptr_t{0}, copy, 2));
}

}  // namespace
}  // namespace greta::codeobject
