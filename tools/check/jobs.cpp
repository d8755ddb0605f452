#include "check/jobs.hpp"

#include "analyze/one_report.hpp"
#include "analyze/stored_output.hpp"
#include "check/replies.hpp"
#include "check/small_reports.hpp"

namespace assay::check {
namespace {

std::string bytes_of(const std::vector<AnalyzerOutput>& outputs) {
  std::string bytes;
  for (AnalyzerOutput output : outputs) {
    output.notes.clear();
    bytes += to_bytes(output);
  }
  return bytes;
}

}  // namespace

std::vector<AnalyzerOutput> gathered(const Subject& subject, int ranks) {
  std::vector<ReportResult> results(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    ReportBuilder builder("rank_" + std::to_string(rank));
    fill_every_table(builder, rank + 1);
    add_output(results[static_cast<std::size_t>(rank)], subject.analyze(builder.build()));
  }
  return subject.gather(results);
}

CaseReply gathered_twice(const Subject& subject) {
  const std::vector<AnalyzerOutput> first = gathered(subject, 2);
  const Subject another(subject.declared(), subject.given());
  if (bytes_of(gathered(another, 2)) != bytes_of(first))
    return failed("the same job gives different results the second time");
  return reply_of(first);
}

}  // namespace assay::check
