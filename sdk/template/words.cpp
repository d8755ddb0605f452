#include "words.hpp"

#include <algorithm>

#include "assay/words.hpp"

namespace assay::@NAME@_analyzer {

std::vector<Share> shares_of(const StudyView& view, std::string_view metric) {
  std::vector<Share> shares;
  for (const std::size_t r : view.participants()) {
    const auto fact = view.fact(r, metric);
    if (!fact) continue;
    shares.push_back({std::string(view.path(r)), view.study().facts->value[*fact], static_cast<std::int64_t>(*fact)});
  }
  return shares;
}

Finding answer(const std::vector<Share>& shares, std::int64_t below_ns) {
  const Share& largest =
      *std::max_element(shares.begin(), shares.end(), [](const Share& a, const Share& b) { return a.value < b.value; });
  Finding finding;
  finding.role = FindingRole::kAnswer;
  finding.title = printed("Short kernels take up to %.1f %% of the kernel time", 100 * largest.value);
  finding.text = "Kernels shorter than " + time_text(static_cast<double>(below_ns)) + " take " +
                 printed("%.1f %%", 100 * largest.value) + " of the kernel time of " + largest.report +
                 ", the largest share of " + counted(shares.size(), "profile") + ".";
  for (const Share& share : shares) finding.evidence.push_back(share.fact);
  return finding;
}

Plot plot_of(const std::vector<Share>& shares, std::int64_t below_ns) {
  std::vector<std::string> reports;
  std::vector<double> values;
  Plot plot;
  for (const Share& share : shares) {
    reports.push_back(share.report);
    values.push_back(share.value);
    plot.evidence.push_back(share.fact);
  }
  Table data("shares", "Short kernels");
  data.add("report", "", std::move(reports));
  data.add("share", "ratio", std::move(values));
  plot.id = "time_share";
  plot.title = "Kernel time in short kernels";
  plot.caption = "A bar a report: the share of its kernel time that kernels shorter than " +
                 time_text(static_cast<double>(below_ns)) + " take. Without short kernels all bars have length 0.";
  plot.x = {"share of kernel time", PlotScale::kLinear, PlotOrder::kGiven, kAxisZero | kAxisShares};
  plot.y = {"report", PlotScale::kLinear, PlotOrder::kDescending};
  plot.layers.push_back({PlotMark::kBar, std::move(data), {"share", "report"}});
  return plot;
}

}  // namespace assay::@NAME@_analyzer
