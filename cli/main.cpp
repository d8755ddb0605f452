// Entry point only: the library around run_program is compiled with its own precompiled headers.
#include <malloc.h>

#include "cli/program.hpp"

int main(int argc, char** argv) {
#ifdef __GLIBC__
  // A file is read and freed after the other: giving its pages back each time costs a fifth of reading 512 dumps.
  constexpr int kMappedFrom = 32 << 20, kKeptFree = 64 << 20;
  mallopt(M_MMAP_THRESHOLD, kMappedFrom);
  mallopt(M_TRIM_THRESHOLD, kKeptFree);
#endif
  return assay::run_program(argc, argv);
}
