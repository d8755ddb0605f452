// Runs the analyzer whose plugin.cpp is linked into the test program.
#pragma once

#include "assay/testing/run_analyzer.hpp"

extern "C" {
extern const assay::Descriptor assay_plugin;
}

namespace assay::testing {

/// What `analyze` hands out for the report. Throws std::runtime_error with the analyzer's own sentence when it fails.
inline Recorder analyzed(const Report& report, const OptionInputs& options = {}) {
  return analyzed_by(assay_plugin, report, options);
}

/// Likewise `gather`, for the job.
inline JobRecorder gathered(const Job& job, const OptionInputs& options = {}) {
  return gathered_by(assay_plugin, job, options);
}

/// Likewise `conclude`, for the study.
inline Recorder concluded(const Study& study, const OptionInputs& options = {}) {
  return concluded_by(assay_plugin, study, options);
}

}  // namespace assay::testing
