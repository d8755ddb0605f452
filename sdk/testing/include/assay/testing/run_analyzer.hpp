// Runs an analyzer through its descriptor, as the host does.
#pragma once

#include <memory>
#include <stdexcept>

#include "assay/abi.hpp"
#include "assay/testing/job_builder.hpp"
#include "assay/testing/options.hpp"
#include "assay/testing/recorder.hpp"

namespace assay::testing {

/// Output of `analyze` of a plugin for the report. Throws std::runtime_error with the analyzer's message if its
/// constructor or `analyze` fails, std::invalid_argument for invalid `options` (OptionMap).
inline Recorder analyzed_by(const Descriptor& plugin, const Report& report, const OptionInputs& options = {}) {
  DeclaredOutputs declared;
  for (const MetricSpec& spec : plugin.produces.view()) declared.metrics.emplace_back(spec.id.view());
  for (const AttributeSpec& spec : plugin.attributes.view()) declared.attributes.emplace_back(spec.name.view());
  Recorder recorder(declared);
  const OptionMap given(plugin.options.view(), options);
  const auto destroy = [](Analyzer* analyzer) { analyzer->destroy(); };
  const std::unique_ptr<Analyzer, decltype(destroy)> analyzer(plugin.create(given, recorder), destroy);
  if (analyzer == nullptr || !analyzer->analyze(report, recorder, recorder)) {
    throw std::runtime_error(recorder.failures.empty() ? "failed without a sentence" : recorder.failures.front());
  }
  return recorder;
}

/// Output of `gather` of a plugin for the job. Throws like analyzed_by.
inline JobRecorder gathered_by(const Descriptor& plugin, const Job& job, const OptionInputs& options = {}) {
  DeclaredOutputs declared;
  for (const MetricSpec& spec : plugin.produces.view()) declared.metrics.emplace_back(spec.id.view());
  JobRecorder recorder(declared, static_cast<std::size_t>(job.ranks->rows));
  const OptionMap given(plugin.options.view(), options);
  const auto destroy = [](Analyzer* analyzer) { analyzer->destroy(); };
  const std::unique_ptr<Analyzer, decltype(destroy)> analyzer(plugin.create(given, recorder), destroy);
  if (analyzer == nullptr || !analyzer->gather(job, recorder, recorder)) {
    throw std::runtime_error(recorder.failures.empty() ? "failed without a sentence" : recorder.failures.front());
  }
  return recorder;
}

/// Output of `conclude` of a plugin for the study. Throws like analyzed_by.
inline Recorder concluded_by(const Descriptor& plugin, const Study& study, const OptionInputs& options = {}) {
  DeclaredOutputs declared;
  for (const MetricSpec& spec : plugin.produces.view()) declared.metrics.emplace_back(spec.id.view());
  Recorder recorder(declared, &study);
  const OptionMap given(plugin.options.view(), options);
  const auto destroy = [](Analyzer* analyzer) { analyzer->destroy(); };
  const std::unique_ptr<Analyzer, decltype(destroy)> analyzer(plugin.create(given, recorder), destroy);
  if (analyzer == nullptr || !analyzer->conclude(study, recorder, recorder)) {
    throw std::runtime_error(recorder.failures.empty() ? "failed without a sentence" : recorder.failures.front());
  }
  return recorder;
}

}  // namespace assay::testing
