// Operators, annotations and Python functions as a tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/report.hpp"

namespace assay {

/// Every row of ops once, by depth, so that ancestors come first. Row order is not sufficient: among rows with one
/// start the inner one comes first. Linear.
std::vector<std::size_t> outside_in(const OpTable& ops);

/// Whether [start, end] in ns is inside the host part of the window, inclusive; always true if Window::named is 0.
bool on_host_in_window(const Report& report, std::int64_t start, std::int64_t end);

}  // namespace assay
