// Operators, annotations and Python functions as a tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/report.hpp"

namespace assay {

/// Rows of ops with ancestors first. Row order is not sufficient: among rows with one start the inner one comes first.
std::vector<std::size_t> outside_in(const OpTable& ops);

/// Whether a row is in the host part of the window (always true without a named window).
bool on_host_in_window(const Report& report, std::int64_t start, std::int64_t end);

}  // namespace assay
