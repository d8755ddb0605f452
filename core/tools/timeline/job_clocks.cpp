#include "timeline/job_clocks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analyze/table_rows.hpp"

namespace assay {
namespace {

/// A row of the table `clocks`: one rank.
struct ClockRow {
  std::string report, alignment;
  std::int64_t aligned = 0, base = 0, offset = 0, pivot = 0;
  double slope = 0;
};

Result<std::vector<ClockRow>> clock_rows(const OwnedTable& table) {
  using Row = ClockRow;
  return read_rows<Row>(table, {{"report", &Row::report},
                                {"aligned", &Row::aligned},
                                {"base", &Row::base},
                                {"offset", &Row::offset},
                                {"slope", &Row::slope},
                                {"pivot", &Row::pivot},
                                {"alignment", &Row::alignment}});
}

/// A row of the table `matched`: a collective on one rank.
struct MatchedRow {
  std::int64_t collective = 0, clock = 0, start = 0, end = 0, wait = 0;  ///< clock: a row of `clocks`
};

Result<std::vector<MatchedRow>> matched_rows(const OwnedTable& table) {
  using Row = MatchedRow;
  return read_rows<Row>(table, {{"collective", &Row::collective},
                                {"clock", &Row::clock},
                                {"start", &Row::start},
                                {"end", &Row::end},
                                {"wait", &Row::wait}});
}

Error not_of_the_job(const char* table, const char* what) {
  return Error{fmt::format("table '{}' of the ranks of this job names a {} that the job does not have", table, what),
               Exit::kFailed}
      .at(table);
}

/// Sets the clocks; returns of each row of the table the rank that it is of.
Result<std::vector<std::size_t>> set_clocks(const OwnedTable& table, const std::vector<std::string>& reports,
                                            JobClocks& job) {
  const Result<std::vector<ClockRow>> rows = clock_rows(table);
  if (!rows) return rows.error();
  std::vector<std::size_t> ranks;
  for (const ClockRow& row : *rows) {
    const auto report = std::ranges::find(reports, row.report);
    if (report == reports.end()) return not_of_the_job("clocks", "report");
    ranks.push_back(static_cast<std::size_t>(report - reports.begin()));
    RankInTrace& rank = job.ranks[ranks.back()];
    rank.clock.base = row.base;
    rank.alignment = row.alignment;
    if (row.aligned == 0) continue;
    rank.clock.offset = row.offset;
    rank.clock.slope = row.slope;
    rank.clock.pivot = row.pivot;
    ++job.aligned;
  }
  return ranks;
}

/// One collective on its ranks: the arrow goes through them as they came.
void add_collective(std::vector<std::pair<std::size_t, SharedCollective>>& on_ranks, JobClocks& job) {
  const auto came = [&](const auto& one) {
    return std::pair(job.ranks[one.first].clock.of(one.second.start), one.first);
  };
  std::sort(on_ranks.begin(), on_ranks.end(), [&](const auto& a, const auto& b) { return came(a) < came(b); });
  for (std::size_t i = 0; i < on_ranks.size() && on_ranks.size() > 1; ++i) {
    auto& [rank, collective] = on_ranks[i];
    collective.part = i == 0 ? ArrowPart::kBegin : i + 1 == on_ranks.size() ? ArrowPart::kEnd : ArrowPart::kThrough;
    job.ranks[rank].collectives.push_back(collective);
  }
  on_ranks.clear();
}

}  // namespace

Result<JobClocks> job_clocks(const OwnedTable* clocks, const OwnedTable* matched,
                             const std::vector<std::string>& reports) {
  JobClocks job;
  job.ranks.resize(reports.size());
  for (RankInTrace& rank : job.ranks) rank.alignment = "not aligned: no collective of the ranks was matched";
  if (clocks == nullptr || matched == nullptr) return job;
  const Result<std::vector<std::size_t>> ranks = set_clocks(*clocks, reports, job);
  if (!ranks) return ranks.error();
  const Result<std::vector<MatchedRow>> rows = matched_rows(*matched);
  if (!rows) return rows.error();
  std::vector<std::pair<std::size_t, SharedCollective>> on_ranks;
  std::int64_t number = 0;
  for (const MatchedRow& row : *rows) {
    const auto clock = static_cast<std::size_t>(row.clock);
    if (clock >= ranks->size()) return not_of_the_job("matched", "clock");
    if (row.collective != number) add_collective(on_ranks, job);
    number = row.collective;
    job.collectives = std::max(job.collectives, number + 1);
    on_ranks.emplace_back((*ranks)[clock],
                          SharedCollective{row.start, row.end, number + 1, ArrowPart::kBegin, row.wait});
  }
  add_collective(on_ranks, job);
  return job;
}

}  // namespace assay
