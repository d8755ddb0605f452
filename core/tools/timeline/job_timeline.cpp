#include "timeline/job_timeline.hpp"

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

namespace assay {
namespace {
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

Result<TimelineReports> timeline_reports(const std::vector<fs::path>& places) {
  const Result<Question> question = installed_question(kQuestion);
  if (!question) return question.error();
  Result<Catalog> catalog = profiles_at(places, {*question}, {.strict = true, .any_name = true});
  if (!catalog) return catalog.error();
  std::vector<CatalogEntry>& entries = catalog->questions.front().entries;
  std::erase_if(entries, [&](const CatalogEntry& entry) { return !is_report(catalog->files[entry.file].kind); });
  if (entries.empty()) return no_report_in(places);
  std::vector<std::pair<std::int64_t, std::string>> rank_of(entries.size());  // by entry: number and text
  if (entries.size() > 1) {
    const UnreadStudy unread(*question, *catalog);
    if (const JobsFound found = unread.jobs(); found.runs > 1) {
      return Error{"a timeline shows one profile or the ranks of one job, but these are " + counted(found.runs, "run") +
                   ": " + found.names}
          .advise("name the profiles of one");
    }
    for (std::size_t r = 0; r < entries.size(); ++r) {
      auto& [number, rank] = rank_of[r];
      rank = job_rank_of(unread.view(), r).value_or(RankOf{}).rank;
      std::from_chars(rank.data(), rank.data() + rank.size(), number);
    }
  }
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t r) { return rank_of[r].first; });
  TimelineReports job;
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
  line.take(job.catalog);
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
    // What else the analyzer could not give is no matter here, unless it gave no clocks.
    for (const Skip& skip : reports[r].skips) {
      if (clocks == nullptr || !reports[r].loaded) remarks[r].push_back(skip.reason);
    }
  }
  return job_clocks(clocks, table_of(reports, "matched"), names);
}

}  // namespace assay
