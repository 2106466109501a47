// What the loader may find in the recorder. Everything else is hidden.
#pragma once

#define GRETA_EXPORT __attribute__((visibility("default")))
