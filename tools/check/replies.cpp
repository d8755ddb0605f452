#include "check/replies.hpp"

#include <fmt/core.h>

#include "assay/words.hpp"

namespace assay::check {

void OutputCounts::add(const AnalyzerOutput& output) {
  facts += output.facts.size();
  tables += output.tables.size();
}

void OutputCounts::add(const ConcludeResult& concluded) {
  facts += concluded.facts;
  tables += concluded.tables;
  findings += concluded.findings;
  plots += concluded.plots;
}

std::string OutputCounts::text() const {
  return fmt::format("{}{}, {}{}", findings > 0 ? counted(findings, "finding") + ", " : "", counted(facts, "fact"),
                     counted(tables, "table"), plots > 0 ? ", " + counted(plots, "plot") : "");
}

CaseReply reply_of(const AnalyzerOutput& output) {
  for (const Skip& skip : output.skips) {
    if (skip.failed) return failed(skip.reason);
  }
  if (output.lacking) return {CaseStatus::kOk, "left out: " + output.skips.front().reason};
  OutputCounts made;
  made.add(output);
  return {CaseStatus::kOk, made.text()};
}

CaseReply reply_of(const std::vector<AnalyzerOutput>& of_ranks) {
  OutputCounts made;
  for (const AnalyzerOutput& output : of_ranks) {
    if (CaseReply reply = reply_of(output); reply.answer == CaseStatus::kFailed) return reply;
    made.add(output);
  }
  return {CaseStatus::kOk, made.text()};
}

CaseReply reply_of(const ConcludeResult& concluded) {
  if (!concluded.failure.empty()) return failed("conclude failed: " + concluded.failure);
  OutputCounts made;
  made.add(concluded);
  return {CaseStatus::kOk, made.text()};
}

}  // namespace assay::check
