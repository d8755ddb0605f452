#include "compare.hpp"

#include <algorithm>

#include "study_fact.hpp"

namespace assay::claims {
namespace {

bool has_value(const StudyView& view, std::size_t report, const Claim& claim) {
  return view.value(static_cast<Row>(report), claim.metric, claim.dims).has_value();
}

/// Cells of single runs: what was measured of them stands in `treated`.
void take(const StudyView& view, Cells cells, Gathered& g) {
  for (Cell& cell : cells.cells) {
    Stratum out{std::move(cell.labels), {}, cell.reports()};
    std::erase_if(out.treated, [&](std::size_t r) { return !has_value(view, r, g.claim); });
    if (!out.treated.empty()) g.cells.push_back(std::move(out));
  }
  g.left_out = std::move(cells.left_out);
}

/// Matched pairs of every treated value; the value stands among the labels of its cells.
void ratio_cells(const StudyView& view, Gathered& g) {
  std::vector<LabelPair> pairs;
  for (const std::string& treated : g.claim.treated) pairs.push_back({g.claim.label, g.claim.base, treated});
  PairMatching matching = match_pairs(view, pairs);
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    for (Stratum& cell : matching.strata[p]) {
      // A condition on the label under test selects a side, not a pair: `treated` does that.
      if (!meets(view, cell.treated.front(), g.claim.where) || !meets(view, cell.base.front(), g.claim.where)) continue;
      for (auto* side : {&cell.base, &cell.treated})
        std::erase_if(*side, [&](std::size_t r) { return !has_value(view, r, g.claim); });
      if (cell.base.empty() || cell.treated.empty()) continue;
      cell.labels.emplace_back(g.claim.label, pairs[p].treated);
      g.cells.push_back(std::move(cell));
    }
  }
  for (Unmatched& u : matching.unmatched) {
    if (meets(view, u.report, g.claim.where)) g.left_out.push_back(std::move(u));
  }
}

}  // namespace

Gathered gather(const StudyView& view, Claim claim) {
  Gathered g{std::move(claim), {}, {}};
  switch (g.claim.compare) {
    case Compare::kLevel:
      take(view, cells_of(view, g.claim.where), g);
      break;
    case Compare::kRatio:
      ratio_cells(view, g);
      break;
    case Compare::kStep:
      take(view, cells_of(view, g.claim.where, g.claim.per), g);
      break;
    case Compare::kStudy:
      g.cells = study_cells(view, g.claim);
      break;
  }
  return g;
}

}  // namespace assay::claims
