// Dumps of the flight recorder made of any bytes: read, or refused in a sentence; what is read fits into the rows.
#include <cstdlib>

#include "dump.hpp"

namespace assay::fuzz_of_hang {

using namespace assay::flight_recorder;

extern "C" int hang_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    // An entry takes at least two bytes of any dump.
    if (read_dump(bytes, std::size_t{64} << 20U).entries.size() > size) std::abort();
  } catch (const pickles::Refusal& refusal) {
    if (*refusal.what() == '\0') std::abort();
  }
  return 0;
}

}  // namespace assay::fuzz_of_hang
