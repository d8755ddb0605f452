// All facts of a run as rows of facts.csv and of the table `facts`.
#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "render/render.hpp"

namespace assay {

/// One row; borrows from the RunResult.
struct FactRow {
  std::string_view report;    ///< empty: study fact
  std::string_view question;  ///< set if the row is about one question only; empty: about all that have the fact
  std::string_view unit;
  const Fact* fact = nullptr;

  /// Canonical; with `question=ID` if the row is about one question only.
  [[nodiscard]] std::string dims() const;
};

/// The rows, sorted bytewise by (report, metric, dims). Equal facts of several questions share a row. If they differ
/// (other windows or options), and for study facts of a run with several questions, the dim `question=ID` keeps the
/// rows apart. A row takes 16 bytes and refers to its fact, since facts dominate the memory of a run over ten thousand
/// reports. Borrows from the RunResult, whose facts must be sorted by (metric, dims).
class FactRows {
 public:
  class Iterator;

  FactRows() = default;
  explicit FactRows(const RunResult& run);

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] FactRow operator[](std::size_t place) const;
  [[nodiscard]] Iterator begin() const;
  [[nodiscard]] Iterator end() const;

  /// Index of a fact as seen by a question; `size()` if there is none.
  [[nodiscard]] std::size_t row_of(std::string_view report, std::string_view metric, std::string_view dims,
                                   std::string_view question) const;

  /// Marked rows only; `wanted` has one element per row.
  [[nodiscard]] FactRows only(const std::vector<bool>& wanted) const;

 private:
  struct Row {
    const Fact* fact;
    std::uint32_t source;  ///< of reports_
    std::uint16_t question;
    bool apart;  ///< about this question only
  };
  struct DeclaredMetrics {
    std::string_view id;
    const std::vector<OwnedMetric>* metrics;  ///< of the RunResult
  };
  struct OfReport {
    std::string_view name;  ///< empty: the study
    std::size_t begin;      ///< in rows_
  };
  struct Facts;

  void add_report(std::string_view name, std::vector<Facts> of_questions);
  void add_alike(const std::vector<Row>& found);
  void sort_again(std::size_t begin);
  /// Like FactRow::dims; uses `room` if the text is not stored anywhere.
  std::string_view dims_of(const Row& row, std::string& room) const;

  std::vector<DeclaredMetrics> questions_;
  std::vector<OfReport> reports_;  ///< with at least one row, sorted by name
  std::vector<Row> rows_;
};

/// Forward iterator over the rows.
class FactRows::Iterator {
 public:
  using value_type = FactRow;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::input_iterator_tag;

  Iterator() = default;
  Iterator(const FactRows& rows, std::size_t place) : rows_(&rows), place_(place) {}
  FactRow operator*() const { return (*rows_)[place_]; }
  Iterator& operator++() {
    ++place_;
    return *this;
  }
  void operator++(int) { ++place_; }
  bool operator==(const Iterator& other) const { return place_ == other.place_; }

 private:
  const FactRows* rows_ = nullptr;
  std::size_t place_ = 0;
};

inline FactRows::Iterator FactRows::begin() const { return {*this, 0}; }
inline FactRows::Iterator FactRows::end() const { return {*this, size()}; }

/// Unit of a declared metric; empty if it is not among them. `metrics` is sorted by id.
std::string_view unit_of(const std::vector<OwnedMetric>& metrics, std::string_view id);

}  // namespace assay
