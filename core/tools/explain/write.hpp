// Explanations as they are printed.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <vector>

#include "explain/explain.hpp"

namespace assay::explain {

/// For people; lines of at most `width` columns, 0: a line for each text.
void print(const Explanation& explanation, std::ostream& to, std::size_t width);
nlohmann::ordered_json json(const Explanation& explanation);
/// docs/metrics.md
void write_reference(const std::vector<Explanation>& all, std::ostream& to);

}  // namespace assay::explain
