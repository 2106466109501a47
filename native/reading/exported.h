#pragma once

#define GRETA_EXPORTED extern "C" __attribute__((visibility("default")))
