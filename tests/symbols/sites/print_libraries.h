// Prints the libraries of this process as the recorder writes them.
#pragma once

#include <link.h>
#include <stdio.h>
#include <unistd.h>

#include <string>

static int print_library(dl_phdr_info* info, size_t, void*) {
  std::string path = info->dlpi_name;
  if (path.empty()) {
    char buffer[4096] = {};
    if (readlink("/proc/self/exe", buffer, sizeof buffer - 1) > 0) path = buffer;
  }
  std::string build_id = "-";
  unsigned long begin = ~0ul, end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    unsigned long address = info->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && (part.p_flags & PF_X)) {
      begin = address < begin ? address : begin;
      end = address + part.p_memsz > end ? address + part.p_memsz : end;
    }
    for (unsigned long at = 0; part.p_type == PT_NOTE && at + 16 <= part.p_memsz;) {
      auto* note = reinterpret_cast<const ElfW(Nhdr)*>(address + at);
      auto* id = reinterpret_cast<const unsigned char*>(note + 1) + 4;
      at += sizeof *note + (note->n_namesz + 3) / 4 * 4 + (note->n_descsz + 3) / 4 * 4;
      if (note->n_type != NT_GNU_BUILD_ID || note->n_namesz != 4) continue;
      build_id.clear();
      for (unsigned k = 0; k < note->n_descsz; ++k) {
        char digits[3];
        snprintf(digits, sizeof digits, "%02x", id[k]);
        build_id += digits;
      }
    }
  }
  printf("library %lx %lx %lx %s %s\n", begin, end, (unsigned long)info->dlpi_addr,
         build_id.c_str(), path.c_str());
  return 0;
}

static void print_libraries() { dl_iterate_phdr(print_library, nullptr); }
