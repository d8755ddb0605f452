// What a user says of the fields of names, where the understanding of them is wrong.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/question.hpp"
#include "result.hpp"
#include "runs/names.hpp"

namespace assay {

/// What a user says of fields of names, by label ("prof") or pattern ("prof_{n}"); it wins.
struct RunChoice {
  std::vector<std::string> labels = {};   ///< --label: distinguishes configurations
  std::vector<std::string> repeats = {};  ///< --repeats: counts repeats
  std::string by = {};                    ///< --by: what is compared; "role" compares the parts of a run
};

/// "prof_{n}" is the field prof; so is "prof".
bool is_field(const std::string& field, const std::string& label);

/// What a choice changes in questions, whose labels are declared: --label and --repeats what a label is, --by the
/// `label` of the analyzers that compare. Error (exit 2): no question declares such a label.
Status apply_choice(const RunChoice& choice, std::vector<Question>& questions);

/// Error (exit 2): a field that the names do not have.
Status check_choice(const RunChoice& choice, const naming::NameRules& rules);

}  // namespace assay
