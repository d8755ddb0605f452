// What is claimed beside what was measured: in words, and as a small drawing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conclude/conclude.hpp"

namespace assay {

/// The texts of a key of the claim's own; null: it has none of this name.
const std::vector<std::string>* claim_key(const OwnedClaim& claim, std::string_view name);

/// "× 0.600 to 0.700", "at least 21.0 GB/s", "1"; empty for a claim without a range.
std::string claimed_text(const OwnedClaim& claim);

/// One stratum's effect with its interval, or the range over several: "× 0.141 to 0.283 in 5 strata".
std::string measured_text(const OwnedClaim& claim);

/// "4", or "2 to 4 a stratum": runs that the measured effects rest on; "0" without any.
std::string runs_text(const OwnedClaim& claim);

/// The claimed range as a band and each stratum's value with its interval as a line across it, as an SVG element;
/// empty without a range or a measured stratum. What reaches beyond the drawing ends in an arrow.
std::string claim_drawing(const OwnedClaim& claim);

}  // namespace assay
