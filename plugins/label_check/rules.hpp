// What labels claim of a trace, as the TOML declares it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/options.hpp"
#include "assay/study.hpp"
#include "expression.hpp"

namespace assay::labels {

/// "memory=local: numa=0": a value of one label of the name that goes with one value of another.
struct NamedRule {
  std::string label, value;
  std::string other, other_value;
};

struct Rules {
  std::optional<Expression> input_bytes;
  std::vector<Expression> grid_rows;
  std::vector<std::string> linear;
  double tolerance = 0;
  std::string compile_label, compile_base;
  std::vector<std::string> compiled_kernels;  ///< in small letters
  std::vector<std::string> graph_values;
  std::string pipeline_label, sync_value, async_value;
  std::vector<std::string> sync_kinds;
  double sync_calls = 0;
  std::vector<NamedRule> named;
  std::string device_label;
};

/// Throws std::invalid_argument with a sentence for a rule that cannot be read.
Rules rules_from(const Options& options);

/// Throws std::invalid_argument when a rule speaks of a label that the question does not declare.
void check_labels(const Rules& rules, const StudyView& view);

}  // namespace assay::labels
