// Which copies a wait covers: streams, events and the rules of the default stream.
#include "recorder/watch/flights.h"

#include "check.h"

using namespace greta::recorder;

namespace {

constexpr Stream kLegacy{0, StreamKind::legacy, 0};
constexpr Stream kBlocking{10, StreamKind::unknown, 0};  // as it was made
constexpr Stream kFree{20, StreamKind::unknown, 0};
constexpr EventKey kEvent = 30;

Flight on(const Stream& stream) {
  Flight flight;
  flight.stream = stream;
  flight.side.begin = 0x1000;
  flight.side.end = 0x2000;
  flight.pages = {0x1000, 0x2000};
  return flight;
}

Flights with_streams() {
  Flights flights;
  flights.stream_made({kBlocking.key, StreamKind::blocking, 0});
  flights.stream_made({kFree.key, StreamKind::non_blocking, 0});
  return flights;
}

}  // namespace

TEST(a_wait_covers_its_own_stream_only) {
  Flights flights = with_streams();
  const FlightId mine = flights.add(on(kFree));
  flights.add(on(kBlocking));
  const auto landed = flights.stream_waited(kFree);
  CHECK_EQUAL(landed.size(), size_t{1});
  CHECK_EQUAL(landed[0].id, mine);
  CHECK_EQUAL(flights.all().size(), size_t{1});
}

TEST(an_event_covers_what_came_before_it) {
  Flights flights = with_streams();
  const FlightId before = flights.add(on(kFree));
  flights.event_recorded(kEvent, kFree);
  flights.add(on(kFree));
  const auto landed = flights.event_waited(kEvent);
  CHECK_EQUAL(landed.size(), size_t{1});
  CHECK_EQUAL(landed[0].id, before);
  CHECK(flights.event_waited(kEvent).empty());
}

TEST(an_event_recorded_again_is_another) {
  Flights flights = with_streams();
  flights.add(on(kFree));
  flights.event_recorded(kEvent, kFree);
  flights.event_recorded(kEvent, kBlocking);
  CHECK(flights.event_waited(kEvent).empty());
}

TEST(order_passes_from_stream_to_stream) {
  Flights flights = with_streams();
  flights.add(on(kFree));
  flights.event_recorded(kEvent, kFree);
  flights.stream_waits(kBlocking, kEvent);
  CHECK_EQUAL(flights.stream_waited(kBlocking).size(), size_t{1});
}

TEST(the_default_stream_waits_for_blocking_streams) {
  Flights flights = with_streams();
  flights.add(on(kBlocking));
  flights.add(on(kFree));
  const auto landed = flights.stream_waited(kLegacy);
  CHECK_EQUAL(landed.size(), size_t{1});
  CHECK_EQUAL(landed[0].stream.key, kBlocking.key);
}

TEST(a_blocking_stream_waits_for_the_default_stream) {
  Flights flights = with_streams();
  flights.add(on(kLegacy));
  CHECK(flights.stream_waited(kFree).empty());
  flights.enqueued(kBlocking);
  CHECK_EQUAL(flights.stream_waited(kBlocking).size(), size_t{1});
}

TEST(a_wait_for_a_blocking_stream_does_not_cover_the_default_stream) {
  Flights flights = with_streams();
  flights.add(on(kBlocking));
  flights.add(on(kLegacy));
  const auto landed = flights.stream_waited(kBlocking);
  CHECK_EQUAL(landed.size(), size_t{1});
  CHECK_EQUAL(landed[0].stream.key, kBlocking.key);
}

TEST(a_stream_that_waits_for_an_event_waits_for_the_default_stream_too) {
  Flights flights = with_streams();
  flights.add(on(kLegacy));
  flights.event_recorded(kEvent, kFree);
  flights.stream_waits(kBlocking, kEvent);
  CHECK_EQUAL(flights.stream_waited(kBlocking).size(), size_t{1});
}

TEST(default_streams_of_two_devices_do_not_wait_for_each_other) {
  Flights flights = with_streams();
  const Stream other{1, StreamKind::legacy, 1};
  flights.add(on(kLegacy));
  flights.add(on(kBlocking));
  flights.add(on(other));
  CHECK_EQUAL(flights.stream_waited(other).size(), size_t{1});
  CHECK_EQUAL(flights.stream_waited(kLegacy).size(), size_t{2});
}

TEST(a_device_is_waited_for_alone) {
  Flights flights = with_streams();
  flights.add(on(kFree));
  flights.add(on({40, StreamKind::non_blocking, 1}));
  CHECK_EQUAL(flights.device_waited(1).size(), size_t{1});
  CHECK_EQUAL(flights.all()[0].stream.device, 0);
}

TEST(a_stream_at_the_same_address_is_another) {
  Flights flights = with_streams();
  flights.add(on(kFree));
  flights.stream_gone(kFree);
  flights.stream_made({kFree.key, StreamKind::non_blocking, 0});
  CHECK(flights.stream_waited(kFree).empty());
  CHECK_EQUAL(flights.all().size(), size_t{1});
}

TEST(memory_that_ends_takes_its_copies_along) {
  Flights flights = with_streams();
  flights.add(on(kFree));
  CHECK(flights.memory_ended({0x2000, 0x3000}).empty());
  CHECK_EQUAL(flights.memory_ended({0x1800, 0x1900}).size(), size_t{1});
  CHECK(flights.empty());
}

TEST(copies_that_nobody_waits_for_are_bounded) {
  Flights flights = with_streams();
  for (int i = 0; i < 10000; ++i) flights.add(on(kFree));
  CHECK(flights.all().size() <= 1024);
  flights.stream_waited(kFree);
  CHECK(flights.empty());
}

TEST(rows_of_a_rectangle_have_gaps) {
  HostSide side{0x1000, 0x1000 + 2 * 256 + 16, 256, 16, true};
  CHECK(side.contains(0x1000 + 256 + 15));
  CHECK(!side.contains(0x1000 + 256 + 16));
  CHECK(!side.contains(side.end));
}

TEST(opened_pages_forget_nothing) {
  OpenedPages opened;
  for (uintptr_t i = 0; i < 100; ++i) opened.add({i * 0x2000, i * 0x2000 + 0x1000});
  for (uintptr_t i = 0; i < 100; ++i) CHECK(opened.contains(i * 0x2000));
}
