#include "app/timeline/job_timeline.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

#include "analyze/analyze.hpp"
#include "app/inputs.hpp"
#include "assay/algo/participation.hpp"
#include "assay/words.hpp"
#include "conclude/gather.hpp"
#include "conclude/study_tables.hpp"
#include "files/walk.hpp"

namespace assay {
namespace {
namespace fs = std::filesystem;

/// Asks for the tables that `ranks` gives on request. Names of files tell ranks too, as in configs/ranks.toml.
Question ranks_question(const IterationSpec& iterations) {
  const SourcePos pos{"assay timeline", 1, 1};
  Question question;
  question.file = pos.file;
  question.id = "timeline";
  question.iterations = iterations;
  question.labels.patterns = {"{run}_rank{rank}"};
  LabelSpec run, rank;
  run.name = "run", run.pos = pos;
  rank.name = "rank", rank.type = LabelType::kInteger, rank.descriptive = true, rank.rank = true, rank.pos = pos;
  question.labels.labels = {run, rank};
  AnalyzerConfig analyzer{"ranks", {}, pos};
  analyzer.options.push_back({"matches", {true, pos}});
  question.analyzers.push_back(std::move(analyzer));
  return question;
}

Result<std::vector<FoundFile>> files_at(const std::vector<fs::path>& places) {
  std::map<std::string, FoundFile> files;  // by name, each once
  for (const fs::path& place : places) {
    std::error_code failed;
    if (!fs::is_directory(place, failed)) {
      FoundFile found = sniff(place, place.generic_string());
      if (!is_report(found.kind)) {
        return Error{found.problem.empty() ? "'" + place.string() +
                                                 "' is no report; expected an SQLite export of nsys or a trace of the "
                                                 "PyTorch profiler"
                                           : found.problem};
      }
      files.emplace(found.name, std::move(found));
      continue;
    }
    const std::size_t before = files.size();
    for (const WalkedFile& file : walk(place).files) {
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
    entry.labels = parse_name(labels, file.path.filename().string()).labels;
    question.entries.push_back(std::move(entry));
    catalog.files.push_back(file);
  }
  return catalog;
}

/// Several jobs are there: which.
Error several_jobs(const StudyView& view, const std::vector<RunReports>& runs) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> names;
  for (const RunReports& run : runs) {
    if (names.size() < kMost)
      names.push_back(std::string(view.path(run.front())) +
                      (run.size() > 1 ? " (" + counted(run.size(), "rank") + ")" : std::string()));
  }
  if (runs.size() > kMost) names.push_back("others");
  return Error{"a timeline holds one report, or the ranks of one job, and these are " + counted(runs.size(), "run") +
               ": " + listed(names) + "; name the reports of one"};
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
  const Question question = ranks_question({});
  const Catalog catalog = catalog_of(*files, question.labels);
  PlannedQuestion planned{&question, {}, {}};
  std::vector<ReportResult> reports = as_if_read(catalog, catalog.questions.front());
  const StudyTables tables({planned, catalog, catalog.questions.front(), reports}, {}, {});
  const StudyView view(tables.study());
  std::vector<std::size_t> all(files->size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  if (const auto runs = as_runs(view, all); runs.size() > 1) return several_jobs(view, runs);
  std::vector<std::tuple<std::int64_t, std::size_t, std::string>> order;
  for (const std::size_t r : all) {
    const std::string rank = detail::rank_of(view, r).value_or(detail::RankOf{}).rank;
    std::int64_t number = 0;
    std::from_chars(rank.data(), rank.data() + rank.size(), number);
    order.emplace_back(number, r, rank);
  }
  std::sort(order.begin(), order.end());
  TimelineReports job;
  for (const auto& [number, r, rank] : order) job.files.push_back((*files)[r]), job.ranks.push_back(rank);
  return job;
}

Result<JobClocks> compare_ranks(const TimelineReports& job, const IterationSpec& iterations, const Plugins& plugins,
                                unsigned jobs, const std::atomic<bool>& stop,
                                std::vector<std::vector<std::string>>& remarks) {
  const std::vector<Question> questions{ranks_question(iterations)};
  const Result<Plan> plan = make_plan(questions, plugins);
  if (!plan) return plan.error();
  std::vector<Analyzers> analyzers;
  analyzers.push_back(Analyzers::make(plan->questions.front()));
  for (const Skip& failure : analyzers.front().failures()) return Error{failure.reason, Exit::kUsage};
  const Catalog catalog = catalog_of(job.files, questions.front().labels);
  Analysis analysis = analyze(*plan, catalog, analyzers, stop, {.jobs = jobs});
  if (analysis.interrupted || stop) return Error{"interrupted; nothing was written", Exit::kInterrupted};
  std::vector<ReportResult>& reports = analysis.questions.front();
  gather({plan->questions.front(), catalog, catalog.questions.front(), reports}, analyzers.front(), {.jobs = jobs});
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
