// Operators, annotations and python functions as a tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/report.hpp"

namespace assay {

/// Rows of ops with those around a row before it. A row's number does not tell: of rows with one start the inner one
/// comes first.
std::vector<std::size_t> outside_in(const OpTable& ops);

/// Whether a row lies in the window's part of the host (always, without a named window).
bool on_host_in_window(const Report& report, std::int64_t start, std::int64_t end);

}  // namespace assay
