// What one TOML file says, typed, with the place of everything that a later stage may have to complain about.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "window_spec.hpp"

namespace assay {

/// Where something stands, for messages: "configs/rq1.toml:12:5".
struct SourcePos {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  [[nodiscard]] std::string str() const;
};

/// A TOML value as an analyzer option or claim key may have it.
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
  /// If a folder of this name exists below --reports (or is --reports), only it is read; otherwise all of --reports.
  std::string folder;
  std::vector<std::string> include;  ///< globs on the path below --reports (without '/': on the file name); empty: all
  std::vector<std::string> exclude;
};

enum class LabelType { kInteger, kNumber, kText };

/// `[labels.NAME]`.
struct LabelSpec {
  std::string name;
  LabelType type = LabelType::kText;
  std::vector<std::string> values;  ///< allowed texts in their order; empty: any
  std::optional<std::string> default_value;
  std::uint32_t changes = 0;  ///< LabelChange bits
  bool descriptive = false;
  bool rank = false;                ///< tells the processes of one job apart; descriptive too
  std::vector<std::string> fields;  ///< of a runner's results that give it; see RunnerSpec
  SourcePos pos;
};

/// One `[[labels.suffix]]`: a part of the name after the stem pattern, with placeholders `{label}` and labels it sets
/// besides. match = "_batch{batch}"  or  match = "_compiled", set = {compile = "default"}  or  match = "_many_patches",
/// implies = {px = 512}: what the words of the name mean without naming it (LabelOrigin::kImplied).
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

/// The Cartesian product of label values. A `[[matrix]]` table gives one, or one for each tuple of a joint key such as
/// "patch,depth,dim" = [[32, 6, 384], [16, 12, 768]].
struct MatrixBlock {
  std::vector<std::pair<std::string, std::vector<std::string>>> values;  ///< label, values
};

/// One `[[sheet]]`: tables beside the reports, by the id that analyzers ask for.
struct SheetSpec {
  std::string id;
  std::vector<std::string> files;     ///< globs as in [reports] include
  std::vector<std::string> patterns;  ///< of the name without its extension, for labels; empty: it carries none
  std::string time;                   ///< column of times, which analyzers find as `time`; empty: none is named
  SourcePos pos;
};

/// One `[[join]]`: CSVs of Nsight Compute that belong to reports although their stems differ.
struct JoinSpec {
  std::vector<std::string> files;     ///< globs as in [reports] include
  std::vector<std::string> reports;   ///< globs; empty: all reports of the question
  std::vector<std::string> patterns;  ///< of the CSV's name, for labels that the report must have; empty: none
  SourcePos pos;
};

/// `[results]`: what a runner wrote about its runs beside the reports.
struct RunnerSpec {
  std::vector<std::string> files = {"results.json", "experiment_summary.json"};  ///< globs as in [reports] include
  /// Fields whose text carries several labels: field, patterns of the whole text.
  std::vector<std::pair<std::string, std::vector<std::string>>> patterns;
  bool keep_failed = false;  ///< failed = "keep": reports of failed runs are measured
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
  std::string least;  ///< the oldest version that will do, which read_version takes
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
  std::vector<RawOption> keys;  ///< everything else, for the judge
  SourcePos pos;
  SourcePos source_pos = {};
};

/// One key of `[sources]`: an abbreviation that claims name as their source, spelled out.
struct SourceSpec {
  std::string id;    ///< one word: "R"
  std::string text;  ///< "reproduction guide"
};

struct Question {
  std::filesystem::path file;
  std::string id;                        ///< [question] id
  std::string title;                     ///< short: "RQ1 architecture"
  std::string study;                     ///< title of the study whose file names the question; empty: of none
  std::string text;                      ///< the question as asked
  std::string note;                      ///< what a reader of the answer should know beforehand; empty: nothing
  std::vector<SourceSpec> sources;       ///< in the order of the file
  std::vector<std::string> answered_by;  ///< analyzers whose answers answer it, others give evidence; empty: all
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
