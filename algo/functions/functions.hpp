// Which function of the program each thread was in, at any time: exact, by the Python functions of a trace.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "algo/account/innermost_rows.hpp"
#include "assay/algo/intervals.hpp"
#include "assay/report.hpp"

namespace assay::functions {

/// Functions that do half or more of the work of several others, which call them: their helpers. `times`: of each
/// function with all that it calls; `under`: of it, by function and caller.
template <class Function>
std::set<Function> helpers_of(const std::map<Function, std::int64_t>& times,
                              const std::map<std::pair<Function, Function>, std::int64_t>& under) {
  constexpr std::int64_t kHelps = 2;  // their time at most this many times its own
  std::set<Function> out;
  for (auto at = under.begin(); at != under.end();) {
    const Function function = at->first.first;
    std::size_t callers = 0;
    std::int64_t own = 0, theirs = 0;
    for (; at != under.end() && at->first.first == function; ++at, ++callers) {
      own += at->second;
      theirs += times.at(at->first.second);
    }
    if (callers > 1 && kHelps * own >= theirs) out.insert(function);
  }
  return out;
}

/// The functions of the program on each stack; of a stack without any the outermost of a library. Borrows the report;
/// without col::ops, or without Python functions, there are none.
class Functions {
 public:
  explicit Functions(const Report& report);

  /// Calls `use(part, row)` for the parts of a time in each function of a thread: the innermost, as its row of ops;
  /// kNone: in none.
  template <class Use>
  void each_in(std::uint32_t thread, Interval time, const Use& use) const {
    if (innermost_.empty()) return use(time, Row{kNone});
    changes_.each_in(thread, time, use);
  }
  /// The function that has the time of a row that each_in gives: itself, but a helper leaves it to its caller. kNone of
  /// kNone.
  [[nodiscard]] Row owner_of(Row row) const;
  /// Whether a function says more of where code is than a range around it: it began within the range, or the range is a
  /// step, or none.
  [[nodiscard]] bool is_within(Row function, Row range) const;
  /// Row of the function that calls that of `row`, another one; kNone: none of the program.
  [[nodiscard]] Row caller(Row row) const;

 private:
  /// Null: the report has no functions.
  const OpTable* find_innermost();
  void find_helpers();

  const Report& report_;
  std::vector<Row> innermost_;  ///< by row of ops: the innermost function at it or around it; empty: there are none
  std::set<StringId> helpers_;  ///< names
  std::set<Row> steps_;         ///< rows of ranges
  account::InnermostRows changes_;
};

/// "tokenize (stacks.py:8)" of a row of Python functions; empty for kNone.
std::string function_text(const Report& report, Row row);

}  // namespace assay::functions
