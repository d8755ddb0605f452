// Names in kConsumes: "name" is read, and its maker concludes first; "?name" where somebody makes it; "^name" as
// `analyze` made it, whoever concludes first.
#pragma once

#include <string_view>

namespace assay {

inline bool is_optional(std::string_view consumed) { return consumed.starts_with('?'); }

/// Whether the name is made by the time that anybody concludes, so that its reader waits for no one.
inline bool is_as_analyzed(std::string_view consumed) { return consumed.starts_with('^'); }

/// Without its mark.
inline std::string_view consumed_name(std::string_view consumed) {
  return is_optional(consumed) || is_as_analyzed(consumed) ? consumed.substr(1) : consumed;
}

}  // namespace assay
