// A table of texts and numbers, from CSV or JSON.
#pragma once

#include <string>
#include <vector>

#include "result.hpp"

namespace assay {

struct SheetCell {
  std::string text;             ///< without spaces around it; empty where there is none
  std::vector<double> numbers;  ///< one for a finite number, several for a JSON list of such, else none
};

struct SheetTexts {
  struct NamedColumn {
    std::string name;
    std::vector<SheetCell> cells;  ///< one a row
  };
  std::vector<NamedColumn> columns;
  std::size_t rows = 0;
  std::vector<std::string> problems;  ///< rows that were left out, each a sentence
};

/// RFC 4180, with or without BOM, LF or CRLF. The first line names the columns; names must be there and differ. A row
/// with fewer cells is filled with empty ones, one with more is left out and told; lines without any text are skipped.
/// Errors: no header, a name twice, a quote that never ends.
Result<SheetTexts> csv_table(std::string_view bytes);

/// A JSON list of objects, or an object that holds one such list, or one object (a table of one row). Keys become
/// columns in the order in which they are first met, those of nested objects dotted ("config.depth"). Null is an empty
/// cell, and so are NaN and Infinity, which Python writes; a list of numbers keeps its numbers; other lists keep their
/// JSON text, and a list of objects in a row has a dotted column too for each key with numbers, those of all its
/// objects one after the other. Errors: no JSON, nested more than 64 deep, or nothing like a table.
Result<SheetTexts> json_table(std::string_view bytes);

/// As json_table, and of an object that holds several lists of objects all of them, one after the other.
Result<SheetTexts> json_tables(std::string_view bytes);

/// The cell of a text: its number when the whole of it is a finite decimal number.
SheetCell sheet_cell(std::string_view text);

}  // namespace assay
