// What is said of reports, ready to be printed: words, and tables whose cells are texts.
#pragma once

#include <string>
#include <vector>

#include "render/text_table.hpp"

namespace assay::look {

/// A column for programs: its own name, and cells as they were measured.
struct PartValues {
  std::string name, unit;
  bool whole = false;              ///< its numbers are integers
  std::vector<std::string> texts;  ///< empty: it has numbers
  std::vector<double> numbers;     ///< NaN: not known
};

/// A part of a page: its table, then its sentences, and in HTML its figure. Not all of them are empty.
struct PageSection {
  std::string title;
  std::vector<TextTable::Column> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> sentences = {};
  bool narrow = false;                  ///< two of them may stand side by side
  bool main = false;                    ///< what the page is about: never folded
  std::string figure = {};              ///< a plot as SVG
  std::vector<double> shares = {};      ///< of the rows in one whole, which a bar shows; empty: none
  std::string table = {};               ///< id of the table that it shows, which no title changes; empty: it has none
  std::vector<PartValues> values = {};  ///< of that table, in the order of `columns`
};

struct Page {
  std::string title;     ///< the report, or the folder
  std::string headline;  ///< the one line to read
  std::vector<PageSection> parts;
};

inline constexpr const char* kNotKnown = "not known";

/// Numbers of one column by their unit: times and amounts of data in one of it, "12.8 ms" above "0.53 ms"; shares in
/// percent; `whole`: numbers of unit "1" are counts. A unit that is the heading is not said again. NaN is "not known".
std::vector<std::string> column_texts(const std::vector<double>& values, std::string_view unit, bool whole = true,
                                      std::string_view heading = {});

/// "31 %"; what is below a half but not nothing is "< 1 %".
std::string share_text(double share);

}  // namespace assay::look
