// Runs the analyzer whose plugin.cpp is linked into the test program.
#pragma once

#include "assay/testing/run_analyzer.hpp"

extern "C" {
extern const assay::Descriptor assay_plugin;
}

namespace assay::testing {

/// Output of `analyze` for the report; like analyzed_by.
inline Recorder analyzed(const Report& report, const OptionInputs& options = {}) {
  return analyzed_by(assay_plugin, report, options);
}

/// Output of `gather` for the job; like gathered_by.
inline JobRecorder gathered(const Job& job, const OptionInputs& options = {}) {
  return gathered_by(assay_plugin, job, options);
}

/// Output of `conclude` for the study; like concluded_by.
inline Recorder concluded(const Study& study, const OptionInputs& options = {}) {
  return concluded_by(assay_plugin, study, options);
}

}  // namespace assay::testing
