// Allocates through inline functions of HIP's headers, in several places. Prints the libraries, and
// for each call of hipMalloc its return address, and the line and the function that a user wrote.
// The functions of HIP are here and not in a library.
#ifdef HEADERS_OF_AMD
#define ALWAYS_INLINED inline
#else
#define ALWAYS_INLINED __attribute__((always_inline)) inline
#endif
#include <hip/hip_runtime_api.h>

#include "hip/nested_wrappers.h"
#include "print_libraries.h"

#define AT(function) expected_line = __LINE__, expected_function = function

static int expected_line;
static const char* expected_function;

extern "C" __attribute__((noinline)) hipError_t hipMalloc(void**, size_t) {
  printf("site %p %d %s\n", __builtin_return_address(0), expected_line, expected_function);
  return hipSuccess;
}

static float* floats;

// A user's function stays the place of its calls, inlined or not.
ALWAYS_INLINED void inlined_function() {
  AT("main"), (void)hipMalloc(&floats, 4);
  printf(" ");
}

template <class T>
struct Buffer {
  T* data = nullptr;
  __attribute__((noinline)) void grow(size_t count) {
    AT("Buffer<double>::grow(unsigned long)"), (void)hipMalloc(&data, count * sizeof(T));
    printf(" ");  // the call must not be the function's last act, or it becomes a jump
  }
};

// It is called like a function of HIP but is not in a header of it.
ALWAYS_INLINED void hipMallocOrComplain(void** pointer) {
  AT("main"), (void)hipMalloc(pointer, 4);
  printf(" ");
}

// What a compiler makes of a kernel, and calls for <<<>>>.
ALWAYS_INLINED void __device_stub__scale(void** arguments) {
  (void)hipMalloc(arguments, 4);
  printf(" ");
}

int main() {
  print_libraries();
  AT("main"), (void)hipMalloc(&floats, 4);
  AT("main"), (void)hipMallocCount(&floats, 4);
  inlined_function();
  Buffer<double>().grow(8);
  hipMallocOrComplain((void**)&floats);
  AT("main"), __device_stub__scale((void**)&floats);
}
