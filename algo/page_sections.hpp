// Pages on the terminal: sections in order, and their tables. The host draws both without knowledge of their content
// (tools/look/sections.hpp).
#pragma once

#include <limits>
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

/// The attribute that has the word for a step.
inline constexpr std::string_view kStepWord = "step.word";
/// A plot that is the strip of the section's table.
inline constexpr std::string_view kStrip = "strip";
/// The kind of pieces of a strip that is communication, and the first word of its part of a step.
inline constexpr std::string_view kCommunication = "communication";
/// A plot that is the flame graph of the section's table.
inline constexpr std::string_view kFlame = "flame";
/// A plot that is the waterfall of the section's table.
inline constexpr std::string_view kWaterfall = "waterfall";

/// The part of a table shown by a section.
struct SectionView {
  const char* analyzer = "";       ///< empty: this one
  const char* table = "";          ///< empty: sentences alone
  const char* columns = "";        ///< "Total Time=time|P95?=p95": columns, each optionally with another heading; a "?"
                                   ///< marks those that go first where the width is small
  std::int64_t rows = kNoInteger;  ///< at most
  const char* by = "";             ///< sorts by this column, largest first, and drops rows without a value
  const char* units = nullptr;     ///< "text|ns", for a table made for the section
  bool half = false;               ///< half the width is enough
  const char* plot = "";           ///< id of a plot of the analyzer
  bool unknown_empty = false;      ///< numbers that are not known are empty cells
  bool leads = false;              ///< stands before the pictures of a page, and is never folded
};

/// Something to try, what it would gain, and the command that shows it.
struct PageAdvice {
  std::string text, gain = {}, command = {};                ///< gain: "-16.3 ms (31 %)"; gain, command: may be empty
  double share = std::numeric_limits<double>::quiet_NaN();  ///< of a step that it gains; NaN: not known
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
  /// Something to try: a section of these stands first.
  void add_advice(const PageAdvice& advice) {
    rows_.push_back({rows_.back().report, rows_.back().title, {}, advice.text, advice, true});
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
    PageAdvice advice = {};
    bool is_advice = false;
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
