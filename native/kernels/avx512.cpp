#define GRETA_ISA avx512
#include "kernels/vector_avx512.h"

#include "kernels/chunks_avx512.h"

#include "kernels/nibble_chunks_avx512.h"

#include "kernels/q4_0_avx512.h"

#include "kernels/k_products.h"

#include "kernels/table.h"
