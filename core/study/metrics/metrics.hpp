// [[metric]] in a question: facts from an SQL statement instead of a plugin.
//
// The statements become options of one analyzer, `sql`, which is part of the program and otherwise like any other:
// planned, shared, cached and checked by the same code. A statement returns the value in its column `value` (or its
// only column); every other column is a dim. A NULL value, no row, and a table or column that the report lacks are
// skips with a reason.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "config/question.hpp"
#include "plugins/plugins.hpp"
#include "query/guard.hpp"
#include "result.hpp"

namespace assay::query {

inline constexpr std::string_view kSqlAnalyzer = "sql";

/// Definition of a metric in a question, in the order of the option of its name.
struct MetricText {
  std::string id, unit, polarity, extensive, title, definition, sql;
};

/// Sets the limits per statement and report for this process; before that the defaults of guard.hpp apply. A statement
/// that reaches a limit fails the analyzer `sql` on that report, by name.
void limit_metrics(const Limits& limits);

/// The analyzer `sql` over all metrics declared in questions. Must outlive the plugins it is added to.
class SqlMetrics {
 public:
  SqlMetrics();
  ~SqlMetrics();
  SqlMetrics(const SqlMetrics&) = delete;
  SqlMetrics& operator=(const SqlMetrics&) = delete;

  /// Adds the analyzer if a question declares metrics. Errors (exit 2) begin with file:line:column: not exactly one
  /// statement, a statement that names what the report model lacks or that does not return one value; a metric that a
  /// plugin produces, or that two questions define differently.
  Status add_to(Plugins& plugins, std::span<const Question> questions);

 private:
  struct DeclaredSql;
  std::unique_ptr<DeclaredSql> declared_;
};

}  // namespace assay::query
