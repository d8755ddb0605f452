#include "timeline/job_timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "assay/algo/participation.hpp"
#include "assay/words.hpp"
#include "catalog/places.hpp"
#include "conclude/study_tables.hpp"
#include "config/config.hpp"
#include "pipeline/jobs_unread.hpp"
#include "pipeline/pipeline.hpp"
#include "timeline/table_rows.hpp"

namespace assay {
namespace {

/// A row of the table `clocks`, for one rank.
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

/// Sets the clocks; returns the rank of each row of the table.
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

/// One collective on its ranks, in order of arrival.
void add_collective(std::vector<std::pair<std::size_t, SharedCollective>>& on_ranks, JobClocks& job) {
  const auto came = [&](const auto& one) {
    return std::pair(job.ranks[one.first].clock.aligned(one.second.start), one.first);
  };
  std::ranges::sort(on_ranks, [&](const auto& a, const auto& b) { return came(a) < came(b); });
  for (std::size_t i = 0; i < on_ranks.size() && on_ranks.size() > 1; ++i) {
    auto& [rank, collective] = on_ranks[i];
    collective.part = i == 0 ? ArrowPart::kBegin : i + 1 == on_ranks.size() ? ArrowPart::kEnd : ArrowPart::kThrough;
    job.ranks[rank].collectives.push_back(collective);
  }
  on_ranks.clear();
}

namespace fs = std::filesystem;

constexpr const char* kQuestion = "commands/timeline_ranks.toml";

const OwnedTable* table_of(const std::vector<ReportResult>& reports, std::string_view id) {
  for (const ReportResult& report : reports) {
    for (const OwnedTable& table : report.tables) {
      if (table.id == id) return &table;
    }
  }
  return nullptr;
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

Result<TimelineReports> timeline_reports(const std::vector<fs::path>& places) {
  const Result<Question> question = installed_question(kQuestion);
  if (!question) return question.error();
  Result<Catalog> catalog = profiles_at(places, {*question}, {.strict = true, .any_name = true});
  if (!catalog) return catalog.error();
  std::vector<CatalogEntry>& entries = catalog->questions.front().entries;
  std::erase_if(entries, [&](const CatalogEntry& entry) { return !is_report(catalog->files[entry.file].kind); });
  if (entries.empty()) return no_report_in(places);
  std::vector<std::pair<std::int64_t, std::string>> rank_of(entries.size());  // per entry: number and text
  TimelineReports job;
  if (entries.size() > 1) {
    const UnreadStudy unread(*question, *catalog);
    if (const JobsFound found = unread.jobs(); found.runs > 1) {
      return Error{fmt::format("a timeline shows one profile or the ranks of one job, but these are {}: {}",
                               counted(found.runs, "run"), found.names)}
          .advise("name the profiles of one");
    }
    for (std::size_t r = 0; r < entries.size(); ++r) {
      auto& [number, rank] = rank_of[r];
      const JobRank place = job_rank_of(unread.view(), r).value_or(JobRank{});
      rank = place.rank;
      std::from_chars(place.world.data(), place.world.data() + place.world.size(), job.world);
      std::from_chars(rank.data(), rank.data() + rank.size(), number);
    }
  }
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t r) { return rank_of[r].first; });
  std::vector<CatalogEntry> sorted;
  for (const std::size_t r : order) {
    job.files.push_back(files_of(*catalog, entries[r]));
    job.ranks.push_back(rank_of[r].second);
    sorted.push_back(std::move(entries[r]));
  }
  entries = std::move(sorted);
  job.catalog = std::move(*catalog);
  return job;
}

Result<JobClocks> compare_ranks(const TimelineReports& job, const IterationSpec& iterations,
                                const std::vector<fs::path>& plugin_paths, unsigned jobs, const std::atomic<bool>& stop,
                                std::vector<std::vector<std::string>>& remarks) {
  Result<Question> question = installed_question(kQuestion);
  if (!question) return question.error();
  question->iterations = iterations;
  const auto planned =
      Pipeline::plan({std::move(*question)}, {.plugin_paths = plugin_paths, .jobs = jobs, .stop = &stop});
  if (!planned) return planned.error();
  Pipeline& line = **planned;
  for (const Skip& failure : line.analyzers().front().failures()) return Error{failure.reason, Exit::kUsage};
  line.set_inputs(job.catalog);
  if (const Status analyzed = line.analyze(); !analyzed) return analyzed.error();
  if (const Status gathered = line.gather(); !gathered) return gathered.error();
  const std::vector<ReportResult>& reports = line.analysis().questions.front();
  const OwnedTable* clocks = table_of(reports, "clocks");
  std::vector<std::string> names;
  remarks.assign(reports.size(), {});
  for (std::size_t r = 0; r < reports.size(); ++r) {
    names.push_back(job.files[r].file.name);
    for (const OwnedIssue& issue : reports[r].issues) {
      if (issue.severity != Severity::kInfo) remarks[r].push_back(issue.text);
    }
    // Other skips of the analyzer do not matter, unless it emitted no clocks.
    for (const Skip& skip : reports[r].skips) {
      if (clocks == nullptr || !reports[r].loaded) remarks[r].push_back(skip.reason);
    }
  }
  return job_clocks(clocks, table_of(reports, "matched"), names);
}

}  // namespace assay
