// Host functions that touch plain variables: only the order of streams keeps them apart, so a
// missing happens-before edge is a data race that ThreadSanitizer reports.
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <vector>

#include "hip_check.h"

using namespace scheduler;

namespace {

void increment(void* counter) { ++*static_cast<int*>(counter); }

struct Link {
  int* from;
  int* to;
};

void pass_on(void* raw) {
  auto* link = static_cast<Link*>(raw);
  *link->to = *link->from + 1;
}

}  // namespace

TEST(functions_of_one_stream_run_one_after_the_other) {
  constexpr int kEach = 300 * kRounds;
  Stream stream;
  int counter = 0;
  on_threads(kThreads, [&](int) {
    for (int i = 0; i < kEach; ++i) HIP(hipLaunchHostFunc(stream, increment, &counter));
  });
  HIP(hipStreamSynchronize(stream));
  CHECK_EQUAL(counter, kThreads * kEach);
}

TEST(the_host_sees_what_it_waited_for) {
  Stream stream;
  Event event;
  int counter = 0;
  for (int i = 1; i <= 200 * kRounds; ++i) {
    HIP(hipLaunchHostFunc(stream, increment, &counter));
    HIP(hipEventRecord(event, stream));
    if (i % 3 == 0) {
      HIP(hipStreamSynchronize(stream));
    } else if (i % 3 == 1) {
      HIP(hipEventSynchronize(event));
    } else {
      HIP(hipDeviceSynchronize());
    }
    CHECK_EQUAL(counter, i);
  }
}

TEST(a_query_that_says_yes_is_as_good_as_a_wait) {
  Stream stream;
  Event event;
  int counter = 0;
  for (int i = 1; i <= 100 * kRounds; ++i) {
    HIP(hipLaunchHostFunc(stream, increment, &counter));
    HIP(hipEventRecord(event, stream));
    if (i % 2 == 0) {
      while (hipStreamQuery(stream) != hipSuccess) usleep(10);
    } else {
      while (hipEventQuery(event) != hipSuccess) usleep(10);
    }
    CHECK_EQUAL(counter, i);
  }
}

TEST(events_order_streams) {
  constexpr size_t kStreams = 6;
  std::vector<Stream> streams(kStreams);
  std::vector<Event> events(kStreams);
  int values[kStreams + 1] = {};
  Link links[kStreams];
  for (int round = 0; round < 50 * kRounds; ++round) {
    for (size_t i = 0; i < kStreams; ++i) {
      links[i] = {&values[i], &values[i + 1]};
      if (i > 0) after(streams[i], streams[i - 1], events[i]);
      HIP(hipLaunchHostFunc(streams[i], pass_on, &links[i]));
    }
    HIP(hipStreamSynchronize(streams[kStreams - 1]));
    CHECK_EQUAL(values[kStreams], values[0] + static_cast<int>(kStreams));
    values[0] = values[kStreams];
  }
}

TEST(the_default_stream_orders_blocking_streams) {
  Stream first(hipStreamDefault), second(hipStreamDefault);
  int counter = 0;
  for (int i = 0; i < 100 * kRounds; ++i) {
    HIP(hipLaunchHostFunc(first, increment, &counter));
    HIP(hipLaunchHostFunc(nullptr, increment, &counter));
    HIP(hipLaunchHostFunc(second, increment, &counter));
    HIP(hipLaunchHostFunc(nullptr, increment, &counter));
  }
  HIP(hipStreamSynchronize(nullptr));
  CHECK_EQUAL(counter, 400 * kRounds);
}

TEST(every_thread_has_its_own_default_stream) {
  on_threads(kThreads, [](int) {
    int counter = 0;
    for (int i = 0; i < 100 * kRounds; ++i) {
      HIP(hipLaunchHostFunc(hipStreamPerThread, increment, &counter));
    }
    HIP(hipStreamSynchronize(hipStreamPerThread));
    CHECK_EQUAL(counter, 100 * kRounds);
  });
}

TEST(a_relay_of_threads_hands_an_event_on) {
  // Thread i consumes what thread i - 1 produced, in order of rounds; the threads agree only on
  // which event stands for which round.
  constexpr int kSteps = 40 * kRounds;
  std::vector<Event> events(kThreads * kSteps);
  std::vector<int> values((kThreads + 1) * kSteps, 0);
  std::vector<Link> links(kThreads * kSteps);
  std::vector<std::atomic<bool>> recorded(kThreads * kSteps);
  on_threads(kThreads, [&](int thread) {
    Stream stream;
    for (int step = 0; step < kSteps; ++step) {
      const int here = thread * kSteps + step;
      if (thread > 0) {
        while (!recorded[here - kSteps].load()) std::this_thread::yield();
        HIP(hipStreamWaitEvent(stream, events[here - kSteps], 0));
      }
      links[here] = {&values[here], &values[here + kSteps]};
      HIP(hipLaunchHostFunc(stream, pass_on, &links[here]));
      HIP(hipEventRecord(events[here], stream));
      recorded[here].store(true);
    }
    HIP(hipStreamSynchronize(stream));
  });
  for (int step = 0; step < kSteps; ++step) CHECK_EQUAL(values[kThreads * kSteps + step], kThreads);
}
