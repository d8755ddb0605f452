// Runs the analyzer whose plugin.cpp is linked into the test program.
#pragma once

#include "assay/testing/run_analyzer.hpp"

extern "C" {
extern const assay::Descriptor assay_plugin;
}

namespace assay::testing {

/// What `analyze` emits for the report. Throws std::runtime_error with the analyzer's message if it fails.
inline Recorder analyzed(const Report& report, const OptionInputs& options = {}) {
  return analyzed_by(assay_plugin, report, options);
}

/// What `gather` emits for the job; throws likewise.
inline JobRecorder gathered(const Job& job, const OptionInputs& options = {}) {
  return gathered_by(assay_plugin, job, options);
}

/// What `conclude` emits for the study; throws likewise.
inline Recorder concluded(const Study& study, const OptionInputs& options = {}) {
  return concluded_by(assay_plugin, study, options);
}

}  // namespace assay::testing
