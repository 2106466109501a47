// A stream waits for a word in memory; another one writes it, or writes another word.
#include "gpu.h"

int main(int count, char** words) {
  const bool forever = is(count, words, "forever");
  const hipStream_t one = new_stream(), two = new_stream();
  uint32_t* word = on_device(std::vector<uint32_t>(2, 0));
  OK(hipStreamWaitValue32(one, word, 1, hipStreamWaitValueEq, 0xffffffff));
  OK(hipStreamWriteValue32(two, word + (forever ? 1 : 0), 1, 0));
  OK(hipStreamSynchronize(one));
  expect(!forever && to_host(word, 1)[0] == 1, "the word is written");
  return 0;
}
