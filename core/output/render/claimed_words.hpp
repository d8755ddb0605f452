// What is claimed beside what was measured: in words, and as a small drawing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conclude/conclude.hpp"

namespace assay {

/// The texts of a key of the claim's own; null: it has none of this name.
const std::vector<std::string>* claim_key(const OwnedClaim& claim, std::string_view name);

/// "direction=h2d"; empty: the claim names no dims.
std::vector<std::string> claim_dims(const OwnedClaim& claim);

/// "× 0.600 to 0.700", "at least 21.0 GB/s", "1"; empty for a claim without a range.
std::string claimed_text(const OwnedClaim& claim);

/// One stratum's effect with its interval, or the range over several: "× 0.141 to 0.283 in 5 pairs".
std::string measured_text(const OwnedClaim& claim);

/// Metric that the claim is judged on, with its dims: "copy.bandwidth_bytes_per_s (direction=h2d)"; empty without a
/// range.
std::string judged_on(const OwnedClaim& claim);

/// Why the claim has its verdict, the numbers first: "measured 2.10 [1.82, 2.43], claimed 2.70 to 3.30: speedup". The
/// reason follows unless the numbers show it.
std::string verdict_reason(const OwnedClaim& claim);

/// What a stratum of the claim is for readers, counted: "1 pair", "13 settings".
std::string counted_strata(const OwnedClaim& claim);

/// "4", or "2 to 4 each": runs that the measured effects rest on; "0" without any.
std::string runs_text(const OwnedClaim& claim);

/// The claimed range as a band and each stratum's value with its interval as a line across it, as an SVG element;
/// empty without a range or a measured stratum. What reaches beyond the drawing ends in an arrow.
std::string claim_drawing(const OwnedClaim& claim);

}  // namespace assay
