// A code object for a GPU: there is nothing in it that a CPU can run.
#include <elf.h>

#include <cstring>

#include "gpu.h"

int main(int count, char** words) {
  const bool code_object = is(count, words, "needed");
  std::vector<char> image(4096);
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_ident[EI_OSABI] = 64;
  header.e_ident[EI_ABIVERSION] = 3;
  header.e_type = ET_DYN;
  header.e_machine = 224;
  header.e_version = EV_CURRENT;
  header.e_flags = 0x54c;  // gfx942
  header.e_ehsize = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_shentsize = sizeof(Elf64_Shdr);
  std::memcpy(image.data(), &header, sizeof header);
  hipModule_t module = nullptr;
  const hipError_t answer = code_object ? hipModuleLoadData(&module, image.data()) : hipSuccess;
  expect((answer == hipErrorNoBinaryForGpu) == code_object, "it cannot be loaded");
  if (code_object) OK(answer);
  module = load_kernels();
  float* values = on_device(std::vector<float>(256, 1.0f));
  launch(kernel(module, "scale"), 2, 128, nullptr, values, 2.0f, 256);
  OK(hipDeviceSynchronize());
  expect(to_host(values, 256)[255] == 2.0f, "the values are scaled");
  return 0;
}
