// Code for a GPU, in a program that does not look at errors: on that GPU it would be right.
#include <elf.h>

#include <cstring>

#include "gpu.h"

std::vector<char> code_for_gfx90a() {
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
  header.e_flags = 0x3f;  // gfx90a
  header.e_ehsize = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_shentsize = sizeof(Elf64_Shdr);
  std::memcpy(image.data(), &header, sizeof header);
  return image;
}

int main(int count, char** words) {
  const std::vector<char> image = code_for_gfx90a();
  constexpr int n = 1024;
  float* values = on_device<float>(n);
  // Too early, whatever GPU it is.
  if (is(count, words, "wrong")) to_host(values, n);
  hipModule_t module = nullptr;
  hipFunction_t function = nullptr;
  std::vector<float> result(n);
  int elements = n;
  void* arguments[] = {&values, &elements};
  expect(hipModuleLoadData(&module, image.data()) == hipErrorNoBinaryForGpu, "it cannot be loaded");
  (void)hipModuleGetFunction(&function, module, "fill");
  (void)hipModuleLaunchKernel(function, n / 256, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr);
  (void)hipMemcpy(result.data(), values, n * sizeof(float), hipMemcpyDeviceToHost);
  (void)hipFree(values);
  return 0;
}
