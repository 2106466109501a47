#include "codeobject/msgpack_reader.h"

#include <random>
#include <vector>

#include "check.h"

namespace greta::codeobject {
namespace {

using Bytes = std::vector<unsigned char>;

TEST(a_value_of_another_type_is_left_where_it_is) {
  const Bytes bytes{0x82, 0xa1, 'k', 0xcd, 0x01, 0x02, 0xa1, 'b', 0xc3};  // {"k": 258, "b": true}
  MsgpackReader reader(bytes.data(), bytes.size());
  uint32_t count = 0;
  uint64_t number = 0;
  std::string_view text;
  bool flag = false;
  CHECK(!reader.read_array(&count) && !reader.read_string(&text) && !reader.read_unsigned(&number));
  CHECK(reader.read_map(&count) && count == 2);
  CHECK(reader.read_string(&text) && text == "k");
  CHECK(!reader.read_bool(&flag) && reader.read_unsigned(&number) && number == 258);
  CHECK(reader.skip());
  CHECK(reader.read_bool(&flag) && flag);
  CHECK(!reader.skip());
}

TEST(a_value_that_is_cut_short_is_not_taken) {
  const Bytes text{0xd9, 200, 'a', 'b'};
  const Bytes number{0xcf, 1, 2, 3};
  const Bytes nested{0x92, 0x01};
  std::string_view view;
  uint64_t value;
  CHECK(!MsgpackReader(text.data(), text.size()).read_string(&view));
  CHECK(!MsgpackReader(number.data(), number.size()).read_unsigned(&value));
  CHECK(!MsgpackReader(nested.data(), nested.size()).skip());
}

TEST(random_bytes_are_read_as_messagepack_without_harm) {
  std::mt19937 random(3);
  Bytes bytes(200);
  for (int i = 0; i < 20000; ++i) {
    for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random());
    MsgpackReader reader(bytes.data(), bytes.size());
    while (reader.skip()) {
    }
    uint32_t count;
    uint64_t number;
    std::string_view text;
    bool flag;
    MsgpackReader again(bytes.data(), bytes.size());
    while (again.read_map(&count) || again.read_array(&count) || again.read_string(&text) ||
           again.read_unsigned(&number) || again.read_bool(&flag)) {
    }
  }
}

}  // namespace
}  // namespace greta::codeobject
