#include "render/html/page_budget.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "render/format.hpp"

namespace assay {
namespace {

constexpr std::size_t kPoints = 4'000, kMinPoints = 100;
constexpr std::size_t kRows = 15'000, kMinRows = 200;
constexpr std::size_t kAllFacts = 200, kMaxFacts = 200'000;

/// An equal share of the total, if the demands exceed it.
std::size_t share(std::size_t all, std::size_t asked, std::size_t askers, std::size_t least) {
  return asked <= all ? asked : std::max(least, all / std::max<std::size_t>(1, askers));
}

std::size_t points_of(const OwnedPlot& plot) {
  std::size_t most = 0;
  for (const OwnedLayer& layer : plot.layers) {
    if (layer.mark == PlotMark::kPoint) most = std::max(most, layer.data.rows());
  }
  return most;
}

template <class T>
void choose(std::vector<T>& values, const std::vector<std::size_t>& rows) {
  if (values.empty()) return;
  std::vector<T> kept;
  for (const std::size_t row : rows) kept.push_back(std::move(values[row]));
  values = std::move(kept);
}

}  // namespace

PageBudget budget_of(const std::vector<QuestionRun>& questions) {
  std::size_t points = 0, plots = 0, rows = 0, tables = 0;
  for (const QuestionRun& question : questions) {
    for (const OwnedPlot& plot : question.result.plots) {
      points += points_of(plot);
      ++plots;
    }
    for (const OwnedTable& table : question.result.tables) {
      rows += table.rows();
      ++tables;
    }
  }
  return {share(kPoints, points, plots, kMinPoints), share(kRows, rows, tables, kMinRows)};
}

std::optional<OwnedPlot> thinned(const OwnedPlot& plot, std::size_t most) {
  const std::size_t all = points_of(plot);
  if (all <= most) return std::nullopt;
  OwnedPlot out = plot;
  for (OwnedLayer& layer : out.layers) {
    const std::size_t rows = layer.data.rows();
    if (layer.mark != PlotMark::kPoint || rows <= most) continue;
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < most; ++i) chosen.push_back(i * rows / most);
    for (OwnedTable::Column& column : layer.data.columns) {
      choose(column.texts, chosen);
      choose(column.integers, chosen);
      choose(column.numbers, chosen);
    }
  }
  out.caption += fmt::format("{}Here {} of {}, evenly chosen; the drawing in plots/ has all.",
                             out.caption.empty() ? "" : " ", counted(most, "point"), all);
  return out;
}

FactRows facts_for_page(const FactRows& facts, const std::vector<QuestionRun>& questions) {
  if (facts.size() <= kAllFacts) return facts;
  std::vector<bool> wanted(facts.size());
  std::size_t count = 0;
  for (const QuestionRun& run : questions) {
    const auto want = [&](const std::vector<EvidenceRow>& evidence) {
      for (const EvidenceRow& row : evidence) {
        const std::size_t place = facts.row_of(row.report, row.metric, row.dims, run.question.id);
        if (place >= facts.size() || wanted[place] || count >= kMaxFacts) continue;
        wanted[place] = true;
        ++count;
      }
    };
    for (const OwnedFinding& finding : run.result.findings) want(finding.evidence);
    for (const OwnedPlot& plot : run.result.plots) want(plot.evidence);
    for (const OwnedClaim& claim : run.result.claims) {
      for (const OwnedStratum& stratum : claim.strata) want(stratum.evidence);
    }
  }
  return facts.only(wanted);
}

}  // namespace assay
