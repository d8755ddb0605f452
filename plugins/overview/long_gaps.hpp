// Texts about idle gaps of 10 ms and more.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "words.hpp"

namespace assay::overview {

/// ", 22.8 s of it in 88 gaps over 10 ms, most in 'XlaCompile'", for time in API calls ", 463 ms of it in 1 gap over
/// 10 ms, most in hipMemcpy of 'step'". Empty if less than half of the idle time of that cause is in such gaps.
std::string long_gaps_text(const Run& run, std::string_view cause);

/// Recommendations for API calls and waits whose long gaps take at least `least` of the window. They have no predicted
/// gain: a single long wait is not in a loop.
std::vector<Advice> gap_advice(const Run& run, double least);

}  // namespace assay::overview
