// Text on a terminal and in Markdown: widths, wrapping, escaping.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Columns a UTF-8 text takes on a terminal: one a code point.
std::size_t display_width(std::string_view text);

/// `text` filled with blanks to `width` columns; longer texts stay whole.
std::string padded(std::string_view text, std::size_t width);

/// `text` shortened to `width` columns, with "..." in its middle when something had to go.
std::string shortened(std::string_view text, std::size_t width);

/// Lines of at most `width` columns, broken at blanks; a longer word stays whole.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// Valid UTF-8 on one line and with hidden characters as \u{..}, so that a file name can neither steer the terminal nor
/// look like another.
std::string one_line(std::string_view text);

/// A cell of CSV (RFC 4180): quoted only where a quote, a comma or a line break asks for it.
std::string csv_cell(std::string text);

/// For a cell or paragraph of Markdown: on one line, with what Markdown would read as markup escaped.
std::string markdown(std::string_view text);

}  // namespace assay
