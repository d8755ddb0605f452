#include "blocks_plot.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "assay/plot.hpp"
#include "assay/words.hpp"
#include "recorded.hpp"

namespace assay::claims {
namespace {

constexpr std::size_t kMaxCells = 16;  ///< more lines are indistinguishable
constexpr double kWide = 3;            ///< ratio of largest to smallest value from which the axis is logarithmic

/// Values of a cell by block.
struct CellCourse {
  std::vector<double> block, value;
};

/// Names of runs by the labels in which any of them differ, "mode=graph batch=8"; the second run of the A/A pair is
/// marked.
class CellNames {
 public:
  CellNames(const StudyView& view, const std::set<std::size_t>& reports) : view_(view) {
    const LabelTable& labels = *view.study().labels;
    for (std::size_t l = 0; l < labels.rows; ++l) {
      if (labels.descriptive[l] != 0) continue;
      const std::string name(labels.name[l].view());
      std::set<std::string> values;
      for (const std::size_t r : reports) values.emplace(view.label_text(r, name));
      if (values.size() > 1) names_.push_back(name);
    }
  }
  [[nodiscard]] std::string name_of(std::size_t report) const {
    LabelTexts texts;
    for (const std::string& name : names_) texts.emplace_back(name, view_.label_text(report, name));
    return labels_text(texts) + (view_.label_text(report, "twin") == "yes" ? " (A/A)" : "");
  }

 private:
  const StudyView& view_;
  std::vector<std::string> names_;
};

std::set<std::size_t> recorded_runs(const StudyView& view, const ClaimRuns& gathered) {
  std::set<std::size_t> out;
  if (gathered.claim.compare == Compare::kStudy) return out;
  for (const ClaimCell& cell : gathered.cells) {
    if (!is_recorded(view, cell)) continue;
    out.insert(cell.base.begin(), cell.base.end());
    out.insert(cell.treated.begin(), cell.treated.end());
  }
  return out;
}

Plot plot_of(const StudyView& view, const Claim& claim, const std::map<std::string, CellCourse>& cells) {
  std::vector<double> blocks, values;
  std::vector<std::string> names;
  for (const auto& [name, course] : cells) {
    blocks.insert(blocks.end(), course.block.begin(), course.block.end());
    values.insert(values.end(), course.value.begin(), course.value.end());
    names.insert(names.end(), course.block.size(), name);
  }
  const auto [least, most] = std::ranges::minmax(values);
  const std::size_t row = *view.metric(claim.metric);
  Plot plot;
  plot.id = "blocks_" + claim.metric + (claim.dims.empty() ? "" : "_" + claim.dims);
  std::ranges::replace_if(
      plot.id, [](char c) { return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')); },
      '_');
  plot.title = "Blocks as they came: " + claim.metric;
  plot.caption =
      "One line per cell, one point per block. What moves all lines together is the machine, and cancels within a "
      "block; a line that moves by itself is noise of its cell, or a change of it.";
  plot.x = {"block", PlotScale::kLinear, PlotOrder::kGiven, 0};
  plot.y = {claim.metric, least > 0 && most > kWide * least ? PlotScale::kLog : PlotScale::kLinear, PlotOrder::kGiven,
            0};
  plot.series_title = "cell";
  Table data(plot.id, plot.title);
  data.add("block", "1", std::move(blocks));
  data.add("value", std::string(view.study().metrics->unit[row].view()), std::move(values));
  data.add("cell", "", std::move(names));
  const PlotEncoding encoding{.x = "block", .y = "value", .series = "cell"};
  plot.layers.push_back({PlotMark::kLine, data, encoding});
  plot.layers.push_back({PlotMark::kPoint, std::move(data), encoding});  // a line of one block is invisible
  return plot;
}

}  // namespace

void plot_blocks(const StudyView& view, const std::vector<ClaimRuns>& gathered, StudySink& sink) {
  std::map<std::pair<std::string, std::string>, std::set<std::size_t>> runs;  // by metric and dims
  std::map<std::pair<std::string, std::string>, const Claim*> claims;
  for (const ClaimRuns& g : gathered) {
    const std::set<std::size_t> own = recorded_runs(view, g);
    if (own.empty()) continue;
    const auto key = std::pair(g.claim.metric, g.claim.dims);
    runs[key].insert(own.begin(), own.end());
    claims.emplace(key, &g.claim);
  }
  const auto block = view.label("block");
  for (const auto& [key, reports] : runs) {
    const CellNames names(view, reports);
    std::map<std::string, CellCourse> cells;
    for (const RunReports& run : as_runs(view, std::vector<std::size_t>(reports.begin(), reports.end()))) {
      const auto row = block ? view.label_value(run.front(), *block) : std::nullopt;
      const auto value = value_of(view, run, key.first, key.second);
      if (!row || !value) continue;
      CellCourse& cell = cells[names.name_of(run.front())];
      cell.block.push_back(view.study().label_values->order[*row]);
      cell.value.push_back(*value);
    }
    if (!cells.empty() && cells.size() <= kMaxCells) sink.plot(plot_of(view, *claims.at(key), cells));
  }
}

}  // namespace assay::claims
