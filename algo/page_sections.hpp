// Pages on the terminal: sections in order, and their tables. The host draws both without knowledge of their content
// (tools/look/sections.hpp).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "assay/output.hpp"

namespace assay::page {

/// Id of the table that lays out the pages of an analyzer: for the host, not for people.
inline constexpr std::string_view kLayoutTable = "sections";

/// The part of a table shown by a section.
struct SectionView {
  const char* analyzer = "";       ///< empty: this one
  const char* table = "";          ///< empty: sentences alone
  const char* columns = "";        ///< "Total Time=time|share": columns, each optionally with another heading
  std::int64_t rows = kNoInteger;  ///< at most
  const char* by = "";             ///< sorts by this column, largest first, and drops rows without a value
  const char* units = nullptr;     ///< "text|ns", for a table made for the section
  bool half = false;               ///< half the width is enough
  const char* plot = "";           ///< id of a plot of the analyzer
  bool own_units = false;          ///< each number has its own unit; empty cells stay empty
};

using Cell = std::variant<std::string, double>;  ///< NaN: not known

/// "31 %"; a positive share below 0.5 % is "< 1 %", as in the tables of the pages.
std::string share_text(double share);

class Sections {
 public:
  /// What follows is for the page of this report; empty: for the common page.
  void page(std::string_view report, const std::string& headline) {
    rows_.push_back({std::string(report), {}, {}, headline});
  }
  void section(const std::string& title, const SectionView& shown = {});
  void add_sentence(const std::string& sentence) {
    rows_.push_back({rows_.back().report, rows_.back().title, {}, sentence});
  }
  /// A row of the table made for the section.
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
  using Line = std::pair<std::string, std::vector<Cell>>;  ///< report, cells
  struct SectionRows {
    SectionView shown;
    std::vector<Line> lines;
  };
  static Table made_table(const SectionRows& made);

  std::vector<Row> rows_;
  std::map<std::string, SectionRows> made_;  ///< by table
};

}  // namespace assay::page
