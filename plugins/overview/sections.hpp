// The pages of `look`: sections in their order, and the tables that they show. The host draws both without knowing what
// they are about (core/output/look/sections.hpp says how).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "assay/output.hpp"

namespace assay::overview {

/// What a section shows of a table.
struct SectionView {
  const char* analyzer = "";       ///< empty: this one
  const char* table = "";          ///< empty: sentences alone
  const char* columns = "";        ///< "Total Time=time|share": each with its heading, where that is another
  std::int64_t rows = kNoInteger;  ///< at most
  const char* by = "";             ///< rows by this column, largest first; those without a value in it are left out
  const char* units = nullptr;     ///< "text|ns", of a table that is made for the section
  bool half = false;               ///< half the width is enough
  const char* plot = "";           ///< id of a plot of the analyzer
  bool own_units = false;          ///< each number in a unit of its own; what has none is left empty
};

using Cell = std::variant<std::string, double>;  ///< NaN: not known

class Sections {
 public:
  /// What follows stands on the page of this report; empty: on the page of all reports together.
  void page(std::string_view report, const std::string& headline) {
    rows_.push_back({std::string(report), {}, {}, headline});
  }
  void section(const std::string& title, const SectionView& shown = {});
  void add_sentence(const std::string& sentence) {
    rows_.push_back({rows_.back().report, rows_.back().title, {}, sentence});
  }
  /// A row of the table that is made for the section.
  void line(std::vector<Cell> cells) {
    made_.at(rows_.back().shown.table).lines.emplace_back(rows_.back().report, std::move(cells));
  }
  void emit(StudySink& sink) const;

 private:
  struct Row {
    std::string report, title;
    SectionView shown;
    std::string sentence;
  };
  using Line = std::pair<std::string, std::vector<Cell>>;  ///< of which report
  struct SectionRows {
    SectionView shown;
    std::vector<Line> lines;
  };
  static Table made_table(const SectionRows& made);

  std::vector<Row> rows_;
  std::map<std::string, SectionRows> made_;  ///< by table
};

}  // namespace assay::overview
