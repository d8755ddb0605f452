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

/// Whether outputs can be written to `out`, asked before the work is done: a new folder, an empty one, or one that
/// assay wrote; with `force` any. Leaves nothing behind.
Status check_output_folder(const std::filesystem::path& out, bool force = false);

/// Writes facts.csv, findings.json, report.html, report.md with plots/*.svg, results.sqlite (and
/// reports/.../*_performance_analysis.txt where asked), all together (files/result_folder.hpp): a failed run leaves
/// what was there whole, and nobody sees files of two runs side by side. Files that an earlier run wrote and this one
/// does not are removed; no other file is touched, except that `force` replaces files of the same names. Returns the
/// names written, sorted.
Result<std::vector<std::string>> write_outputs(const RunResult& run, const std::filesystem::path& out,
                                               bool force = false);

struct TerminalStyle {
  bool colour = false;
  std::size_t width = 100;
  bool whole = false;  ///< of several questions too: all that one question alone would show
};

/// The answer first, then claims, findings, completeness, and what was left out; of several questions only answers,
/// claims with their reasons, and completeness.
void print_summary(const RunResult& run, std::ostream& to, const TerminalStyle& style);

}  // namespace assay
