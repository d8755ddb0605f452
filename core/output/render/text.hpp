// Text on terminals and in Markdown: widths, wrapping, escaping.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Columns of a UTF-8 text on a terminal: one per code point.
std::size_t display_width(std::string_view text);

/// `text` padded with blanks to `width` columns; longer texts stay unchanged.
std::string padded(std::string_view text, std::size_t width);

/// `text` shortened to `width` columns, with "..." in the middle if necessary.
std::string shortened(std::string_view text, std::size_t width);

/// Lines of at most `width` columns, broken at blanks; keeps longer words whole.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// Valid UTF-8 on one line with hidden characters as \u{..}, so that a file name can neither control the terminal nor
/// look like another.
std::string one_line(std::string_view text);

/// A CSV cell (RFC 4180), quoted only if it contains a quote, a comma or a line break.
std::string csv_cell(std::string text);

/// For a cell or paragraph of Markdown: on one line, with markup escaped.
std::string markdown(std::string_view text);

}  // namespace assay
