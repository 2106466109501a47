/* The one extension of the simulated device: what really happened.
 *
 * HIP tells a program that an illegal access was encountered, not by whom. The simulated device
 * knows, and tells here. It is meant for tests that compare a diagnosis with the truth; a tool that
 * used it to make its diagnosis would work nowhere else.
 */
#ifndef GRETA_SIM_H
#define GRETA_SIM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  GRETA_SIM_ILLEGAL_ACCESS = 1, /* became hipErrorIllegalAddress */
  GRETA_SIM_TRAP = 2,           /* became hipErrorLaunchFailure */
  GRETA_SIM_RED_ZONE_DAMAGE = 3 /* found at free; no error, as on hardware */
};

typedef struct gretaSimFault {
  uint32_t kind;
  int32_t device;
  uint64_t operationNumber; /* n-th operation of the process, in order of submission, from 1 */
  uint64_t stream;          /* handle as the program knows it; 0 for the default stream */
  uint64_t address;
  uint8_t addressKnown;
  uint8_t isWrite;
  uint8_t threadKnown; /* not in a kernel without barriers that is not compiled with checks */
  uint8_t reserved[5];
  uint32_t block[3];
  uint32_t thread[3];
  char operation[32]; /* "kernel", "copy", "fill", "free" ... */
  char kernel[256];   /* mangled name; empty if it was not a kernel */
  char message[256];
} gretaSimFault;

/* Fills at most `capacity` entries in the order of discovery and returns how many there are in
 * all. Works after a fault, when every HIP call fails. */
int gretaSimGetFaults(gretaSimFault* faults, int capacity);

#ifdef __cplusplus
}
#endif
#endif
