// [[metric]] in a question: facts from a statement of SQL instead of a plugin.
//
// The statements become the options of one analyzer, `sql`, which is part of the program and otherwise like any other:
// planned, shared, remembered and checked by the same code. A statement gives the value in its column `value` (or in
// its only one); every other column is a dim. NULL as a value, no row, and a table or column that the report does not
// have are skips with their reason.
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

/// What a question says of one metric, in the order in which the option of its name lists it.
struct MetricText {
  std::string id, unit, polarity, extensive, title, definition, sql;
};

/// Of each statement of a [[metric]] on each report in this process from now on; until then the defaults of guard.hpp.
/// One that reaches a limit fails the analyzer `sql` on that report, by name.
void limit_metrics(const Limits& limits);

/// The analyzer `sql` over all metrics that questions declare. Must outlive the plugins it is added to.
class SqlMetrics {
 public:
  SqlMetrics();
  ~SqlMetrics();
  SqlMetrics(const SqlMetrics&) = delete;
  SqlMetrics& operator=(const SqlMetrics&) = delete;

  /// Adds the analyzer where a question declares metrics. Errors (exit 2) begin with file:line:column: a statement that
  /// is none, or more than one, that names what the report model does not have, or does not give one value; a metric
  /// that a plugin makes, or that two questions define differently.
  Status add_to(Plugins& plugins, std::span<const Question> questions);

 private:
  struct DeclaredSql;
  std::unique_ptr<DeclaredSql> declared_;
};

}  // namespace assay::query
