// Pages about reports, ready to print: words, and tables whose cells are texts.
#pragma once

#include <string>
#include <vector>

#include "algo/page_sections.hpp"
#include "render/text_table.hpp"

namespace assay::look {

/// A column for programs: its own name, and unrounded cells.
struct PartValues {
  std::string name, unit;
  bool whole = false;              ///< its numbers are integers
  std::vector<std::string> texts;  ///< empty: it is numeric
  std::vector<double> numbers;     ///< NaN: not known
};

using page::PageAdvice;

/// A section of a page: its table, then its sentences or advice, and in HTML its figure. At least one is not empty.
struct PageSection {
  std::string title;
  std::vector<TextTable::Column> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> sentences = {};
  bool narrow = false;                  ///< two of them fit side by side
  std::vector<PageAdvice> advice = {};  ///< stands before all other sections
  std::string figure = {};              ///< a plot, as markup
  bool picture = false;                 ///< it is the picture of a step
  bool leads = false;                   ///< stands before the picture, and is never folded
  std::string unit = {};                ///< of all numbers that have any; empty: those of the columns
  std::string timeline = {};            ///< command that writes the same time for a viewer of traces; empty: none
  std::vector<double> shares = {};      ///< of the rows in a whole, shown as a bar; empty: none
  std::string table = {};               ///< stable id of the table, independent of titles; empty: none
  std::vector<PartValues> values = {};  ///< of that table, in the order of `columns`
};

/// Whether it has only a figure, which programs and terminals leave out.
inline bool is_figure(const PageSection& part) {
  return part.rows.empty() && part.sentences.empty() && part.advice.empty();
}

struct Page {
  std::string title;     ///< the report, or the folder
  std::string headline;  ///< the line to read first
  std::vector<PageSection> parts;
  std::vector<std::string> about = {};  ///< what it is about, above it in HTML: device, profiler
};

inline constexpr const char* kNotKnown = "not known";

/// With the units in the heads of the columns, or in the title.
PageSection with_units(PageSection part);

/// The rows that have less than 1 % of the whole as one row.
PageSection with_small_rows_joined(const PageSection& part);

/// Numbers of a column as texts, and the unit that belongs in its head.
struct ColumnTexts {
  std::string unit;  ///< empty: none
  std::vector<std::string> cells;
};

/// Three significant digits in one unit, with the decimal points of right-aligned cells below each other: "621",
/// "51.9", "0.087". Shares are "31 %"; `whole`: numbers of unit "1" are counts, "7,380". NaN is "not known".
ColumnTexts column_texts(const std::vector<double>& values, std::string_view unit, bool whole = true);

}  // namespace assay::look
