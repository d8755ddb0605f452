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
  const auto measured = [&](std::size_t r) { return has_value(view, r, g.claim); };
  for (Cell& cell : cells.cells)
    g.cells.push_back({{std::move(cell.labels), {}, cell.runs.where(measured), std::move(cell.apart)}});
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
      for (Runs* side : {&cell.base, &cell.treated})
        *side = side->where([&](std::size_t r) { return has_value(view, r, g.claim); });
      cell.labels.emplace_back(g.claim.label, pairs[p].treated);
      g.cells.push_back({std::move(cell)});
    }
  }
  for (Unmatched& u : matching.unmatched) {
    if (meets(view, u.report, g.claim.where)) g.left_out.push_back(std::move(u));
  }
}

/// In what runs of one step may differ: the axis, and what shifts it.
std::vector<std::string> varying_of(const Claim& claim) {
  std::vector<std::string> out = claim.block;
  out.push_back(claim.label);
  return out;
}

}  // namespace

std::size_t Gathered::measured() const {
  return static_cast<std::size_t>(
      std::count_if(cells.begin(), cells.end(), [&](const ClaimCell& cell) { return is_measured(cell); }));
}

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
      take(view, cells_of(view, g.claim.where, g.claim.per, varying_of(g.claim)), g);
      break;
    case Compare::kStudy:
      g.cells = study_cells(view, g.claim);
      break;
  }
  return g;
}

}  // namespace assay::claims
