// Outputs of the stages after loading: owned facts, attributes, tables, skips and issues.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assay/output.hpp"

namespace assay {

/// One fact. `dims` is canonical: "k=v;k=v" sorted by key, with '%', ';', '=' and control bytes percent-encoded.
struct Fact {
  std::string metric;
  std::string dims;
  double value = 0;
  std::vector<double> samples;
  [[nodiscard]] std::size_t n() const { return samples.empty() ? 1 : samples.size(); }
};

/// An output table, owned.
struct OwnedTable {
  struct Column {
    std::string name, unit;
    CellType type = CellType::kText;
    std::vector<std::string> texts;
    std::vector<std::int64_t> integers;
    std::vector<double> numbers;
  };
  std::string analyzer, id, title;
  std::vector<Column> columns;
  [[nodiscard]] std::size_t rows() const;
  /// Column with that name, or null.
  [[nodiscard]] const Column* find(std::string_view name) const;
};

struct OwnedIssue {
  std::string name;
  Severity severity = Severity::kInfo;
  std::int64_t count = 0;
  std::string text;
};

/// Something that was left out: for a report (`report` not empty) by an analyzer (empty: by the host), with the reason.
struct Skip {
  std::string report;
  std::string analyzer;
  std::string reason;
  bool failed = false;  ///< an error, as opposed to a need that the report does not meet
  SkipCause cause = SkipCause::kOther;
  std::string lacks = {};  ///< column that the analyzer needs and the report lacks; empty: another reason
  bool hint = false;       ///< nothing is lost: the analyzer could use columns that no report has
};

struct OwnedAttribute {
  std::string name, value;
};

/// A column in an analyzer's kWants that the report does not have.
struct AbsentWant {
  std::string analyzer, column;
  auto operator<=>(const AbsentWant&) const = default;
};

/// All results of one report for one question. Facts sorted by (metric, dims); a metric belongs to one analyzer.
struct ReportResult {
  bool loaded = false;   ///< false: unreadable, or the window is missing; `skips` has the reason
  bool lacking = false;  ///< the window is missing, or needs of at least one enabled analyzer were not met
  std::vector<Fact> facts;
  std::vector<OwnedAttribute> attributes;  ///< sorted by name
  std::string doubt = {};  ///< why its labels are not believed, a clause; empty: they are. Set when concluded
  std::vector<OwnedTable> tables;
  std::vector<OwnedTable> rank_rows = {};   ///< input of `gather`, which drops them
  std::vector<OwnedTable> study_rows = {};  ///< input of `conclude`
  std::vector<OwnedIssue> issues;           ///< of the file and of analyzers, by name, then text, without duplicates
  std::vector<Skip> skips;                  ///< sorted by (analyzer, reason)
  std::vector<std::string> notes;           ///< of analyzers, for the log only
  std::vector<AbsentWant> absent = {};      ///< sorted
};

/// "k=v;k=v" for dims; empty if a key is empty or repeated. Bytes that are not UTF-8 become U+FFFD.
std::optional<std::string> canonical_dims(Span<Dim> dims);

}  // namespace assay
