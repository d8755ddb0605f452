#include "conclude/gather.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "analyze/current_analyzer.hpp"
#include "analyze/one_report.hpp"
#include "analyze/result_cache.hpp"
#include "analyze/stored_output.hpp"
#include "assay/algo/participation.hpp"
#include "assay/detail/column_of.hpp"
#include "assay/detail/rank_names.hpp"
#include "assay/detail/text.hpp"
#include "assay/job.hpp"
#include "cache/bytes.hpp"
#include "conclude/job_sink.hpp"
#include "conclude/laid_out_tables.hpp"
#include "conclude/study_tables.hpp"
#include "workers.hpp"

namespace assay {
namespace {

using detail::column_of;

/// A rank of a job: the index of its report in the results.
struct RankReport {
  std::size_t entry = 0;
  std::string path;
  std::int64_t rank = kNoInteger, world = kNoInteger;
  std::string conflict = {};  ///< rank in its name, if the file states another one
};
using JobReports = std::vector<RankReport>;

std::int64_t number_or_none(std::string_view text) {
  const std::int64_t number = number_in<std::int64_t>(text).value_or(-1);
  return number >= 0 ? number : kNoInteger;
}

/// Jobs of a study, ordered by their first report.
std::vector<JobReports> jobs_of(const StudyTables& tables) {
  const StudyView view(tables.study());
  std::map<std::uint32_t, JobReports> jobs;
  for (std::size_t r = 0; r < view.report_count(); ++r) {
    const auto place = job_rank_of(view, r);
    if (!place) continue;
    jobs[view.job(r)].push_back({tables.entry_of(static_cast<Row>(r)), std::string(view.path(r)),
                                 number_or_none(place->rank), number_or_none(place->world),
                                 rank_conflicts(view, r) ? named_rank(view, r) : std::string()});
  }
  std::vector<JobReports> out;
  for (auto& [number, ranks] : jobs) {
    std::sort(ranks.begin(), ranks.end(), [](const RankReport& a, const RankReport& b) {
      return std::tie(a.rank, a.path) < std::tie(b.rank, b.path);
    });
    out.push_back(std::move(ranks));
  }
  return out;
}

/// A Job over the rows that one analyzer emitted for its ranks. Not movable: the Job points into it.
class LaidOutJob {
 public:
  LaidOutJob(const JobReports& ranks, std::string_view analyzer, const std::vector<ReportResult>& reports) {
    for (const RankReport& rank : ranks) {
      paths_.emplace_back(rank.path);
      numbers_.push_back(rank.rank);
      worlds_.push_back(rank.world);
      add(static_cast<Row>(paths_.size() - 1), analyzer, reports[rank.entry].rank_rows);
    }
    for (const OwnedTable* table : tables_) laid_out_.add(*table);
    rank_table_ = {paths_.size(), column_of(paths_), column_of(numbers_), column_of(worlds_)};
    row_table_ = {laid_out_.size(), column_of(rank_rows_), laid_out_.ids(), laid_out_.tables()};
    job_ = {paths_.front(), &rank_table_, &row_table_};
  }
  LaidOutJob(const LaidOutJob&) = delete;
  LaidOutJob& operator=(const LaidOutJob&) = delete;

  [[nodiscard]] const Job& job() const { return job_; }
  [[nodiscard]] bool empty() const { return tables_.empty(); }

  /// Serializes everything that `gather` can see.
  [[nodiscard]] std::string bytes() const {
    cache::ByteWriter to;
    to.number(paths_.size());
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      to.text(paths_[i].view());
      to.integer(numbers_[i]);
      to.integer(worlds_[i]);
    }
    to.number(tables_.size());
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      to.integer(rank_rows_[i]);
      to.text(to_bytes(std::vector<OwnedTable>{*tables_[i]}));
    }
    return to.bytes();
  }

 private:
  void add(Row rank, std::string_view analyzer, const std::vector<OwnedTable>& rows) {
    std::vector<const OwnedTable*> own;
    for (const OwnedTable& table : rows) {
      if (table.analyzer == analyzer) own.push_back(&table);
    }
    std::sort(own.begin(), own.end(), [](const OwnedTable* a, const OwnedTable* b) { return a->id < b->id; });
    for (const OwnedTable* table : own) {
      tables_.push_back(table);
      rank_rows_.push_back(rank);
    }
  }

  std::vector<Str> paths_;
  std::vector<std::int64_t> numbers_, worlds_;
  std::vector<const OwnedTable*> tables_;
  std::vector<Row> rank_rows_;
  LaidOutTables laid_out_;
  JobRankTable rank_table_;
  RankRowTable row_table_;
  Job job_;
};

/// Output of one analyzer for one job, by rank.
using Outputs = std::vector<AnalyzerOutput>;

std::string outputs_to_bytes(const Outputs& outputs) {
  cache::ByteWriter to;
  to.number(outputs.size());
  for (const AnalyzerOutput& output : outputs) to.text(to_bytes(output));
  return to.bytes();
}

std::optional<Outputs> outputs_from_bytes(std::string_view bytes, std::size_t ranks, const Descriptor& by) {
  cache::ByteReader from(bytes);
  if (from.number() != ranks) return std::nullopt;
  Outputs outputs;
  for (std::size_t i = 0; i < ranks && from.good(); ++i) {
    std::optional<AnalyzerOutput> output = output_from_bytes(from.text(), by);
    if (!output) return std::nullopt;
    outputs.push_back(std::move(*output));
  }
  return from.complete() ? std::optional(std::move(outputs)) : std::nullopt;
}

Outputs only_failure(const JobReports& ranks, const Descriptor& by, std::string reason) {
  Outputs outputs(ranks.size());
  outputs.front().skips.push_back({ranks.front().path, text_of(by.id), std::move(reason), true});
  return outputs;
}

Outputs run_gather(const JobReports& ranks, const Descriptor& declared, const Analyzer& analyzer, const Job& job) {
  std::vector<std::string> paths;
  for (const RankReport& rank : ranks) paths.push_back(rank.path);
  const CurrentAnalyzer current(declared.id.view(), job.name.view());
  RecordingJobSink sink(declared, std::move(paths));
  ErrorText errors;
  const bool came_through = analyzer.gather(job, sink, errors);
  if (const auto reason = failure(came_through, errors, sink.refusal()))
    return only_failure(ranks, declared, "gather failed: " + *reason);
  return sink.release();
}

/// Why a job is not gathered: the rank in a file's name differs from that in the file, so one rank would be blamed for
/// another. Empty if names and files agree.
std::string mistaken_names(const JobReports& ranks) {
  std::string text;
  for (const RankReport& rank : ranks) {
    if (!rank.conflict.empty())
      text += (text.empty() ? "" : ", and ") + (fmt::format("'{}' is named rank {} but records that it is rank {}",
                                                            rank.path, rank.conflict, rank.rank));
  }
  if (text.empty()) return text;
  return text +
         ": rename the files to match what they record (RANK in an export, distributedInfo in a trace), or remove the "
         "duplicate. Until then this job is not analyzed";
}

Outputs only_conflict(const JobReports& ranks, const Descriptor& by, const std::string& reason) {
  std::vector<std::string> paths;
  for (const RankReport& rank : ranks) paths.push_back(rank.path);
  RecordingJobSink sink(by, std::move(paths));
  sink.emit_issue(kNone, "rank_conflict", Severity::kError, 0, reason);
  sink.emit_skip(kNone, {}, "file names contradict the ranks recorded in the files (issue rank_conflict)");
  return sink.release();
}

bool has_failed(const Outputs& outputs) {
  return std::any_of(outputs.begin(), outputs.end(), [](const AnalyzerOutput& output) {
    return std::any_of(output.skips.begin(), output.skips.end(), [](const Skip& skip) { return skip.failed; });
  });
}

class JobGatherer {
 public:
  JobGatherer(const AnalyzedQuestion& question, const Analyzers& analyzers, const GatherSettings& settings)
      : question_(question), analyzers_(analyzers), settings_(settings) {}

  [[nodiscard]] Outputs outputs_of(std::size_t planned, const JobReports& ranks) const {
    const PlannedAnalyzer& analyzer = question_.planned.analyzers[planned];
    const Descriptor& declared = analyzer.plugin->descriptor();
    const LaidOutJob job(ranks, declared.id.view(), question_.reports);
    if (job.empty()) return {};
    if (const std::string mistaken = mistaken_names(ranks); !mistaken.empty())
      return only_conflict(ranks, declared, mistaken);
    const std::string seen = settings_.cache != nullptr ? job.bytes() : std::string();
    if (settings_.cache != nullptr) {
      const auto bytes = settings_.cache->given(kStageGather, analyzer, seen);
      auto known = bytes ? outputs_from_bytes(*bytes, ranks.size(), declared) : std::nullopt;
      if (known) return std::move(*known);
    }
    Outputs outputs = fresh(declared, *analyzers_.at(planned), ranks, job.job());
    if (settings_.cache != nullptr && !has_failed(outputs))
      settings_.cache->store_given(kStageGather, analyzer, seen, outputs_to_bytes(outputs));
    return outputs;
  }

 private:
  [[nodiscard]] Outputs fresh(const Descriptor& declared, const Analyzer& analyzer, const JobReports& ranks,
                              const Job& job) const {
    if (settings_.isolated == nullptr) return run_gather(ranks, declared, analyzer, job);
    const process::Outcome outcome = process::contained(
        *settings_.isolated, [&] { return outputs_to_bytes(run_gather(ranks, declared, analyzer, job)); },
        settings_.stop);
    if (!outcome.answer) {
      return only_failure(
          ranks, declared,
          what_happened(outcome, *settings_.isolated) + " while gathering the job of " + ranks.front().path);
    }
    auto outputs = outputs_from_bytes(*outcome.answer, ranks.size(), declared);
    if (!outputs) return only_failure(ranks, declared, "spoiled its own results while gathering a job");
    return std::move(*outputs);
  }

  const AnalyzedQuestion& question_;
  const Analyzers& analyzers_;
  const GatherSettings& settings_;
};

/// A fact that `analyze` already produced for the report: its metric and dims.
std::optional<std::string> given_twice(const ReportResult& report, const AnalyzerOutput& output) {
  for (const Fact& fact : output.facts) {
    const auto at = std::lower_bound(report.facts.begin(), report.facts.end(), fact, [](const Fact& a, const Fact& b) {
      return std::tie(a.metric, a.dims) < std::tie(b.metric, b.dims);
    });
    if (at != report.facts.end() && at->metric == fact.metric && at->dims == fact.dims) return fact_name(fact);
  }
  return std::nullopt;
}

}  // namespace

std::vector<AnalyzerOutput> gather_ranks(const Descriptor& declared, const Analyzer& analyzer,
                                         const std::vector<ReportResult>& ranks) {
  JobReports reports;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    reports.push_back(
        {r, "rank_" + std::to_string(r), static_cast<std::int64_t>(r), static_cast<std::int64_t>(ranks.size())});
  }
  const LaidOutJob job(reports, declared.id.view(), ranks);
  return job.empty() ? Outputs(ranks.size()) : run_gather(reports, declared, analyzer, job.job());
}

void gather(const AnalyzedQuestion& question, const Analyzers& analyzers, const GatherSettings& settings) {
  std::vector<std::size_t> gathering;
  for (std::size_t a = 0; a < question.planned.analyzers.size(); ++a) {
    const bool gathers = (question.planned.analyzers[a].plugin->descriptor().stages & kStageGather) != 0;
    if (gathers && analyzers.at(a) != nullptr) gathering.push_back(a);
  }
  if (!gathering.empty()) {
    const std::vector<JobReports> jobs = jobs_of(StudyTables(question, {}, {}));
    std::vector<Outputs> outputs(jobs.size() * gathering.size());
    const JobGatherer work(question, analyzers, settings);
    for_each_on_workers(outputs.size(), settings.jobs, [&](std::size_t i) {
      outputs[i] = work.outputs_of(gathering[i % gathering.size()], jobs[i / gathering.size()]);
    });
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const JobReports& ranks = jobs[i / gathering.size()];
      const Descriptor& declared = question.planned.analyzers[gathering[i % gathering.size()]].plugin->descriptor();
      for (std::size_t r = 0; r < outputs[i].size(); ++r) {
        if (const auto twice = given_twice(question.reports[ranks[r].entry], outputs[i][r])) {
          outputs[i] =
              only_failure(ranks, declared, "gather failed: the fact " + *twice + " was already given by analyze");
        }
      }
      for (std::size_t r = 0; r < outputs[i].size(); ++r)
        add_output(question.reports[ranks[r].entry], std::move(outputs[i][r]));
    }
    for (const JobReports& ranks : jobs) {
      for (const RankReport& rank : ranks) sort_result(question.reports[rank.entry]);
    }
  }
  for (ReportResult& report : question.reports) std::vector<OwnedTable>().swap(report.rank_rows);
}

}  // namespace assay
