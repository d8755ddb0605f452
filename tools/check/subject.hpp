// An analyzer under check: made from options, called as the host calls it.
#pragma once

#include <memory>
#include <string>

#include "analyze/report_sink.hpp"
#include "assay/study.hpp"
#include "check/option_values.hpp"

namespace assay::check {

/// What `conclude` gave, as far as two calls can be compared.
struct ConcludeResult {
  std::string failure;   ///< why it failed; empty when it came through
  bool refused = false;  ///< it failed with a sentence of its own, as against breaking a rule
  std::string bytes;     ///< facts, findings, tables, plots, text files, verdicts and skips
  std::size_t facts = 0, findings = 0, tables = 0, plots = 0;
};

class Subject {
 public:
  /// Makes the analyzer from `given` and defaults; where its constructor refuses them, also names a metric and a label
  /// for the options that have none.
  Subject(const Descriptor& declared, const OptionInputs& given);

  /// The sentence with which the constructor refused; empty when there is an analyzer.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }
  [[nodiscard]] const Descriptor& declared() const { return *declared_; }
  [[nodiscard]] const OptionInputs& given() const { return given_; }
  [[nodiscard]] const testing::OptionMap& options() const { return *options_; }

  [[nodiscard]] AnalyzerOutput analyze(const Report& report) const { return analyze_as(*declared_, report); }
  /// As if the analyzer declared other columns.
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

/// A metric that options may name: one that the analyzer consumes, else one that it produces.
std::string some_metric(const Descriptor& declared);

}  // namespace assay::check
