// What is said of reports, ready to be printed: words, and tables whose cells are texts.
#pragma once

#include <string>
#include <vector>

#include "render/text_table.hpp"

namespace assay::look {

/// A part of a page: its table, then its sentences. Either may be empty, but not both.
struct Part {
  std::string title;
  std::vector<TextTable::Column> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> sentences = {};
  bool narrow = false;  ///< two of them may stand side by side
};

struct Page {
  std::string title;     ///< the report, or the folder
  std::string headline;  ///< the one line to read
  std::vector<Part> parts;
};

/// Numbers of one column in one unit, "12.8 ms" above "0.53 ms"; NaN is "not known".
std::vector<std::string> column_texts(const std::vector<double>& values, std::string_view unit);

/// "31 %"; what is below a half but not nothing is "< 1 %".
std::string share_text(double share);

}  // namespace assay::look
