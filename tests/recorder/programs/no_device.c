// What a program sees of a HIP library on a machine without a GPU.
#include <stdio.h>

int hipGetDeviceCount(int* count);
int hipMalloc(void** address, unsigned long bytes);
int hipGetLastError(void);

int main(void) {
  int count = -1;
  void* address = 0;
  printf("%d", hipGetDeviceCount(&count));
  printf(" %d", hipMalloc(&address, 64));
  printf(" %d %d\n", hipGetLastError(), hipGetLastError());
  return 0;
}
