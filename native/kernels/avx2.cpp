#define GRETA_ISA avx2
#include "kernels/vector_avx2.h"

#include "kernels/chunks_avx2.h"

#include "kernels/k_products.h"

#include "kernels/table.h"
