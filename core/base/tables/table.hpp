// A table of texts and numbers from CSV or JSON.
#pragma once

#include <string>
#include <vector>

#include "result.hpp"

namespace assay {

struct SheetCell {
  std::string text;             ///< without surrounding spaces; empty if there is none
  std::vector<double> numbers;  ///< one for a finite number, several for a JSON list of numbers, else none
};

struct SheetTexts {
  struct NamedColumn {
    std::string name;
    std::vector<SheetCell> cells;  ///< one a row
  };
  std::vector<NamedColumn> columns;
  std::size_t rows = 0;
  std::vector<std::string> problems;  ///< rows that were left out, one sentence each
};

/// Parses CSV (RFC 4180) with or without byte order mark, with LF or CRLF. The first line has the column names, which
/// must be present and distinct. A row with fewer cells is padded with empty ones, one with more is left out and
/// reported; empty lines are skipped. Errors: no header, a duplicate name, a quote that does not end.
Result<SheetTexts> csv_table(std::string_view bytes);

/// Parses a JSON list of objects, an object with one such list, or one object (a table of one row). Keys become columns
/// in order of first appearance, nested keys dotted ("config.depth"). Null, NaN and Infinity (which Python writes) are
/// empty cells; a list of numbers keeps its numbers; other lists keep their JSON text. A list of objects in a row adds
/// a dotted column per numeric key, with the numbers of all its objects. Errors: not JSON, nested more than 64 deep, or
/// not a table.
Result<SheetTexts> json_table(std::string_view bytes);

/// Like json_table, but returns all lists of objects in an object, one after another.
Result<SheetTexts> json_tables(std::string_view bytes);

/// Cell with this text; its number if the whole text is a finite decimal number.
SheetCell sheet_cell(std::string_view text);

}  // namespace assay
