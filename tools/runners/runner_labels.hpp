// What an entry of a runner's file says about labels.
#pragma once

#include "catalog/catalog.hpp"
#include "runners/runner_file.hpp"

namespace assay {

/// Labels that the fields of an entry give (origin kResults, sorted by label). One that its fields give twice with
/// different values, or with a value that it cannot have, has none; `problems` says so.
struct FieldLabels {
  std::vector<LabelOfReport> labels;
  std::vector<std::string> problems;  ///< sentences without the name of the file: "Of 'a' the field px is ..."
};
FieldLabels labels_of_fields(const Question& question, const RunnerEntry& entry);

/// A value that was given and not taken, because another one stood there.
struct LabelConflict {
  std::size_t label;
  std::string kept;
  LabelOrigin kept_origin;
  std::string given;
};

/// Adds what `given` says of labels that are not there or stand there by default. The rest must agree, or is returned.
std::vector<LabelConflict> fill_labels(std::vector<LabelOfReport>& labels, const std::vector<LabelOfReport>& given);

/// Labels of a report whose name says nothing: those given, and the defaults of the rest. Nothing when one is without
/// value: the report would pass for a replicate of another run.
std::optional<std::vector<LabelOfReport>> labels_by_fields_alone(const Question& question,
                                                                 const std::vector<LabelOfReport>& given);

}  // namespace assay
