#include "words.hpp"

#include <algorithm>

#include "assay/words.hpp"

namespace assay::serving {
namespace {

constexpr std::size_t kMaxFindings = 6;

std::string rate_text(double rate) { return printed(rate < 100 ? "%.3g" : "%.0f", rate); }

/// "TTFT 8.9 ms, TPOT 5.3 ms (median): 190 tokens/s, 5.57 requests/s, 9 % of the steps' time in prefill".
std::string sentence(const ServedRun& run) {
  std::vector<std::string> times, rates;
  if (run.ttft) times.push_back("TTFT " + time_text(*run.ttft));
  if (run.tpot) times.push_back("TPOT " + time_text(*run.tpot));
  if (!run.tpot && run.gap) times.push_back("a token every " + time_text(*run.gap));
  if (run.tokens_per_s) rates.push_back(rate_text(*run.tokens_per_s) + " tokens/s");
  if (run.requests_per_s) rates.push_back(rate_text(*run.requests_per_s) + " requests/s");
  if (run.prefill) rates.push_back(percent(*run.prefill, 0) + " of the steps' time in prefill");
  std::string text;
  for (const std::string& time : times) text += (text.empty() ? "" : ", ") + time;
  if (!times.empty()) text += " (median)";
  for (std::size_t r = 0; r < rates.size(); ++r) text += (r > 0 ? ", " : text.empty() ? "" : ": ") + rates[r];
  return text;
}

}  // namespace

std::vector<Finding> findings(const StudyView& view, const std::vector<ServedRun>& runs) {
  std::vector<Finding> out;
  for (const ServedRun& run : runs) {
    if (out.size() == kMaxFindings) break;
    Finding f;
    f.role = out.empty() ? FindingRole::kAnswer : FindingRole::kEvidence;
    f.title = (runs.size() > 1 ? std::string(view.path(run.report)) + ": " : std::string()) + sentence(run);
    f.text = run.batch > 1 ? "Rates are of " + printed("%.0f", run.batch) + " sequences at a time, by the label."
                           : "Rates are of one sequence at a time unless the names of steps say more.";
    f.evidence = run.evidence;
    out.push_back(std::move(f));
  }
  return out;
}

Table run_table(const StudyView& view, const std::vector<ServedRun>& runs) {
  Table table("served_runs", "Servers");
  table.column("report", "", runs, [&](const ServedRun& run) { return std::string(view.path(run.report)); })
      .column("TTFT", "ns", runs, &ServedRun::ttft)
      .column("TPOT", "ns", runs, &ServedRun::tpot)
      .column("TPOT p99", "ns", runs, &ServedRun::tpot_p99)
      .column("tokens", "1/s", runs, &ServedRun::tokens_per_s)
      .column("requests", "1/s", runs, &ServedRun::requests_per_s)
      .column("prefill", "ratio", runs, &ServedRun::prefill);
  return table;
}

}  // namespace assay::serving
