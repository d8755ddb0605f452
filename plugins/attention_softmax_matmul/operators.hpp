// The parts of attention by the framework's own operators, where nobody put ranges around them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "assay/algo/named_ranges.hpp"
#include "shape.hpp"

namespace assay::attention {

/// Names of operators, as the options give them: whole strings.
struct OperatorNames {
  std::vector<std::string> products, softmax, whole;
};

/// Operators of each part, by part; nested ones are left out. On a thread the last product before a softmax is its
/// scores and the first one after it its values; a softmax without both, and every other product, is none of attention.
/// Nothing where the report has no operators.
using OperatorParts = std::array<std::vector<NamedRanges::Instance>, kPartNames.size()>;
OperatorParts parts_by_operators(const Report& report, const OperatorNames& names);

}  // namespace assay::attention
