// A good analyzer that also does something as soon as its library is loaded, or when it is let go of.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <thread>

#include "good.hpp"

namespace {

/// One byte more in the file that the test names.
[[maybe_unused]] void count_load() {
  const char* const name = std::getenv("ASSAY_TEST_LOADS");
  std::FILE* const file = name == nullptr ? nullptr : std::fopen(name, "a");
  if (file == nullptr) return;
  std::fputc('x', file);
  std::fclose(file);
}

[[maybe_unused]] void spin() {
  for (volatile bool on = true; on;) continue;
}

__attribute__((constructor)) void at_load() { ASSAY_AT_LOAD; }
__attribute__((destructor)) void at_unload() { ASSAY_AT_UNLOAD; }

}  // namespace

ASSAY_PLUGIN(AT_LOAD_ID, "1.0.0", good::Good);
