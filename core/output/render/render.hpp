// Stage 8, render: prints results and writes them as text.
#pragma once

#include <ostream>

#include "pipeline/run_result.hpp"

namespace assay {

struct TerminalStyle {
  bool colour = false;
  std::size_t width = 100;
  bool wide = false;   ///< tables as wide as they are
  bool whole = false;  ///< shows of several questions everything that a single one would show
};

/// Prints the answer first, then claims, findings, completeness, and what was left out; for several questions only
/// answers, claims with their reasons, and completeness.
void print_summary(const RunResult& run, std::ostream& to, const TerminalStyle& style);

}  // namespace assay
