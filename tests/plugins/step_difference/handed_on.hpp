// Runs of a made-up program as the host hands them on from one analyzer to the other.
#pragma once

#include <string>
#include <utility>

#include "assay/testing/study_builder.hpp"
#include "made_program.hpp"
#include "plugins/analyzers.hpp"

namespace assay::difference::test {

inline auto& add_run(testing::StudyBuilder& study, const std::string& path, testing::StudyBuilder::LabelValues labels,
                     const MadeProgram& program) {
  testing::ReportBuilder b;
  make(program, b);
  const testing::Recorder given = under_test::step_items::analyzed(b.build());
  auto& entry = study.report(path, std::move(labels));
  for (const testing::RecordedFact& fact : given.facts) entry.fact(fact.metric, fact.value, fact.dims, fact.samples);
  for (const testing::RecordedTable& table : given.study_tables) entry.rows("step_items", table);
  return entry;
}

}  // namespace assay::difference::test
