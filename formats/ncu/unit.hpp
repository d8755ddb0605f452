// Units as Nsight Compute prints them, to base units.
#pragma once

#include <string>
#include <string_view>

namespace assay::load {

struct BaseUnit {
  std::string name;  ///< "ns", "byte", "byte/s", "hz", "cycle", "%", ...; empty: a plain number
  double factor = 1;
};

/// What a value in `unit` is multiplied by to be one in the base unit. Times become ns, rates are per second, cycles
/// per second are hz. Prefixes are decimal, as ncu's are (16,384 bytes print as 16.38 Kbyte), except Ki, Mi, Gi, Ti. A
/// unit that is not known stays as it is, with factor 1.
BaseUnit base_unit(std::string_view unit);

}  // namespace assay::load
