// A session over reports made up in a test, and its answers as text.
#pragma once

#include <sqlite3.h>

#include "query/session.hpp"
#include "support/test.hpp"

namespace assay::query {

inline Session session_over(std::vector<const Report*> reports, SessionData data = {}) {
  data.reports = std::move(reports);
  Result<Session> made = Session::over_reports(std::move(data));
  EXPECT_TRUE(made.ok()) << made.error().sentence;
  return std::move(*made);
}

/// Rows as "a|b|c", NULL as "-"; what is wrong as "error: ...".
inline std::vector<std::string> ask(Session& session, const std::string& sql, const Limits& limits = {}) {
  StatementError problem;
  std::optional<Query> query = session.prepare(sql, limits, problem);
  if (!query) return {"error: " + problem.sentence};
  std::vector<std::string> rows;
  for (;;) {
    const Query::Step step = query->step();
    if (step == Query::Step::kEnd) return rows;
    if (step == Query::Step::kFailed) {
      rows.push_back("error: " + query->problem().sentence);
      return rows;
    }
    std::string row;
    for (int c = 0; c < query->columns(); ++c) {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(query->row(), c));
      row += (c > 0 ? "|" : "") + std::string(text == nullptr ? "-" : text);
    }
    rows.push_back(row);
  }
}

inline std::vector<std::string> ask(const Report& report, const std::string& sql) {
  Session session = session_over({&report});
  return ask(session, sql);
}

using Answer = std::vector<std::string>;

}  // namespace assay::query
