// Rows of a query on standard output: for people, spreadsheets and programs.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>

#include "query/session.hpp"

namespace assay::query {

enum class Format { kTable, kLine, kCsv, kJson };

/// Prints all rows that the statement gives, as they come. Table: columns as wide as the first rows need, NULL as
/// nothing. Line: a column on each line. CSV: as RFC 4180 says, a header first, NULL as nothing. JSON: an array of
/// objects, NULL as null. Numbers are written so that reading them gives the same number. Error: the statement failed
/// on its way; what came before is printed.
std::optional<Problem> print_rows(Query& query, Format format, std::ostream& out);

}  // namespace assay::query
