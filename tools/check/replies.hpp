// Output of an analyzer as the reply of a case.
#pragma once

#include <string>

#include "check/checks.hpp"
#include "check/subject.hpp"

namespace assay::check {

inline bool analyzes(const Descriptor& declared) { return (declared.stages & kStageAnalyze) != 0; }
inline bool gathers(const Descriptor& declared) { return (declared.stages & kStageGather) != 0; }
inline bool concludes(const Descriptor& declared) { return (declared.stages & kStageConclude) != 0; }

inline CaseReply failed(std::string why) { return {CaseStatus::kFailed, std::move(why)}; }

struct OutputCounts {
  std::size_t facts = 0, tables = 0, findings = 0, plots = 0;

  void add(const AnalyzerOutput& output);
  void add(const ConcludeResult& concluded);
  [[nodiscard]] bool any() const { return facts + tables + findings + plots > 0; }
  [[nodiscard]] std::string text() const;
};

CaseReply reply_of(const AnalyzerOutput& output);
CaseReply reply_of(const std::vector<AnalyzerOutput>& of_ranks);
CaseReply reply_of(const ConcludeResult& concluded);

}  // namespace assay::check
