#include "timeline/job_timeline.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

#include "assay/algo/participation.hpp"
#include "assay/words.hpp"
#include "conclude/study_tables.hpp"
#include "config/config.hpp"
#include "files/walk.hpp"
#include "load/report_names.hpp"
#include "pipeline/inputs.hpp"
#include "pipeline/jobs_unread.hpp"
#include "pipeline/pipeline.hpp"

namespace assay {
namespace {
namespace fs = std::filesystem;

constexpr const char* kQuestion = "commands/timeline_ranks.toml";

Result<std::vector<FoundFile>> files_at(const std::vector<fs::path>& places) {
  std::map<std::string, FoundFile> files;  // by name, each once
  for (const fs::path& place : places) {
    std::error_code failed;
    if (!fs::is_directory(place, failed)) {
      FoundFile found = sniff(place, place.generic_string());
      if (!is_report(found.kind)) return refusal_of(found);
      files.emplace(found.name, std::move(found));
      continue;
    }
    const std::size_t before = files.size();
    for (const WalkedFile& file : walk(place, named_like_a_report).files) {
      const fs::path path = place / file.below;
      FoundFile found = sniff(path, path.generic_string());
      if (is_report(found.kind)) files.emplace(found.name, std::move(found));
    }
    if (files.size() == before) return no_report_in({&place, 1});
  }
  std::vector<FoundFile> out;
  for (auto& [name, file] : files) out.push_back(std::move(file));
  return out;
}

Catalog catalog_of(const std::vector<FoundFile>& files, const LabelRules& labels) {
  Catalog catalog;
  QuestionCatalog& question = catalog.questions.emplace_back();
  for (const FoundFile& file : files) {
    CatalogEntry entry{catalog.files.size(), ReportRole::kQuestion, {}, {}};
    entry.labels = parse_name(labels, file.path.string()).labels;
    question.entries.push_back(std::move(entry));
    catalog.files.push_back(file);
  }
  return catalog;
}

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
  Result<std::vector<FoundFile>> files = files_at(places);
  if (!files) return files.error();
  if (files->size() == 1) return TimelineReports{std::move(*files), {""}};
  const Result<Question> question = installed_question(kQuestion);
  if (!question) return question.error();
  const Catalog catalog = catalog_of(*files, question->labels);
  const UnreadStudy unread(*question, catalog);
  const StudyView& view = unread.view();
  std::vector<std::size_t> all(files->size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  if (const JobsFound found = unread.jobs(); found.runs > 1) {
    return Error{"a timeline shows one profile or the ranks of one job, but these are " + counted(found.runs, "run") +
                 ": " + found.names}
        .advise("name the profiles of one");
  }
  std::vector<std::tuple<std::int64_t, std::size_t, std::string>> order;
  for (const std::size_t r : all) {
    const std::string rank = job_rank_of(view, r).value_or(RankOf{}).rank;
    std::int64_t number = 0;
    std::from_chars(rank.data(), rank.data() + rank.size(), number);
    order.emplace_back(number, r, rank);
  }
  std::sort(order.begin(), order.end());
  TimelineReports job;
  for (const auto& [number, r, rank] : order) job.files.push_back((*files)[r]), job.ranks.push_back(rank);
  return job;
}

Result<JobClocks> compare_ranks(const TimelineReports& job, const IterationSpec& iterations,
                                const std::vector<fs::path>& plugin_paths, unsigned jobs, const std::atomic<bool>& stop,
                                std::vector<std::vector<std::string>>& remarks) {
  Result<Question> question = installed_question(kQuestion);
  if (!question) return question.error();
  question->iterations = iterations;
  Catalog catalog = catalog_of(job.files, question->labels);
  const auto planned =
      Pipeline::plan({std::move(*question)}, {.plugin_paths = plugin_paths, .jobs = jobs, .stop = &stop});
  if (!planned) return planned.error();
  Pipeline& line = **planned;
  for (const Skip& failure : line.analyzers().front().failures()) return Error{failure.reason, Exit::kUsage};
  line.take(std::move(catalog));
  if (const Status analyzed = line.analyze(); !analyzed) return analyzed.error();
  if (const Status gathered = line.gather(); !gathered) return gathered.error();
  const std::vector<ReportResult>& reports = line.analysis().questions.front();
  const OwnedTable* clocks = table_of(reports, "clocks");
  std::vector<std::string> names;
  remarks.assign(reports.size(), {});
  for (std::size_t r = 0; r < reports.size(); ++r) {
    names.push_back(job.files[r].name);
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
