// Which sanitizer this is built for, and the few declarations the device needs of it.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define GRETA_ASAN 1
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#else
#define GRETA_ASAN 0
#endif

#if defined(__SANITIZE_THREAD__)
#define GRETA_TSAN 1
#include <sanitizer/tsan_interface.h>
#else
#define GRETA_TSAN 0
#endif

#define GRETA_NO_SANITIZE \
  __attribute__((no_sanitize("address"), no_sanitize("thread"), no_sanitize("undefined")))
