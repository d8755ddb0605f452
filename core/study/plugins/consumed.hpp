// Names in kConsumes: "name" is read, and its producer concludes first; "?name" only if it is produced; "^name" as
// produced by `analyze`, in any order of conclusions.
#pragma once

#include <string_view>

namespace assay {

inline bool is_optional(std::string_view consumed) { return consumed.starts_with('?'); }

/// Whether the name is produced before anything is concluded, so that its reader need not wait.
inline bool is_as_analyzed(std::string_view consumed) { return consumed.starts_with('^'); }

/// Without its mark.
inline std::string_view consumed_name(std::string_view consumed) {
  return is_optional(consumed) || is_as_analyzed(consumed) ? consumed.substr(1) : consumed;
}

}  // namespace assay
