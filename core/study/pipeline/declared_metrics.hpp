// [[metric]] in a question: facts from a statement of SQL instead of a plugin. Implemented outside of core.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "config/question.hpp"
#include "plugins/plugins.hpp"
#include "result.hpp"
#include "sqlite/budget.hpp"

namespace assay {

/// The analyzer `sql` over all metrics that questions declare: planned, shared, cached and checked like any other. Must
/// outlive the plugins it is added to.
class DeclaredMetrics {
 public:
  DeclaredMetrics() = default;
  DeclaredMetrics(const DeclaredMetrics&) = delete;
  DeclaredMetrics& operator=(const DeclaredMetrics&) = delete;
  virtual ~DeclaredMetrics() = default;

  /// Adds the analyzer if a question declares metrics. Errors (exit 2) begin with file:line:column: not exactly one
  /// statement, names that the report model does not have, a statement that does not return one value; a metric that a
  /// plugin produces, or that two questions define differently.
  virtual Status add_to(Plugins& plugins, std::span<const Question> questions) = 0;
};

/// `limits`: of each statement on each report in this process from now on; one that reaches a limit fails the analyzer
/// on that report, by name. Empty: as before, initially the defaults of sqlite/budget.hpp.
std::unique_ptr<DeclaredMetrics> declared_metrics(const std::optional<sqlite::Limits>& limits);

}  // namespace assay
