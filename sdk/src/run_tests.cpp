#include "assay/detail/run_tests.hpp"

#include <cmath>

#include "assay/algo/distributions.hpp"
#include "assay/algo/pairs.hpp"
#include "assay/detail/ranks.hpp"
#include "assay/detail/run_order.hpp"
#include "assay/detail/spread.hpp"
#include "assay/words.hpp"

namespace assay {

RunTests run_tests(std::span<const double> base, std::span<const double> treated) {
  if (base.size() < 2 || treated.size() < 2) return {};
  RunTests out;
  double error = 0, parts = 0;
  const RunMean sides[] = {run_mean(base), run_mean(treated)};
  for (const RunMean& side : sides) {
    const auto runs = static_cast<double>(side.runs);
    const double part = side.squares / (runs - 1) / runs;
    error += part;
    parts += part * part / (runs - 1);
  }
  const double difference = std::abs(sides[0].mean - sides[1].mean);
  out.welch =
      error > 0 ? 2 * student_t_cdf(-difference / std::sqrt(error), error * error / parts) : (difference > 0 ? 0 : 1);
  out.mann_whitney = mann_whitney_p(base, treated);
  out.least = base.size() * treated.size() <= kExactPairs
                  ? 2 * mann_whitney_distribution(base.size(), treated.size()).front()
                  : 0;
  return out;
}

std::string unlike_run_tests(const RunTests& tests, bool changed, std::string_view why) {
  constexpr double kError = 0.05;
  std::vector<std::string> unlike;
  const auto add = [&](const char* name, double p) {
    if (!std::isnan(p) && (p < kError) != changed) unlike.push_back(printed("%s (p = %.2g)", name, p));
  };
  add("Welch's t-test", tests.welch);
  add("Mann-Whitney", tests.mann_whitney);
  if (unlike.empty()) return {};
  const bool few = changed && why.empty() && tests.least >= kError;
  return filled("{} would {}call it a change: {}", {listed(unlike), changed ? "not " : "",
                                                    few ? printed("of so few runs its least p is %.2g", tests.least)
                                                        : "each run counts there as independent, " + std::string(why)});
}

std::string run_tests_text(const PairEffect& e) {
  if (e.contrast->effect.scope == Scope::kWithinRun || e.outcome == PairOutcome::kEquivalent) return {};
  const bool changed = e.outcome == PairOutcome::kDiffers;
  const bool apart = !order_clause(e.contrast->basis.widening).empty();
  return unlike_run_tests(run_tests(e.base.runs, e.treated.runs), changed,
                          e.blocks > 0 ? "whatever the block and however often one looked"
                          : changed    ? ""
                          : apart      ? "and these were recorded one side after the other"
                                       : "and the comparison shares its error with no other");
}

}  // namespace assay
