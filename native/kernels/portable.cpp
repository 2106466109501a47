#define GRETA_ISA portable
#include "kernels/vector_portable.h"

#include "kernels/chunks_portable.h"

#include "kernels/table.h"
