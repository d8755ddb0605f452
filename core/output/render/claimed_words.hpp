// Shows the claimed range next to the measurements: in words, and as a small drawing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conclude/conclude.hpp"
#include "config/claim_keys.hpp"

namespace assay {

/// Texts of a key of the claim; null: it has no such key.
const std::vector<std::string>* claim_key(const OwnedClaim& claim, std::string_view name);
/// Its keys that are texts.
ClaimShape shape_of(const OwnedClaim& claim);

/// "direction=h2d"; empty: the claim names no dims.
std::vector<std::string> claim_dims(const OwnedClaim& claim);

/// "× 0.600 to 0.700", "at least 21.0 GB/s", "1"; empty without a range.
std::string claimed_text(const OwnedClaim& claim);

/// Effect of the only stratum with its interval, or the range over several: "× 0.141 to 0.283 in 5 pairs".
std::string measured_text(const OwnedClaim& claim);

/// Metric that decides the claim, with its dims: "copy.bandwidth_bytes_per_s (direction=h2d)"; empty without a range.
std::string judged_on(const OwnedClaim& claim);

/// Reason for the verdict, numbers first: "measured 2.10 [1.82, 2.43], claimed 2.70 to 3.30: speedup". The text of the
/// reason follows unless the numbers say it.
std::string verdict_reason(const OwnedClaim& claim);

/// Strata of the claim, counted in the reader's words: "1 pair", "13 settings".
std::string counted_strata(const OwnedClaim& claim);

/// Runs behind the measured effects: "4", or "2 to 4 each"; "0" if there are none.
std::string runs_text(const OwnedClaim& claim);

/// SVG element with the claimed range as a band and a line per stratum for value and interval; empty without a range or
/// a measured stratum. Parts beyond the drawing end in an arrow.
std::string claim_drawing(const OwnedClaim& claim);

}  // namespace assay
