/* Fills device memory and brings it to the host, once or more often. */
#include <hip/hip_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif

static void check(hipError_t error) {
  if (error != hipSuccess) exit(1);
}

static void fetch(void* host, const void* device, size_t bytes) {
#ifdef WRAPPED
  fprintf(stderr, "[D2H_SAFE_WRAPPER] %zu bytes\n", bytes);
#endif
#ifdef TRACED
  if (getenv("GRETA_TRACE_MEMCPY")) fprintf(stderr, "[D2H TRACE] logits:before %zu\n", bytes);
#endif
#ifdef AUDITED
  if (getenv("GCORE_D2H_AUDIT")) fprintf(stderr, "[D2H_AUDIT_START] op_id=1 bytes=%zu\n", bytes);
#endif
  check(hipMemcpy(host, device, bytes, hipMemcpyDeviceToHost));
}

int main(void) {
  char host[4096];
  void* device = NULL;
  check(hipMalloc(&device, sizeof host));
  for (int round = 0; round < ROUNDS; ++round) {
    check(hipMemset(device, round, sizeof host));
    fetch(host, device, sizeof host);
  }
  check(hipFree(device));
  puts("STATUS=OK");
  return 0;
}
