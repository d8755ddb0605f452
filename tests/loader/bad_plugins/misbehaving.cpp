// An analyzer that emits one good fact in either stage and then does what ASSAY_IN_CONSTRUCTOR, ASSAY_IN_ANALYZE or
// ASSAY_IN_CONCLUDE say. Its own good facts must vanish with it.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "assay/plugin.hpp"

namespace {

inline constexpr assay::MetricSpec kMetrics[] = {
    {MISBEHAVING_ID ".value", "1", assay::Polarity::kNeutral, "A value of the report."},
    {MISBEHAVING_ID ".study_value", "1", assay::Polarity::kNeutral, "A value of the study."},
};

/// What an author does who thinks that a refused emission may be ignored.
[[maybe_unused]] void emit_undeclared_and_swallow(assay::ReportSink& sink) {
  try {
    sink.fact("never.declared", 1);
  } catch (const assay::EmitError&) {  // this is the misbehaviour
  }
}

/// Touches what it asks for, until there is no more.
[[maybe_unused]] void allocate_without_end() {
  std::vector<std::unique_ptr<std::string>> kept;
  while (true) kept.push_back(std::make_unique<std::string>(std::size_t{16} << 20, 'x'));
}

/// Another one at every call: what a function of its input never has.
[[maybe_unused]] int next_number() {
  static std::atomic<int> number{0};
  return number++;
}

/// Asks for a cell of an optional column without asking whether there is one.
[[maybe_unused]] void trust_in_a_column(const assay::Report& report) {
  if (report.kernels != nullptr && report.kernels->rows > 0) static_cast<void>(report.kernels->grid_y[0]);
}

struct Misbehaving {
  static constexpr std::string_view kSummary = "Breaks one rule.";
  static constexpr assay::ColumnId kWants[] = {assay::col::kernels, assay::col::kernel_grid};
  static constexpr auto& kProduces = kMetrics;

  explicit Misbehaving([[maybe_unused]] const assay::Options& options) { ASSAY_IN_CONSTRUCTOR; }

  void analyze([[maybe_unused]] const assay::Report& report, assay::ReportSink& sink) const {
    sink.fact(MISBEHAVING_ID ".value", 1);
    ASSAY_IN_ANALYZE;
  }

  void conclude([[maybe_unused]] const assay::Study& study, assay::StudySink& sink) const {
    sink.fact(MISBEHAVING_ID ".study_value", 1);
    ASSAY_IN_CONCLUDE;
  }
};

}  // namespace

ASSAY_PLUGIN(MISBEHAVING_ID, "1.0.0", Misbehaving);
