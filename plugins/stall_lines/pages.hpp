// Sections of `look` and `compare`.
#pragma once

#include "lines.hpp"

namespace assay::stall_lines {

/// Lines of a report's kernels, on its page.
void emit_lines(const StudyView& view, const std::vector<std::size_t>& reports, StudySink& sink);

/// What changed between two reports, as answer and page.
void emit_changes(const StudyView& view, std::size_t before, std::size_t after, StudySink& sink);

}  // namespace assay::stall_lines
