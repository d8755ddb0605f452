// Finds the ends of JSON values without parsing them.
#pragma once

#include <string_view>

namespace assay::load {

inline bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// First byte from `at` on that is not white space; `end` if there is none.
const char* skip_space(const char* at, const char* end);

/// One past the end of the value at `at`: after the closing quote or bracket, or for other values the first byte that
/// cannot belong to it. Null if the text ends first.
const char* value_end(const char* at, const char* end);

/// The last position in (begin, limit] right after a '}' that is followed by ',' and '{': between two objects of one
/// array, which may be nested, or inside a string that looks like that. Null if there is none.
const char* last_gap(const char* begin, const char* limit);

}  // namespace assay::load
