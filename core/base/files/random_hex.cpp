#include "files/random_hex.hpp"

#include <random>

#include "files/digest.hpp"

namespace assay::files {

std::string random_hex() {
  std::random_device device;
  const auto bits = [&] { return std::uint64_t{device()} << 32 | device(); };
  return hex({bits(), bits()});
}

}  // namespace assay::files
