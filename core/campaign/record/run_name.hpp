// Label patterns written backwards: from labels to the name that gives them again.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/question.hpp"
#include "result.hpp"

namespace assay::record {

/// Label and value, normalised, sorted by label.
using Values = std::vector<std::pair<std::string, std::string>>;

/// The value of a label; empty when it has none.
std::string value_of(const Values& values, std::string_view label);

/// A pattern with values in its places; nothing when a label has none.
std::optional<std::string> filled(const std::string& pattern, const Values& values);

/// "patch=8;dim=384", for messages.
std::string text_of(const Values& values);

/// The stem of the report of a run with these labels: a pattern and as few suffixes as say all that is not default. A
/// word that someone declared for a default (`_uncompiled`) is used where the matrix names the label (`named`). The
/// name has been read again and gives the same labels. Error: no name does, as a whole sentence.
Result<std::string> run_name(const Question& question, const Values& values, const std::vector<std::string>& named);

}  // namespace assay::record
