// The analyzer under check: constructed from options, called as by the host.
#pragma once

#include <memory>
#include <string>

#include "analyze/report_sink.hpp"
#include "assay/study.hpp"
#include "check/option_values.hpp"

namespace assay::check {

/// Output of `conclude`, as far as two calls are comparable.
struct ConcludeResult {
  std::string failure;   ///< why it failed; empty if it succeeded
  bool refused = false;  ///< failed with its own sentence, as opposed to breaking a rule
  std::string bytes;     ///< facts, findings, tables, plots, text files, verdicts and skips
  std::size_t facts = 0, findings = 0, tables = 0, plots = 0;
};

class Subject {
 public:
  /// Constructs the analyzer from `given` and defaults; if the constructor rejects them, also sets options for a metric
  /// and a label that have no default.
  Subject(const Descriptor& declared, const OptionInputs& given);

  /// Sentence of the constructor that rejected its options; empty if there is an analyzer.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }
  [[nodiscard]] const Descriptor& declared() const { return *declared_; }
  [[nodiscard]] const OptionInputs& given() const { return given_; }
  [[nodiscard]] const testing::OptionMap& options() const { return *options_; }

  [[nodiscard]] AnalyzerOutput analyze(const Report& report) const { return analyze_as(*declared_, report); }
  /// Analyzes as if other columns were declared.
  [[nodiscard]] AnalyzerOutput analyze_as(const Descriptor& declared, const Report& report) const;
  [[nodiscard]] std::vector<AnalyzerOutput> gather(const std::vector<ReportResult>& ranks) const;
  [[nodiscard]] ConcludeResult conclude(const Study& study) const;

 private:
  struct Destroy {
    void operator()(Analyzer* analyzer) const noexcept { analyzer->destroy(); }
  };
  void make(const OptionInputs& given);

  const Descriptor* declared_;
  OptionInputs given_;
  std::unique_ptr<testing::OptionMap> options_;
  std::unique_ptr<Analyzer, Destroy> analyzer_;
  std::string refusal_;
};

/// A metric for options: one that the analyzer consumes, else one that it produces.
std::string some_metric(const Descriptor& declared);

}  // namespace assay::check
