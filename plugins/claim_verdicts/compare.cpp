#include "compare.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "assay/words.hpp"
#include "best.hpp"
#include "study_fact.hpp"

namespace assay::claims {
namespace {

bool has_value(const StudyView& view, std::size_t report, const Claim& claim) {
  return view.value(static_cast<Row>(report), claim.metric, claim.dims).has_value();
}

/// Cells without pairs: their runs are in `treated`.
void add_cells(const StudyView& view, Cells cells, ClaimRuns& g) {
  const auto measured = [&](std::size_t r) { return has_value(view, r, g.claim); };
  for (Cell& cell : cells.cells)
    g.cells.push_back({{std::move(cell.labels), {}, cell.runs.where(measured), std::move(cell.apart)}});
  g.left_out = std::move(cells.left_out);
}

/// Values of a metric on one side, by dims.
std::map<std::string, std::set<double>> values_of(const StudyView& view, const Runs& side, std::string_view metric) {
  std::map<std::string, std::set<double>> values;
  for (const std::size_t r : side) {
    view.each_fact(static_cast<Row>(r), metric, [&](std::size_t fact) {
      const FactTable& facts = *view.study().facts;
      values[std::string(facts.dims[fact].view())].insert(facts.value[fact]);
    });
  }
  return values;
}

/// "128", or "32 or 64" if runs of one side differ.
std::string worked(const std::set<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : " or ") + printed("%.6g", value);
  return text.empty() ? "none" : text;
}

/// "unlike work (batch by grid z: 128 against 32)"; empty if both sides did the same work.
std::string unlike_work(const StudyView& view, const Claim& claim, const Stratum& cell) {
  auto base = values_of(view, cell.base, claim.work), treated = values_of(view, cell.treated, claim.work);
  if (base.empty() || treated.empty()) return "no run of it records by " + claim.work + " what work it did";
  const auto row = view.metric(claim.work);
  const std::string title = row ? std::string(view.study().metrics->title[*row].view()) : std::string();
  for (const auto& [dims, values] : treated) base.try_emplace(dims);
  for (const auto& [dims, values] : base) {
    const std::set<double>& other = treated[dims];
    if (values == other && values.size() == 1) continue;
    return filled(
        "unlike work ({}{}: {} against {})",
        {title.empty() ? claim.work : title, dims.empty() ? "" : " of " + dims, worked(values), worked(other)});
  }
  return {};
}

/// Matched pairs for every treated value, which is among the labels of its cells.
void ratio_cells(const StudyView& view, ClaimRuns& g) {
  const std::vector<LabelPair> pairs = label_pairs(view, g.claim.label, g.claim.base, g.claim.treated);
  g.claim.treated.clear();
  for (const LabelPair& pair : pairs) {
    g.claim.base = pair.base;
    g.claim.treated.push_back(pair.treated);
  }
  PairMatching matching = match_pairs(view, pairs);
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    for (Stratum& cell : matching.strata[p]) {
      // A condition on the label under test selects a side rather than a pair, which is done by `treated`.
      if (!meets(view, cell.treated.front(), g.claim.where) || !meets(view, cell.base.front(), g.claim.where)) continue;
      for (Runs* side : {&cell.base, &cell.treated})
        *side = side->where([&](std::size_t r) { return has_value(view, r, g.claim); });
      cell.labels.emplace_back(g.claim.label, pairs[p].treated);
      const bool both = !cell.base.empty() && !cell.treated.empty();
      std::string unlike = both && !g.claim.work.empty() ? unlike_work(view, g.claim, cell) : std::string();
      g.cells.push_back({std::move(cell), std::nullopt, std::move(unlike)});
    }
  }
  for (UnmatchedReport& u : matching.unmatched) {
    if (meets(view, u.report, g.claim.where)) g.left_out.push_back(std::move(u));
  }
}

/// Judges wall time without a profiler if each run with a traced time also has the program's own ("M.plain" of a metric
/// M): the overhead of the profiler is not part of the claim.
void prefer_plain(const StudyView& view, Claim& claim) {
  const std::string plain = claim.metric + ".plain";
  if (claim.compare == Compare::kStudy || !view.metric(plain)) return;
  std::size_t traced = 0, both = 0;
  for (const std::size_t r : view.participants()) {
    if (!has_value(view, r, claim) || !meets(view, r, claim.where)) continue;
    ++traced;
    both += view.value(static_cast<Row>(r), plain, claim.dims) ? 1U : 0U;
  }
  if (traced > 0 && both == traced) claim.metric = plain;
}

/// Labels in which runs of one step may differ: the axis, and what shifts it.
std::vector<std::string> varying_of(const Claim& claim) {
  std::vector<std::string> out = claim.block;
  out.push_back(claim.label);
  return out;
}

/// Levels that a step does not name: the first of the axis, and the one after the base. False: there is no such level.
bool complete_step(const StudyView& view, Claim& claim) {
  const std::vector<std::string> levels = view.values_of(claim.label);
  if (claim.base.empty() && !levels.empty()) claim.base = levels.front();
  const auto base = std::ranges::find(levels, claim.base);
  if (claim.treated.empty() && levels.end() - base > 1) claim.treated.push_back(*(base + 1));
  return !claim.treated.empty();
}

}  // namespace

std::size_t ClaimRuns::measured() const {
  return static_cast<std::size_t>(
      std::count_if(cells.begin(), cells.end(), [&](const ClaimCell& cell) { return is_measured(cell); }));
}

ClaimRuns gather(const StudyView& view, Claim claim) {
  ClaimRuns g{std::move(claim), {}, {}};
  prefer_plain(view, g.claim);
  switch (g.claim.compare) {
    case Compare::kLevel:
      add_cells(view, cells_of(view, g.claim.where), g);
      break;
    case Compare::kRatio:
      ratio_cells(view, g);
      break;
    case Compare::kStep:
      if (complete_step(view, g.claim))
        add_cells(view, cells_of(view, g.claim.where, g.claim.per, varying_of(g.claim)), g);
      break;
    case Compare::kBest:
      gather_best(view, g);
      break;
    case Compare::kStudy:
      g.cells = study_cells(view, g.claim);
      break;
  }
  return g;
}

}  // namespace assay::claims
