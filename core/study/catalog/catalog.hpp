// What is known about files before they are read: their kinds, and their labels in each question.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "assay/study.hpp"
#include "catalog/run_facts.hpp"
#include "config/question.hpp"
#include "load/environment.hpp"
#include "load/file_kind.hpp"
#include "result.hpp"

namespace assay {

/// A file that was found. `name` is its id in every output: the path below the folder of --reports, prefixed by the
/// name of that folder if there are several (or if it was found through [noise] outside of them). Bytes that are not
/// UTF-8 and control characters are percent-encoded; of equal names the later ones end with ~2, ~3, ...
struct FoundFile {
  std::string name;
  std::filesystem::path path;
  FileKind kind = FileKind::kUnreadable;
  std::uint64_t size = 0;
  std::string problem;           ///< one sentence, for kOtherSqlite named like a report and for kUnreadable
  Environment environment = {};  ///< of a report
  std::string remedy = {};       ///< the end of `problem`: what to do
  bool named = false;            ///< named by the user, not found below a folder
  std::string foretold = {};     ///< see load::Format::Identity
};

/// Value of a property; empty if there is none.
std::string_view property_text(const FoundFile& file, std::string_view name);

/// Why a named file is not read: its own problem, or that it is not a profile.
Error refusal_of(const FoundFile& file);

/// A label value of one report in one question.
struct LabelOfReport {
  std::size_t label;  ///< index into Question::labels.labels
  std::string text;   ///< normalized: integers without leading zeros
  double order;       ///< the number, the index in `values`, or else the rank among the texts of the question's reports
  LabelOrigin origin;
};

/// A label for which a file with equal bytes and another name has another value: at most one of the two is right.
struct ContestedLabel {
  std::size_t label;  ///< index into Question::labels.labels
  std::string file;   ///< name of the other
};

/// A report, or a file that should have been one, from the view of one question. A report of the question with name
/// problems has no labels: partly understood it would pass for a repeat of another run. Those of [noise] keep the
/// labels that could be read.
struct CatalogEntry {
  std::size_t file;  ///< index into Catalog::files
  ReportRole role = ReportRole::kQuestion;
  std::vector<LabelOfReport> labels;       ///< sorted by label
  std::vector<std::string> name_problems;  ///< does not parse, undeclared suffix, label set twice; whole sentences
  std::vector<std::size_t> counters =
      {};  ///< read with it: counters of its run, captures of its graphs; indices into Catalog::files
  std::vector<ContestedLabel> contested = {};
};

/// A cell of the expected matrix, such as "patch=8;depth=6;dim=384", in TOML order.
struct MatrixCell {
  std::vector<std::pair<std::string, std::string>> labels;
  std::string reason = {};  ///< why it is missing, if a runner recorded it: "results.json: exit code 1, out of memory"
  [[nodiscard]] std::string str() const;
  [[nodiscard]] std::string with_reason() const;
};

/// Which of the expected runs exist.
struct Completeness {
  std::size_t expected = 0;
  std::size_t present = 0;              ///< cells with at least one usable report
  std::vector<MatrixCell> missing;      ///< in TOML order
  std::vector<std::string> duplicate;   ///< names of reports left out because their content equals that of another
  std::vector<std::string> unreadable;  ///< names
  std::vector<std::string> lacking;     ///< names of reports without needed tables; filled after analysis
  std::vector<std::string> unexpected;  ///< names of reports that are in no cell
};

/// A file of a [[sheet]], with the labels of its name.
struct FoundSheet {
  std::size_t spec;  ///< index into Question::sheets
  std::size_t file;  ///< index into Catalog::files
  std::vector<LabelOfReport> labels;
  std::vector<std::string> problems;  ///< of the name, like those of reports
};

/// One run as recorded by a runner in a file such as results.json.
struct RunnerRun {
  std::string name;        ///< as in the runner's file; "entry 3" if it has none
  std::size_t source = 0;  ///< the runner's file, index into Catalog::files
  bool own = false;  ///< it belongs to the question: its file is among the question's reports, not above or elsewhere
  std::vector<std::size_t> files;     ///< its reports, indices into Catalog::files; empty: it left none
  std::vector<LabelOfReport> labels;  ///< from its name and its fields, sorted by label
  std::string failure;                ///< why it counts as failed: "exit code 1: out of memory"; empty: it did not fail
  std::optional<double> process_s;    ///< of the whole process
  std::optional<double> pass_s;       ///< of the measured pass
  std::optional<double> per_second;   ///< as calculated by the program
  std::optional<double> batches;      ///< in the measured pass
  std::optional<double> windows;      ///< profiles that it wrote one after the other
};

/// An issue of a file, besides those from reading it.
struct FoundIssue {
  std::string file;  ///< name of the file; empty: the question
  std::string name;
  Severity severity = Severity::kWarning;
  std::int64_t count = 0;
  std::string text;
};

struct QuestionCatalog {
  std::vector<CatalogEntry> entries;  ///< sorted by file name (bytewise)
  std::vector<FoundSheet> sheets;     ///< sorted by (spec, file name)
  Completeness completeness;
  std::vector<std::string> notes;       ///< such as a [noise] folder that was not found
  std::vector<RunnerRun> runs = {};     ///< of all runner files, those nearest to the reports first
  std::vector<FoundIssue> issues = {};  ///< on runner files and what contradicts them
  std::vector<std::pair<std::string, std::string>> left_out = {};  ///< reports of failed runs: name, reason
};

struct Catalog {
  std::vector<FoundFile> files;  ///< sorted by name (bytewise), each once
  std::vector<QuestionCatalog> questions;
  std::vector<RunFacts> facts = {};  ///< of each file; without any for files that were not read to find runs
};

/// Parses the path of a file: its name, and as many folders in front as a pattern has '/'. Reads as much as possible
/// and reports problems for the rest. A label with contradicting values has none; a name with unexplained text gives no
/// defaults, since that text may contradict them.
struct ParsedName {
  std::vector<LabelOfReport> labels;
  std::vector<std::string> problems;
};
ParsedName parse_name(const LabelRules& rules, std::string_view path);

/// Determines the kind of a file by content. Reads at most a few pages; never locks or changes the file.
FoundFile sniff(const std::filesystem::path& path, std::string name);

}  // namespace assay
