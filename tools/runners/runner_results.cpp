// Uses the files that runners wrote next to the profiles: labels, failed runs, runs without a profile.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "assay/algo/participation.hpp"
#include "catalog/sidecars.hpp"
#include "files/read_file.hpp"
#include "runners/runner_labels.hpp"
#include "runners/runner_match.hpp"

namespace assay {
namespace {

constexpr std::uint64_t kLargest = 64U << 20;
constexpr std::size_t kMaxIssues = 100;  // of one name

Result<RunnerFile> read_file(const FoundFile& file) {
  Result<std::string> text = files::read_file(file.path, kLargest, files::NamedBy::kFolder);
  return text ? read_runner_file(std::move(*text)) : Result<RunnerFile>(text.error());
}

std::string name_of_path(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

std::string folder_of_path(const std::string& path) { return path.substr(0, path.find_last_of('/')); }

/// Issues, limited to a readable number per name.
class Issues {
 public:
  explicit Issues(std::vector<FoundIssue>& out) : out_(out) {}

  void add(const std::string& file, const std::string& name, Severity severity, std::string text) {
    const std::size_t n = ++counts_[name];
    if (n <= kMaxIssues) {
      out_.push_back({file, name, severity, 0, std::move(text)});
    } else if (n == kMaxIssues + 1) {
      rest_[name] = out_.size();
      out_.push_back({file, name, severity, 1, "There are more of these than are listed."});
    } else {
      ++out_[rest_[name]].count;
    }
  }

 private:
  std::vector<FoundIssue>& out_;
  std::map<std::string, std::size_t> counts_, rest_;
};

/// Converts the entries of one runner file to runs, each once.
class RunsOfSource {
 public:
  RunsOfSource(const Question& question, const FileList& list, const QuestionCatalog& catalog, SidecarSource source,
               Issues& issues)
      : question_(question),
        list_(list),
        source_(source),
        matcher_(question, list, catalog, folder_of_path(list.absolute[source.file])),
        issues_(issues) {}

  void add(const RunnerEntry& entry, std::size_t index) {
    FieldLabels fields = labels_of_fields(question_, entry);
    RunnerMatch match = matcher_.match_by_name(entry);
    if (match.files.empty() && match.ambiguous.empty()) match = matcher_.match_by_labels(entry, fields.labels);
    const std::string name = entry.name.empty() ? "entry " + std::to_string(index + 1) : entry.name;
    if (!match.ambiguous.empty()) {
      return issues_.add(
          source_name(), "results_ambiguous", Severity::kWarning,
          fmt::format("'{}' may be any of {} profiles ({}, {}{}), so it was not used; give each run a name of its own.",
                      name, match.ambiguous.size(), match.ambiguous[0], match.ambiguous[1],
                      match.ambiguous.size() > 2 ? ", ..." : ""));
    }
    if (source_.own || !match.files.empty()) {
      for (const std::string& problem : fields.problems)
        issues_.add(source_name(), "results_value", Severity::kWarning, problem);
    }
    RunnerRun run{name,          source_.file,    source_.own,  std::move(match.files), std::move(fields.labels),
                  entry.failure, entry.process_s, entry.pass_s, entry.per_second,       entry.batches,
                  entry.windows};
    const auto key = run.files.empty() ? std::pair(name, std::size_t{0}) : std::pair(std::string(), run.files[0] + 1);
    const auto [at, fresh] = by_run_.emplace(key, runs_.size());
    if (fresh)
      runs_.push_back({std::move(run), 1, 0});
    else
      join(runs_[at->second], std::move(run));
  }

  std::vector<RunnerRun> release() {
    std::vector<RunnerRun> out;
    for (JoinedRun& joined : runs_) {
      if (joined.entries > 1) report_twice(joined);
      out.push_back(std::move(joined.run));
    }
    return out;
  }

 private:
  struct JoinedRun {
    RunnerRun run;
    std::size_t entries = 1, failed = 0;  ///< total, and failed ones next to one that succeeded
  };

  [[nodiscard]] const std::string& source_name() const { return list_.files[source_.file].name; }

  /// A successful run replaces a failed one: it was repeated. Of others only common values are kept.
  static void join(JoinedRun& first, RunnerRun&& second) {
    ++first.entries;
    if (first.run.failure.empty() != second.failure.empty()) {
      ++first.failed;
      if (second.failure.empty()) first.run = std::move(second);
      return;
    }
    if (!first.run.failure.empty()) return;
    std::erase_if(first.run.labels, [&](const LabelOfReport& label) {
      return std::ranges::none_of(second.labels, [&](const LabelOfReport& other) {
        return other.label == label.label && other.text == label.text;
      });
    });
    const auto agree = [](std::optional<double>& a, const std::optional<double>& b) { a = a == b ? a : std::nullopt; };
    agree(first.run.process_s, second.process_s);
    agree(first.run.pass_s, second.pass_s);
    agree(first.run.per_second, second.per_second);
    agree(first.run.batches, second.batches);
  }

  void report_twice(const JoinedRun& joined) {
    const bool again = joined.failed > 0 && joined.failed + 1 == joined.entries;
    issues_.add(source_name(), "results_twice", again ? Severity::kInfo : Severity::kWarning,
                fmt::format("'{}' has {} entries; {}", joined.run.name, joined.entries,
                            again ? "the one that did not fail counts."
                                  : "where they differ (labels, times) neither is used; keep one of them."));
  }

  const Question& question_;
  const FileList& list_;
  SidecarSource source_;
  RunnerMatcher matcher_;
  Issues& issues_;
  std::vector<JoinedRun> runs_;
  std::map<std::pair<std::string, std::size_t>, std::size_t> by_run_;  ///< (name, 0) or ("", first file + 1)
};

/// Applies the runs of all sources to the catalog.
class Application {
 public:
  Application(const Question& question, const FileList& list, QuestionCatalog& catalog, Issues& issues)
      : question_(question), list_(list), catalog_(catalog), issues_(issues) {
    for (std::size_t r = 0; r < catalog.runs.size(); ++r) {
      for (const std::size_t file : catalog.runs[r].files) by_file_[file].push_back(r);
    }
  }

  void label_and_leave_out() {
    std::vector<CatalogEntry> kept;
    for (CatalogEntry& entry : catalog_.entries) {
      const auto at = by_file_.find(entry.file);
      const bool known = at != by_file_.end() && is_report(list_.files[entry.file].kind);
      const RunnerRun* failed = nullptr;
      for (const std::size_t r : known ? at->second : std::vector<std::size_t>{}) {
        const RunnerRun& run = catalog_.runs[r];
        label(entry, run);
        if (failed == nullptr && !run.failure.empty()) failed = &run;
      }
      if (failed != nullptr && !stays(entry, *failed)) continue;
      kept.push_back(std::move(entry));
    }
    catalog_.entries = std::move(kept);
  }

  /// Labels by which runs are found in the expected matrix: from their name as that of a report, then from their
  /// fields.
  void label_runs() {
    for (RunnerRun& run : catalog_.runs) {
      ParsedName name = parse_name(question_.labels, name_of_path(run.name));
      if (name.problems.empty()) {
        fill_labels(name.labels, run.labels);
        run.labels = std::move(name.labels);
      } else if (auto alone = labels_by_fields_alone(question_, run.labels)) {
        run.labels = *std::move(alone);
      }
    }
  }

  void report_without_report() {
    for (const RunnerRun& run : catalog_.runs) {
      std::set<std::string_view> windows;
      for (const std::size_t f : run.files) windows.insert(property_text(list_.files[f], kCaptureAttribute));
      const auto here = static_cast<double>(windows.size());
      if (run.own && !run.files.empty() && run.windows.value_or(1) > std::max(1.0, here))
        issues_.add(source_of(run), "windows_missing", Severity::kWarning,
                    fmt::format("'{}' has {:.0f} of {:.0f} windows, so its values are less certain than those of other "
                                "runs.",
                                run.name, here, *run.windows));
      if (!run.own || !run.files.empty()) continue;
      const bool failed = !run.failure.empty();
      issues_.add(source_of(run), failed ? "run_failed" : "run_without_report", Severity::kWarning,
                  fmt::format("'{}' {}", run.name,
                              failed ? "failed (" + run.failure + ") but has no profile." : "has no profile."));
    }
  }

 private:
  [[nodiscard]] const std::string& source_of(const RunnerRun& run) const { return list_.files[run.source].name; }

  void label(CatalogEntry& entry, const RunnerRun& run) {
    const bool says_nothing = entry.role == ReportRole::kQuestion && !entry.name_problems.empty() &&
                              parse_name(question_.labels, name_of_path(list_.absolute[entry.file])).labels.empty();
    if (says_nothing) {
      auto alone = labels_by_fields_alone(question_, run.labels);
      if (!alone) return;
      entry.labels = *std::move(alone);
      entry.name_problems.clear();
      return issues_.add(list_.files[entry.file].name, "results_labels", Severity::kInfo,
                         "The name does not parse, so all labels were taken from " + source_of(run) + ".");
    }
    if (!entry.name_problems.empty()) return;
    for (const LabelConflict& conflict : fill_labels(entry.labels, run.labels)) {
      if (entry.role == ReportRole::kQuestion) report_conflict(conflict, entry, run);
    }
  }

  void report_conflict(const LabelConflict& conflict, const CatalogEntry& entry, const RunnerRun& run) {
    const bool by_results = conflict.kept_origin == LabelOrigin::kResults;
    issues_.add(list_.files[entry.file].name, "results_conflict", Severity::kWarning,
                fmt::format("The label '{}' is {} by {} and {} by {}; {} was believed.",
                            question_.labels.labels[conflict.label].name, conflict.kept,
                            by_results ? "a nearer file" : "the file name", conflict.given, source_of(run),
                            by_results ? "the nearer file" : "the name"));
  }

  /// Whether the report of a failed run stays in the question; reported either way.
  bool stays(const CatalogEntry& entry, const RunnerRun& run) {
    const std::string& name = list_.files[entry.file].name;
    const std::string why = fmt::format("its run failed by {} ({})", source_of(run), run.failure);
    if (question_.runner.keep_failed) {
      issues_.add(name, "run_failed", Severity::kWarning, "It is measured although " + why + ".");
      return true;
    }
    catalog_.left_out.emplace_back(name, why + "; [results] failed = \"keep\" measures it anyway");
    return false;
  }

  const Question& question_;
  const FileList& list_;
  QuestionCatalog& catalog_;
  Issues& issues_;
  std::map<std::size_t, std::vector<std::size_t>> by_file_;
};

/// An entry is matched by its name, which is that of a profile without extension, or else, where the name is none of a
/// profile, by its labels, when they are those of one profile only.
class RunnerReader final : public SidecarReader {
 public:
  void apply(const Question& question, const FileList& list, std::vector<SidecarSource> sources,
             QuestionCatalog& catalog) override {
    std::ranges::stable_sort(sources, std::ranges::greater{}, [&](const SidecarSource& source) {
      return folder_of_path(list.absolute[source.file]).size();
    });
    Issues issues(catalog.issues);
    for (const SidecarSource& source : sources) add_runs(question, list, source, issues, catalog);
    Application application(question, list, catalog, issues);
    application.label_and_leave_out();
    application.label_runs();
    application.report_without_report();
  }

 private:
  void add_runs(const Question& question, const FileList& list, const SidecarSource& source, Issues& issues,
                QuestionCatalog& catalog) {
    const FoundFile& found = list.files[source.file];
    const Result<RunnerFile>& file = read(found);
    if (!file) {
      issues.add(found.name, "results_unreadable", Severity::kWarning,
                 "This file " + file.error().sentence + "; it is unknown what a runner wrote there.");
      return;
    }
    if (file->entries.empty() && !file->summary) {
      issues.add(found.name, "results_foreign", Severity::kInfo,
                 "No entry of this file has a 'name' or 'run_id', so it cannot be matched to runs.");
    }
    for (const std::string& problem : file->problems)
      issues.add(found.name, "results_value", Severity::kWarning, problem);
    RunsOfSource runs(question, list, catalog, source, issues);
    for (std::size_t i = 0; i < file->entries.size(); ++i) runs.add(file->entries[i], i);
    for (RunnerRun& run : runs.release()) catalog.runs.push_back(std::move(run));
  }

  const Result<RunnerFile>& read(const FoundFile& file) {
    const auto at = read_.find(file.path);
    return at != read_.end() ? at->second : read_.emplace(file.path, read_file(file)).first->second;
  }

  std::map<std::filesystem::path, Result<RunnerFile>> read_;
};

}  // namespace

std::unique_ptr<SidecarReader> sidecar_reader() { return std::make_unique<RunnerReader>(); }

}  // namespace assay
