// Rules for editing.
// - The stack is read between the hook's frame and the end of the thread's own stack, nowhere else;
//   a stack that is not the thread's (a fiber's, a signal handler's own) is copied by the kernel,
//   which does not fault. Every frame ends above the one before: a walk cannot go round.
// - A frame that was seen before takes no lock and no allocation: the thread remembers the rule.
// - A stack that cannot be followed ends; nothing is guessed.
#include "recorder/sites/native_stack.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstring>
#include <iterator>
#include <memory>

#include "recorder/lanes/errno_keeper.h"
#include "recorder/lanes/thread_memory.h"
#include "recorder/sites/frame_rule.h"

// Where the main thread's stack began; the loader's, in every release of the C library.
extern "C" void* __libc_stack_end __attribute__((weak));

namespace greta::recorder {
namespace {

// Below this distance from its begin an address is on the main thread's stack: nothing else is
// mapped so close.
constexpr uintptr_t kNearMainStack = 64 << 20;
constexpr size_t kPage = 4096;
constexpr size_t kCopiedPages = 4;

// --- which memory is the stack -------------------------------------------------------------------

struct Stack {
  uintptr_t begin;
  uintptr_t end;
  const char* bytes;  // at begin
  StackWalk* walk = nullptr;

  // One word at an address of the stack; false if it is not there.
  bool read(uintptr_t address, uintptr_t* word) const {
    if (address < begin || address >= end || end - address < sizeof *word) return false;
    std::memcpy(word, bytes + (address - begin), sizeof *word);
    const size_t at = walk->words_read++;
    walk->words[at] = {address, *word};
    return at + 3 <= std::size(walk->words);  // room for another frame
  }
};

uintptr_t end_of_main_stack() { return reinterpret_cast<uintptr_t>(__libc_stack_end); }

bool is_main_thread() { return syscall(SYS_gettid) == getpid(); }

// The C library keeps the place of every stack it has made; only for the main thread's it would
// read a file.
void find_own_stack(ThreadMemory* memory) {
  const ErrnoKeeper errno_keeper;
  memory->knows_stack = true;
  if (is_main_thread()) return;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* begin = nullptr;
  size_t bytes = 0;
  if (pthread_attr_getstack(&attributes, &begin, &bytes) == 0) {
    memory->stack_begin = reinterpret_cast<uintptr_t>(begin);
    memory->stack_end = memory->stack_begin + bytes;
  }
  pthread_attr_destroy(&attributes);
}

Stack stack_from(uintptr_t begin, uintptr_t end) {
  return {begin, end, reinterpret_cast<const char*>(begin)};
}

// As much of a foreign stack as the kernel can read.
__attribute__((noinline)) Stack copied_stack(ThreadMemory* memory, uintptr_t begin) {
  const ErrnoKeeper errno_keeper;
  if (memory->stack_copy == nullptr) {
    memory->stack_copy.reset(new (std::nothrow) char[kCopiedPages * kPage]);
  }
  char* const copy = memory->stack_copy.get();
  if (copy == nullptr) return {begin, begin, nullptr};
  iovec parts[kCopiedPages];
  uintptr_t at = begin;
  for (iovec& part : parts) {  // a page is there as a whole or not at all
    const uintptr_t next = (at / kPage + 1) * kPage;
    part = {reinterpret_cast<void*>(at), next - at};
    at = next;
  }
  iovec whole{copy, kCopiedPages * kPage};
  const ssize_t bytes = process_vm_readv(getpid(), &whole, 1, parts, kCopiedPages, 0);
  return {begin, begin + static_cast<uintptr_t>(bytes > 0 ? bytes : 0), copy};
}

Stack stack_of_thread(uintptr_t begin) {
  ThreadMemory& memory = thread_memory();
  if (!memory.knows_stack) find_own_stack(&memory);
  if (begin >= memory.stack_begin && begin < memory.stack_end) {
    return stack_from(begin, memory.stack_end);
  }
  const uintptr_t main_end = &__libc_stack_end != nullptr ? end_of_main_stack() : 0;
  if (begin < main_end && main_end - begin < kNearMainStack) return stack_from(begin, main_end);
  return copied_stack(&memory, begin);
}

// --- from frame to frame -------------------------------------------------------------------------

FrameRule rule_of(uint64_t address) {
  ThreadMemory& memory = thread_memory();
  ThreadMemory::Frame& place = memory.frames[address * 0x9e3779b97f4a7c15ull >> 55];
  if (place.address.load(std::memory_order_relaxed) != address) {
    place.address.store(0, std::memory_order_relaxed);
    place.rule = find_frame_rule(address);
    place.address.store(address, std::memory_order_relaxed);
  }
  return place.rule;
}

struct Registers {
  uintptr_t pc;
  uintptr_t rsp;
  uintptr_t rbp;
};

bool find_frame_end(const Stack& stack, const Registers& now, FrameRule rule, uintptr_t* end) {
  const auto offset = static_cast<uintptr_t>(static_cast<intptr_t>(rule.offset));
  switch (rule.base) {
    case FrameRule::Base::none:
      return false;
    case FrameRule::Base::rsp:
      *end = now.rsp + offset;
      return true;
    case FrameRule::Base::rbp:
      *end = now.rbp + offset;
      return true;
    case FrameRule::Base::at_rbp:
      return stack.read(now.rbp + offset, end);
  }
  return false;
}

// The registers of the caller; false at the end of what can be followed.
bool go_up(const Stack& stack, Registers* now) {
  const FrameRule rule = rule_of(now->pc);
  uintptr_t end = 0;
  if (!find_frame_end(stack, *now, rule, &end)) return false;
  if (end < now->rsp + sizeof end || end % sizeof end != 0) return false;
  uintptr_t pc = 0;
  if (!stack.read(end - sizeof pc, &pc) || pc == 0) return false;
  const auto saved = static_cast<uintptr_t>(static_cast<intptr_t>(rule.saved));
  uintptr_t rbp = now->rbp;
  if (rule.rbp != FrameRule::Saved::unchanged) {
    const uintptr_t base = rule.rbp == FrameRule::Saved::in_frame ? end : now->rbp;
    if (!stack.read(base + saved, &rbp)) return false;
  }
  *now = {pc, end, rbp};
  return true;
}

}  // namespace

void walk_native_stack(HookFrame hook, Code last, size_t most, StackWalk* walk) {
  const auto place = reinterpret_cast<uintptr_t>(hook.stack);
  Registers now{0, place + sizeof(uintptr_t), 0};
  std::memcpy(&now.pc, hook.stack, sizeof now.pc);
  std::memcpy(&now.rbp, static_cast<const char*>(hook.stack) - sizeof now.rbp, sizeof now.rbp);
  Stack stack = stack_of_thread(place);
  stack.walk = walk;
  walk->is_of_thread = stack.bytes == static_cast<const char*>(hook.stack);
  walk->hook = hook;
  walk->rbp = now.rbp;
  walk->count = walk->words_read = 0;
  do {
    walk->frames[walk->count++] = now.pc;
  } while (walk->count < most && !last.contains(now.pc) && go_up(stack, &now));
}

}  // namespace greta::recorder
