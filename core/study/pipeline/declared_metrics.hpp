// [[metric]] in a question: facts from a statement of SQL instead of a plugin. What reads SQL stands outside of core.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "config/question.hpp"
#include "plugins/plugins.hpp"
#include "result.hpp"
#include "sqlite/budget.hpp"

namespace assay {

/// The analyzer `sql` over all metrics that questions declare: otherwise like any other, planned, shared, remembered
/// and checked by the same code. Must outlive the plugins it is added to.
class DeclaredMetrics {
 public:
  DeclaredMetrics() = default;
  DeclaredMetrics(const DeclaredMetrics&) = delete;
  DeclaredMetrics& operator=(const DeclaredMetrics&) = delete;
  virtual ~DeclaredMetrics() = default;

  /// Adds the analyzer where a question declares metrics. Errors (exit 2) begin with file:line:column: a statement that
  /// is none, or more than one, that names what the report model does not have, or does not give one value; a metric
  /// that a plugin makes, or that two questions define differently.
  virtual Status add_to(Plugins& plugins, std::span<const Question> questions) = 0;
};

/// `limits`: of each statement on each report in this process from now on; one that reaches a limit fails the analyzer
/// on that report, by name. None: as before, and the defaults of sqlite/budget.hpp at first.
std::unique_ptr<DeclaredMetrics> declared_metrics(const std::optional<sqlite::Limits>& limits);

}  // namespace assay
