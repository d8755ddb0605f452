// Content of one TOML file, typed, with the source position of everything that a later stage may report.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "window_spec.hpp"

namespace assay {

/// Source position for messages: "configs/rq1.toml:12:5"; without a line, its origin: "--allow".
struct SourcePos {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  [[nodiscard]] std::string str() const;
};

/// A TOML value of an analyzer option or claim key.
struct RawValue {
  std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>, std::vector<double>> value;
  SourcePos pos;
};

struct RawOption {
  std::string name;
  RawValue value;
};

/// `[reports]`: which files below --reports belong to the question.
struct ReportSelection {
  /// If a folder of this name exists below --reports (or is --reports), only that one is read; otherwise all of
  /// --reports.
  std::string folder;
  std::vector<std::string> include;  ///< globs on the path below --reports (without '/': on the file name); empty: all
  std::vector<std::string> exclude;
};

enum class LabelType { kInteger, kNumber, kText };

/// `[labels.NAME]`.
struct LabelSpec {
  std::string name;
  LabelType type = LabelType::kText;
  std::vector<std::string> values;  ///< permitted texts in order; empty: any
  std::optional<std::string> default_value;
  std::uint32_t changes = 0;  ///< LabelChange bits
  bool descriptive = false;
  bool rank = false;                ///< distinguishes the processes of one job; descriptive too
  std::vector<std::string> fields;  ///< fields of a runner's results with its value; see RunnerSpec
  SourcePos pos;
};

/// One `[[labels.suffix]]`: a part of the name after the stem pattern, with placeholders `{label}` and labels it sets
/// besides. match = "_batch{batch}"  or  match = "_compiled", set = {compile = "default"}  or  match = "_many_patches",
/// implies = {px = 512}: a value that the words imply without naming it (LabelOrigin::kImplied).
struct SuffixSpec {
  std::string match;
  std::vector<std::pair<std::string, std::string>> set;      ///< label, value
  std::vector<std::pair<std::string, std::string>> implies;  ///< label, value
  SourcePos pos;
};

/// `[labels]`.
struct LabelRules {
  std::vector<std::string>
      patterns;  ///< stem patterns with placeholders: "gpu{gpu}_numa{numa}_vit{patch}x{depth}x{dim}"
  std::vector<SuffixSpec> suffixes;
  std::vector<LabelSpec> labels;
};

/// Cartesian product of label values. A `[[matrix]]` table gives one block, or one per tuple of a joint key such as
/// "patch,depth,dim" = [[32, 6, 384], [16, 12, 768]].
struct MatrixBlock {
  std::vector<std::pair<std::string, std::vector<std::string>>> values;  ///< label, values
};

/// One `[[sheet]]`: tables next to the reports, by the id that analyzers use.
struct SheetSpec {
  std::string id;
  std::vector<std::string> files;     ///< globs as in [reports] include
  std::vector<std::string> patterns;  ///< of the name without its extension, for labels; empty: no labels
  std::string time;                   ///< column of times, which analyzers find as `time`; empty: not named
  SourcePos pos;
};

/// One `[[join]]`: CSVs of Nsight Compute that belong to reports with other stems.
struct JoinSpec {
  std::vector<std::string> files;     ///< globs as in [reports] include
  std::vector<std::string> reports;   ///< globs; empty: all reports of the question
  std::vector<std::string> patterns;  ///< of the CSV's name, for labels that the report must have; empty: none
  SourcePos pos;
};

/// `[results]`: runner files next to the reports.
struct RunnerSpec {
  std::vector<std::string> files = {"results.json", "experiment_summary.json"};  ///< globs as in [reports] include
  /// Fields whose text contains several labels: field, patterns for the whole text.
  std::vector<std::pair<std::string, std::vector<std::string>>> patterns;
  bool keep_failed = false;  ///< failed = "keep": also measures reports of failed runs
};

/// `[analyzers.ID]`.
struct AnalyzerConfig {
  std::string id;
  std::vector<RawOption> options;
  SourcePos pos;
};

/// One key of `[plugins] requires`.
struct RequiredPlugin {
  std::string analyzer;
  std::string least;  ///< minimum version, parsed by read_version
  SourcePos pos;
};

/// `[plugins]`: analyzers that come with the question.
struct PluginsSpec {
  std::vector<std::filesystem::path> folders;  ///< searched after --plugin-path, before all others
  std::vector<RequiredPlugin> required;
};

/// `[[claim]]`.
struct ClaimConfig {
  std::string id, text, source;
  std::vector<RawOption> keys;  ///< all other keys, for the judge
  SourcePos pos;
  SourcePos source_pos = {};
};

/// One key of `[sources]`: an abbreviation used in the `source` of claims, and its meaning.
struct SourceSpec {
  std::string id;    ///< one word: "R"
  std::string text;  ///< "reproduction guide"
};

struct Question {
  std::filesystem::path file;
  std::string id;                        ///< [question] id
  std::string title;                     ///< short: "RQ1 architecture"
  std::string study;                     ///< title of the study whose file names the question; empty: none
  std::string text;                      ///< the question as asked
  std::string note;                      ///< what a reader should know before the answer; empty: nothing
  std::vector<SourceSpec> sources;       ///< in file order
  std::vector<std::string> answered_by;  ///< analyzers whose answers count as answers, others give evidence; empty: all
  SourcePos answered_by_pos;
  double level = 0.95;              ///< of every interval, and of all decisions of one family together
  std::vector<std::string> across;  ///< built-in labels (built_in_labels.hpp) in which compared runs may differ
  ReportSelection reports;
  std::vector<std::string> noise_reports;  ///< [noise] reports: folder names or paths
  WindowSpec window;
  IterationSpec iterations;
  LabelRules labels;
  std::vector<MatrixBlock> matrix;
  std::vector<SheetSpec> sheets;
  std::vector<JoinSpec> joins;
  RunnerSpec runner;
  PluginsSpec plugins;
  std::vector<AnalyzerConfig> analyzers;
  std::vector<ClaimConfig> claims;
};

}  // namespace assay
