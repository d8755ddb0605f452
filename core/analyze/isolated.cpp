#include "analyze/isolated.hpp"

#include "analyze/one_report.hpp"
#include "analyze/stored_output.hpp"

namespace assay {
namespace {

using isolate::Fate;

AnalyzerOutput failed(const Descriptor& declared, const Report& report, std::string reason) {
  AnalyzerOutput output;
  output.skips.push_back({text_of(report.path), text_of(declared.id), std::move(reason), true});
  return output;
}

}  // namespace

AnalyzerOutput run_isolated(const Descriptor& declared, const Analyzer& analyzer, const Report& report,
                            const isolate::Limits& limits, const std::atomic<bool>& stop) {
  const isolate::Outcome outcome =
      isolate::contained(limits, [&] { return to_bytes(run_analyzer(declared, analyzer, report)); }, &stop);
  if (outcome.fate != Fate::kDone) {
    return failed(declared, report, what_happened(outcome, limits) + " while analyzing " + text_of(report.path));
  }
  std::optional<AnalyzerOutput> output = output_from_bytes(outcome.answer, declared);
  if (!output) return failed(declared, report, "spoiled its own results while analyzing " + text_of(report.path));
  return std::move(*output);
}

std::optional<std::string> rehearse(const isolate::Limits& limits, const std::function<void()>& work) {
  const isolate::Outcome outcome = isolate::contained(limits, [&] {
    work();
    return std::string();
  });
  if (outcome.fate == Fate::kDone) return std::nullopt;
  return what_happened(outcome, limits);
}

std::optional<std::string> rehearse_constructor(const Descriptor& declared, const Options& options,
                                                const isolate::Limits& limits) {
  return rehearse(limits, [&] {
    ErrorText errors;
    if (Analyzer* made = declared.create(options, errors)) made->destroy();
  });
}

}  // namespace assay
