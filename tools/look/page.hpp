// Pages about reports, ready to print: words, and tables whose cells are texts.
#pragma once

#include <string>
#include <vector>

#include "render/text_table.hpp"

namespace assay::look {

/// A column for programs: its own name, and unrounded cells.
struct PartValues {
  std::string name, unit;
  bool whole = false;              ///< its numbers are integers
  std::vector<std::string> texts;  ///< empty: it is numeric
  std::vector<double> numbers;     ///< NaN: not known
};

/// A section of a page: its table, then its sentences, and in HTML its figure. At least one is not empty.
struct PageSection {
  std::string title;
  std::vector<TextTable::Column> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> sentences = {};
  bool narrow = false;                  ///< two of them fit side by side
  bool main = false;                    ///< main subject of the page: never folded
  std::string figure = {};              ///< a plot as SVG
  std::vector<double> shares = {};      ///< of the rows in a whole, shown as a bar; empty: none
  std::string table = {};               ///< stable id of the table, independent of titles; empty: none
  std::vector<PartValues> values = {};  ///< of that table, in the order of `columns`
};

struct Page {
  std::string title;     ///< the report, or the folder
  std::string headline;  ///< the line to read first
  std::vector<PageSection> parts;
};

inline constexpr const char* kNotKnown = "not known";

/// Numbers of one column in one unit: times and amounts of data as "12.8 ms" above "0.53 ms"; shares in percent;
/// `whole`: numbers of unit "1" are counts. Omits a unit that is in the heading. NaN is "not known".
std::vector<std::string> column_texts(const std::vector<double>& values, std::string_view unit, bool whole = true,
                                      std::string_view heading = {});

}  // namespace assay::look
