#include "codeobject/unpacking.h"

#include <dlfcn.h>

#include <new>
#include <utility>

namespace greta::codeobject {
namespace {

// A function of a library that may not be installed. The library stays loaded.
template <typename Function>
Function* find_function(const char* library, const char* name) {
  void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  return handle != nullptr ? reinterpret_cast<Function*>(dlsym(handle, name)) : nullptr;
}

enum class Outcome { unpacked, corrupt, no_library };

Outcome unpack_zstd(const ByteVector& packed, unsigned char* to, size_t size) {
  using Decompress = size_t(void*, size_t, const void*, size_t);
  static Decompress* const decompress =
      find_function<Decompress>("libzstd.so.1", "ZSTD_decompress");
  if (decompress == nullptr) return Outcome::no_library;
  // Its errors are numbers just below 2^64, so one comparison is enough.
  return decompress(to, size, packed.data(), packed.size()) == size ? Outcome::unpacked
                                                                    : Outcome::corrupt;
}

Outcome unpack_zlib(const ByteVector& packed, unsigned char* to, size_t size) {
  using Uncompress = int(unsigned char*, unsigned long*, const unsigned char*, unsigned long);
  static Uncompress* const uncompress = find_function<Uncompress>("libz.so.1", "uncompress");
  if (uncompress == nullptr) return Outcome::no_library;
  unsigned long written = size;
  const bool complete = uncompress(to, &written, packed.data(), packed.size()) == 0;
  return complete && written == size ? Outcome::unpacked : Outcome::corrupt;
}

std::string library_missing(Compression compression) {
  const char* name = compression == Compression::zstd ? "libzstd.so.1" : "libz.so.1";
  return std::string("it is compressed and ") + name + " is not installed";
}

}  // namespace

// The memory is not touched before it is written to, so that a size that is a lie costs nothing.
Unpacked unpack(Compression compression, const ByteVector& packed, size_t size) {
  std::unique_ptr<unsigned char[]> bytes(new (std::nothrow) unsigned char[size]);
  if (bytes == nullptr) return {nullptr, 0, "there is no memory to unpack it"};
  const Outcome outcome = compression == Compression::zstd ? unpack_zstd(packed, bytes.get(), size)
                                                           : unpack_zlib(packed, bytes.get(), size);
  switch (outcome) {
    case Outcome::unpacked:
      return {std::move(bytes), size, {}};
    case Outcome::no_library:
      return {nullptr, 0, library_missing(compression)};
    case Outcome::corrupt:
      break;
  }
  return {nullptr, 0, "its compressed part is corrupt"};
}

}  // namespace greta::codeobject
