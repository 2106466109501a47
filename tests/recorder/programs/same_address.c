/* A HIP library with one buffer, which is always at the same address. */
#include <stddef.h>

int hipRuntimeGetVersion(int* version) { return *version = 70000000, 0; }
int hipDriverGetVersion(int* version) { return *version = 70000000, 0; }
const char* hipGetErrorName(int error) { return error == 0 ? "hipSuccess" : "hipErrorUnknown"; }
int hipMalloc(void** memory, size_t bytes) { return *memory = (void*)0x100000, bytes == 0; }
int hipFree(void* memory) { return memory == NULL; }
