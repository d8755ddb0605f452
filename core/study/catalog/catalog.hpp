// What is known of the files before they are read: what each is, and which labels it has in each question.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "assay/study.hpp"
#include "config/question.hpp"
#include "load/environment.hpp"
#include "load/file_kind.hpp"
#include "result.hpp"

namespace assay {

/// A file that was found. `name` is its id in every output: '/' path below the folder given to --reports, prefixed by
/// that folder's own name when several were given (or when it was found through [noise] outside of them). Bytes that
/// are not UTF-8 and control characters are percent-encoded; of equal names the later ones end with ~2, ~3, ...
struct FoundFile {
  std::string name;
  std::filesystem::path path;
  FileKind kind = FileKind::kUnreadable;
  std::uint64_t size = 0;
  std::string problem;           ///< one sentence, for kOtherSqlite named like a report and kUnreadable
  Environment environment = {};  ///< of a report
  std::string remedy = {};       ///< the end of `problem`: what to do
  bool named = false;            ///< given by itself, not found below a folder
};

/// Why a file that was named is not read: its own problem, or that it is no profile.
Error refusal_of(const FoundFile& file);

/// A label value of one report in one question.
struct LabelOfReport {
  std::size_t label;  ///< index into Question::labels.labels
  std::string text;   ///< normalised: integers without leading zeros
  double order;       ///< number, place in `values`, or else the place among the texts that the question's reports have
  LabelOrigin origin;
};

/// A label that a file with the same bytes, under another name, says otherwise: at most one of the two is right.
struct ContestedLabel {
  std::size_t label;  ///< index into Question::labels.labels
  std::string file;   ///< name of the other
};

/// A report, or a file that should have been one, as one question sees it. A report of the question with name problems
/// has no labels: understood in part it would pass for a replicate of another run. Those of the [noise] keep what could
/// be read.
struct CatalogEntry {
  std::size_t file;  ///< index into Catalog::files
  ReportRole role = ReportRole::kQuestion;
  std::vector<LabelOfReport> labels;       ///< sorted by label
  std::vector<std::string> name_problems;  ///< does not parse, undeclared suffix, label set twice: whole sentences
  std::vector<std::size_t> counters =
      {};  ///< read with it: counters of its run, captures of its graphs; of Catalog::files
  std::vector<ContestedLabel> contested = {};
};

/// A cell of the expected matrix, as "patch=8;depth=6;dim=384" in the order of the TOML.
struct MatrixCell {
  std::vector<std::pair<std::string, std::string>> labels;
  std::string reason = {};  ///< why it is missing, where a runner said so: "results.json: exit code 1, out of memory"
  [[nodiscard]] std::string str() const;
  [[nodiscard]] std::string with_reason() const;
};

/// Which of the expected runs are there.
struct Completeness {
  std::size_t expected = 0;
  std::size_t present = 0;              ///< cells with at least one usable report
  std::vector<MatrixCell> missing;      ///< in the order of the TOML
  std::vector<std::string> duplicate;   ///< names of reports left out because their content equals another's
  std::vector<std::string> unreadable;  ///< names
  std::vector<std::string> lacking;     ///< names of reports without the needed tables; filled after analysis
  std::vector<std::string> unexpected;  ///< names of reports that are in no cell
};

/// A file that a [[sheet]] names, with the labels that its name carries.
struct FoundSheet {
  std::size_t spec;  ///< index into Question::sheets
  std::size_t file;  ///< index into Catalog::files
  std::vector<LabelOfReport> labels;
  std::vector<std::string> problems;  ///< of the name, as those of reports
};

/// One run as a runner recorded it in a file such as results.json.
struct RunnerRun {
  std::string name;        ///< as the runner calls it; "entry 3" where it does not
  std::size_t source = 0;  ///< the runner's file, index into Catalog::files
  bool own =
      false;  ///< it belongs to the question: its file stands among the question's reports, not above or elsewhere
  std::vector<std::size_t> files;     ///< its reports, indices into Catalog::files; none: there is no report
  std::vector<LabelOfReport> labels;  ///< by its name and its fields, sorted by label
  std::string failure;                ///< why it counts as failed: "exit code 1: out of memory"; empty: it does not
  std::optional<double> process_s;    ///< of the whole process
  std::optional<double> pass_s;       ///< of the measured pass
  std::optional<double> per_second;   ///< throughput as the program reckons it
  std::optional<double> batches;      ///< in the measured pass
};

/// What is to be said of a file beside what reading it says.
struct FoundIssue {
  std::string file;  ///< name; empty: the question
  std::string name;
  Severity severity = Severity::kWarning;
  std::int64_t count = 0;
  std::string text;
};

struct QuestionCatalog {
  std::vector<CatalogEntry> entries;  ///< sorted by file name (bytewise)
  std::vector<FoundSheet> sheets;     ///< sorted by (spec, file name)
  Completeness completeness;
  std::vector<std::string> notes;       ///< e.g. a [noise] folder that was not found
  std::vector<RunnerRun> runs = {};     ///< of all runners' files, nearest to the reports first
  std::vector<FoundIssue> issues = {};  ///< about runners' files and what they contradict
  std::vector<std::pair<std::string, std::string>> left_out = {};  ///< reports of failed runs: name, reason
};

struct Catalog {
  std::vector<FoundFile> files;  ///< sorted by name (bytewise), each once
  std::vector<QuestionCatalog> questions;
};

/// Parses a file's path by the rules: its name, and of the folders in front of it as many as a pattern has '/'. As much
/// as can be read, with problems for the rest. A label whose values contradict each other has none; a name with text
/// that nothing explains gives no defaults, for that text may say otherwise.
struct ParsedName {
  std::vector<LabelOfReport> labels;
  std::vector<std::string> problems;
};
ParsedName parse_name(const LabelRules& rules, std::string_view path);

/// Tells a file's kind by content. Reads at most a few pages; never locks or changes the file.
FoundFile sniff(const std::filesystem::path& path, std::string name);

}  // namespace assay
