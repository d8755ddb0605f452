// The claims of labels about a trace, as declared in the TOML.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/detail/expression.hpp"
#include "assay/options.hpp"
#include "assay/study.hpp"

namespace assay::labels {

/// "memory=local: numa=0": a value of one label that implies a value of another.
struct NamedRule {
  std::string label, value;
  std::string other, other_value;
};

/// In `grid_widths`: the rows found in the trace, so that the rule only determines the width.
inline constexpr std::string_view kSeenRows = "rows";

struct Rules {
  std::optional<Expression> input_bytes;
  std::vector<std::string> row_kernels;  ///< in small letters
  std::vector<Expression> grid_rows;
  std::vector<std::string> width_kernels;  ///< in small letters
  std::vector<Expression> grid_widths;     ///< of labels, and of kSeenRows
  std::optional<Expression> row_launches;
  std::vector<std::string> linear;
  double tolerance = 0;
  std::string compile_label, compile_base;
  std::vector<std::string> compiled_kernels;  ///< in small letters
  std::vector<std::string> graph_values;
  std::string pipeline_label, sync_value, async_value;
  std::vector<NamedRule> named;
  std::string device_label;
  std::string dtype_label, attention_label;
};

/// Throws std::invalid_argument with a message for an invalid rule.
Rules rules_from(const Options& options);

/// Throws std::invalid_argument if a rule refers to a label that the question does not declare.
void check_labels(const Rules& rules, const StudyView& view);

}  // namespace assay::labels
