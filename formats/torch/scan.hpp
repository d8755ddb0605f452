// Where values of JSON end, found without parsing them.
#pragma once

#include <string_view>

namespace assay::load {

inline bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// First byte from `at` on that is no white space; `end` when there is none.
const char* skip_space(const char* at, const char* end);

/// One past the end of the value that begins at `at`: of a string behind its quote, of an object or array behind its
/// bracket, of anything else at the first byte that cannot belong to it. Null when the text ends first.
const char* value_end(const char* at, const char* end);

/// The last place in (begin, limit] right behind a '}' that is followed by ',' and '{': between two objects of one
/// array, which may be an inner one, or inside a string that looks like it. Null when there is none.
const char* last_gap(const char* begin, const char* limit);

}  // namespace assay::load
