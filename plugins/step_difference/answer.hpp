// The comparison in words.
#pragma once

#include <string>
#include <vector>

#include "comparison.hpp"

namespace assay::difference {

/// Significant; with one run per side every difference is shown.
bool is_shown(const Comparison& comparison, const Finding& finding);

/// Whether nobody could tell a change of this size from noise: of one run a side.
bool is_small(const Comparison& comparison);

/// Whether the device works most of a step before, so that phases of the host mostly wait.
bool is_device_bound(const Comparison& comparison);

/// "1.30x slower" for a ratio of times, after / before.
std::string times_text(double ratio, int digits);

/// "+6.10 ms", "-91.0 ms", "0 ns".
std::string signed_time(std::int64_t ns);

/// Innermost parts of a path: "SelfAttention_3/aten::linear".
std::string short_place(const std::string& place);

/// Title and place of a change: "attention: 11 kernels are now flash_fwd_kernel, in forward".
std::string finding_text(const Finding& finding);

/// One sentence of at most 160 characters: size, direction, certainty, causes.
std::string answer(const Comparison& comparison);

/// What to know before reading the answer: poor alignment, sides that are not comparable, median against mean. Whole
/// sentences.
std::vector<std::string> cautions(const Comparison& comparison);

/// What could not be determined, and what to record for it. Whole sentences.
std::vector<std::string> lacks(const Comparison& comparison);

/// Name of a term of the breakdown.
std::string_view account_name(DifferenceTerm account);

}  // namespace assay::difference
