// A small RunResult made by hand, so that outputs are tested without plugins or reports.
#pragma once

#include <deque>
#include <limits>

#include "render/render.hpp"

namespace assay::testing {

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Owns everything a RunResult borrows. `add_question` first, then fill what `result`, `report` and `run` give.
class SampleRun {
 public:
  SampleRun();
  SampleRun(const SampleRun&) = delete;

  /// One question "q<index>" that sees every file added so far, with metrics a.time_ns (ns), b.ratio (ratio), c.count
  /// (1).
  Question& add_question();
  /// A file and an empty, loaded result of it in every question added later.
  void add_file(const std::string& name);

  [[nodiscard]] Question& first_question() { return questions_.front(); }
  [[nodiscard]] QuestionResult& result(std::size_t question) { return run.questions[question]; }
  [[nodiscard]] ReportResult& report(std::size_t question, std::size_t entry) {
    return run.analysis.questions[question][entry];
  }
  [[nodiscard]] CatalogEntry& entry(std::size_t question, std::size_t index) {
    return catalog.questions[question].entries[index];
  }

  Plan plan;
  Catalog catalog;
  RunResult run;

 private:
  std::deque<Question> questions_;
};

/// A declared label.
LabelSpec label(const std::string& name);

/// An effect with an interval.
OwnedEffect effect(EffectKind kind, std::string metric, std::string unit, double value, double lo, double hi);

/// One question with everything in it: an answer, evidence, claims of two verdicts, skips, issues, a table, a study
/// fact.
void fill(SampleRun& sample);

}  // namespace assay::testing
