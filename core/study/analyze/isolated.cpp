#include "analyze/isolated.hpp"

#include "analyze/one_report.hpp"
#include "analyze/stored_output.hpp"

namespace assay {
namespace {

AnalyzerOutput failed(const Descriptor& declared, const Report& report, std::string reason) {
  AnalyzerOutput output;
  output.skips.push_back({text_of(report.path), text_of(declared.id), std::move(reason), true});
  return output;
}

}  // namespace

AnalyzerOutput run_isolated(const Descriptor& declared, const Analyzer& analyzer, const Report& report,
                            const process::Limits& limits, const std::atomic<bool>& stop) {
  const process::Outcome outcome =
      process::contained(limits, [&] { return to_bytes(run_analyzer(declared, analyzer, report)); }, &stop);
  if (!outcome.answer) {
    return failed(declared, report, what_happened(outcome, limits) + " while analyzing " + text_of(report.path));
  }
  std::optional<AnalyzerOutput> output = output_from_bytes(*outcome.answer, declared);
  if (!output) return failed(declared, report, "spoiled its own results while analyzing " + text_of(report.path));
  return std::move(*output);
}

std::optional<std::string> rehearse(const process::Limits& limits, const std::function<void()>& work) {
  const process::Outcome outcome = process::contained(limits, [&] {
    work();
    return std::string();
  });
  if (outcome.answer) return std::nullopt;
  return what_happened(outcome, limits);
}

std::optional<std::string> rehearse_constructor(const Descriptor& declared, const Options& options,
                                                const process::Limits& limits) {
  return rehearse(limits, [&] {
    ErrorText errors;
    if (Analyzer* made = declared.create(options, errors)) made->destroy();
  });
}

}  // namespace assay
