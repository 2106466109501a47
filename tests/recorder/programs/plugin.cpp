// A plugin; LINE is where its call is said to be.
#include <hip/hip_runtime.h>

extern "C" int call_hip() {
  int device;
#line LINE
  const int result = hipGetDevice(&device);
  return result + device;
}
