// Converts units printed by Nsight Compute to base units.
#pragma once

#include <string>
#include <string_view>

namespace assay::ncu {

struct BaseUnit {
  std::string name;  ///< "ns", "byte", "byte/s", "hz", "cycle", "%", ...; empty: a plain number
  double factor = 1;
};

/// The base unit of `unit` and the factor to convert values to it. Times become ns, rates per second, cycles per second
/// hz. Prefixes are decimal, as in ncu (16,384 bytes print as 16.38 Kbyte), except Ki, Mi, Gi, Ti. Unknown units stay
/// as they are with factor 1.
BaseUnit base_unit(std::string_view unit);

}  // namespace assay::ncu
