// Announces blocks inside one allocation, as an allocator of tensors does.
#include <greta/blocks.h>
#include <hip/hip_runtime_api.h>

#include <cstdio>

int main() {
  char* arena = nullptr;
  if (hipMalloc(reinterpret_cast<void**>(&arena), 1 << 20) != hipSuccess) return 1;
  hipStream_t stream;
  if (hipStreamCreate(&stream) != hipSuccess) return 1;
  greta_block_created(arena, 4096, "first", stream);  // line 12
  greta_block_created(arena + 4096, 8192, "second", nullptr);
  greta_block_destroyed(arena, stream);
  greta_block_created(arena, 512, nullptr, stream);
  greta_block_created(arena + 4096, 64, "third", nullptr);  // inside the second
  greta_block_destroyed(arena + 65536, nullptr);            // of nothing that is known
  std::printf("%p\n", static_cast<void*>(arena));
  return hipFree(arena) == hipSuccess && hipStreamDestroy(stream) == hipSuccess ? 0 : 1;
}
