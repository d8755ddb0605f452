// Labels in an entry of a runner file.
#pragma once

#include "catalog/catalog.hpp"
#include "runners/runner_file.hpp"

namespace assay {

/// Labels from the fields of an entry (origin kResults, sorted by label). A label with two different values, or with an
/// invalid one, is left out and listed in `problems`.
struct FieldLabels {
  std::vector<LabelOfReport> labels;
  std::vector<std::string> problems;  ///< sentences without the file name: "Of 'a' the field px is ..."
};
FieldLabels labels_of_fields(const Question& question, const RunnerEntry& entry);

/// A given value that was not used because the label has another one.
struct LabelConflict {
  std::size_t label;
  std::string kept;
  LabelOrigin kept_origin;
  std::string given;
};

/// Adds labels of `given` that are missing or have their default. The others must agree; returns those that do not.
std::vector<LabelConflict> fill_labels(std::vector<LabelOfReport>& labels, const std::vector<LabelOfReport>& given);

/// Labels of a report whose name has none: those given, and defaults for the rest. Empty if one has no value: the
/// report would pass for a repeat of another run.
std::optional<std::vector<LabelOfReport>> labels_by_fields_alone(const Question& question,
                                                                 const std::vector<LabelOfReport>& given);

}  // namespace assay
