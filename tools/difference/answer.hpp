// The comparison in words.
#pragma once

#include <string>
#include <vector>

#include "difference/comparison.hpp"

namespace assay::difference {

/// "+6.10 ms", "-91.0 ms", "0 ns".
std::string signed_time(std::int64_t ns);

/// The innermost parts of a path: "SelfAttention_3/aten::linear".
std::string short_place(const std::string& place);

/// Title and place of a change: "attention: 11 kernels are now flash_fwd_kernel, in forward".
std::string finding_text(const Finding& finding);

/// The one sentence: size, direction, certainty, cause.
std::string answer(const Comparison& comparison);

/// What has to be known before the answer is read: little aligned, unlike sides, median against mean. Whole sentences.
std::vector<std::string> cautions(const Comparison& comparison);

/// What could not be told, and what would: whole sentences.
std::vector<std::string> lacks(const Comparison& comparison);

/// Name of a line of Accounts.
std::string_view account_name(DifferenceTerm account);

}  // namespace assay::difference
