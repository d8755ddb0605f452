#include "compare.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "study_fact.hpp"

namespace assay::claims {
namespace {

/// Runs that take part and meet the claim's conditions; those that would if they were believed are left out, said.
std::vector<std::size_t> selected(const StudyView& view, Gathered& g) {
  for (const std::size_t r : view.disbelieved()) {
    if (meets(view, r, g.claim.where)) g.left_out.push_back({r, std::string(view.doubt(r))});
  }
  std::vector<std::size_t> out;
  for (const std::size_t r : view.participants()) {
    if (meets(view, r, g.claim.where)) out.push_back(r);
  }
  return out;
}

bool has_value(const StudyView& view, std::size_t report, const Claim& claim) {
  return view.value(static_cast<Row>(report), claim.metric, claim.dims).has_value();
}

/// One cell a set of equal labels, in label order. Where labels are declared a run without any is in none: nothing says
/// of which runs it is a replicate. Where none are every run is its own.
void level_cells(const StudyView& view, Gathered& g) {
  constexpr std::size_t kNoLabel = std::numeric_limits<std::size_t>::max();
  const bool declared = declares_labels(view);
  std::map<std::pair<detail::LabelKey, std::size_t>, Stratum> cells;
  for (const std::size_t r : selected(view, g)) {
    if (!has_value(view, r, g.claim)) continue;
    if (declared && !view.named(r)) {
      g.left_out.push_back({r, "its name gives it no label, so that nothing says which runs are its replicates"});
      continue;
    }
    Stratum& cell = cells[{detail::key_without(view, r, kNoLabel), declared ? 0 : view.job(r)}];
    if (cell.treated.empty()) cell.labels = detail::labels_without(view, r, kNoLabel);
    cell.treated.push_back(r);
  }
  for (auto& [key, cell] : cells) g.cells.push_back(std::move(cell));
}

/// Matched pairs of every treated value; the value stands among the labels of its cells.
void ratio_cells(const StudyView& view, Gathered& g) {
  for (const std::string& treated : g.claim.treated) {
    Matching matching = match_pairs(view, g.claim.label, g.claim.base, treated);
    for (Stratum& cell : matching.strata) {
      const auto drop = [&](std::vector<std::size_t>& side) {
        std::erase_if(side, [&](std::size_t r) { return !has_value(view, r, g.claim); });
      };
      // A condition on the label under test selects a side, not a pair: `treated` does that.
      if (!meets(view, cell.treated.front(), g.claim.where) || !meets(view, cell.base.front(), g.claim.where)) continue;
      drop(cell.base);
      drop(cell.treated);
      if (cell.base.empty() || cell.treated.empty()) continue;
      cell.labels.emplace_back(g.claim.label, treated);
      g.cells.push_back(std::move(cell));
    }
    for (Unmatched& u : matching.unmatched) {
      if (meets(view, u.report, g.claim.where)) g.left_out.push_back(std::move(u));
    }
  }
}

/// One cell a combination of the `per` labels.
void step_cells(const StudyView& view, Gathered& g) {
  const Claim& claim = g.claim;
  std::map<std::vector<double>, std::size_t> seen;
  std::map<std::vector<double>, Stratum> cells;
  for (const std::size_t r : selected(view, g)) {
    if (!has_value(view, r, claim)) continue;
    std::vector<double> key;
    std::vector<std::pair<std::string, std::string>> labels;
    for (const std::string& name : claim.per) {
      const auto row = view.label_value(r, *view.label(name));
      if (!row) break;
      key.push_back(view.study().label_values->order[*row]);
      labels.emplace_back(name, view.study().label_values->text[*row].view());
    }
    if (key.size() != claim.per.size()) continue;
    Stratum& cell = cells.try_emplace(key, Stratum{std::move(labels), {}, {}}).first->second;
    cell.treated.push_back(r);
  }
  for (auto& [key, cell] : cells) g.cells.push_back(std::move(cell));
}

}  // namespace

Gathered gather(const StudyView& view, Claim claim) {
  Gathered g{std::move(claim), {}, {}};
  switch (g.claim.compare) {
    case Compare::kLevel:
      level_cells(view, g);
      break;
    case Compare::kRatio:
      ratio_cells(view, g);
      break;
    case Compare::kStep:
      step_cells(view, g);
      break;
    case Compare::kStudy:
      g.cells = study_cells(view, g.claim);
      break;
  }
  return g;
}

}  // namespace assay::claims
