// Stage 8, render: results to texts and to the terminal.
#pragma once

#include <ostream>

#include "pipeline/run_result.hpp"

namespace assay {

struct TerminalStyle {
  bool colour = false;
  std::size_t width = 100;
  bool whole = false;  ///< of several questions too: all that one question alone would show
};

/// The answer first, then claims, findings, completeness, and what was left out; of several questions only answers,
/// claims with their reasons, and completeness.
void print_summary(const RunResult& run, std::ostream& to, const TerminalStyle& style);

}  // namespace assay
