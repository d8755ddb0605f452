// Stage 8, render: results to files and to the terminal.
#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "conclude/conclude.hpp"

namespace assay {

/// Everything the outputs are made from.
struct RunResult {
  const Plan* plan = nullptr;
  const Catalog* catalog = nullptr;
  Analysis analysis;
  std::vector<QuestionResult> questions;
};

/// Whether outputs can be written to `out`, asked before the work is done. Leaves nothing behind.
Status check_output_folder(const std::filesystem::path& out);

/// Writes facts.csv, findings.json, report.html, report.md with plots/*.svg, results.sqlite (and
/// reports/.../*_performance_analysis.txt where asked) into `out`: everything into a temporary folder inside it first
/// (the same file system, whatever `out` is a link to), then renamed file by file, so that a failed run leaves what was
/// there whole. Files that an earlier run wrote and this one does not are removed; no other file is touched. Returns
/// the names written, sorted.
Result<std::vector<std::string>> write_outputs(const RunResult& run, const std::filesystem::path& out);

struct TerminalStyle {
  bool colour = false;
  std::size_t width = 100;
  bool whole = false;  ///< of several questions too: all that one question alone would show
};

/// The answer first, then claims, findings, completeness, and what was left out; of several questions only answers,
/// claims with their reasons, and completeness.
void print_summary(const RunResult& run, std::ostream& to, const TerminalStyle& style);

}  // namespace assay
