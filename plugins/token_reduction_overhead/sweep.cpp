#include "sweep.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "assay/words.hpp"

namespace assay::tokens {
namespace {

/// Columns of one sheet; batch, model and rate are required.
struct Columns {
  std::size_t batch = 0, model = 0, rate = 0;
  std::optional<std::size_t> latency, flops;
};

std::optional<Columns> columns_of(const Sheet& sheet, LeftOut& left_out) {
  const std::string path(sheet.path());
  for (const std::string name : {kBatchColumn, kModelColumn, kRateColumn}) {
    if (sheet.column(name)) continue;
    left_out.push_back(filled("{}: the whole sheet, because it has no column '{}'", {path, name}));
    return std::nullopt;
  }
  Columns out{*sheet.column(kBatchColumn), *sheet.column(kModelColumn), *sheet.column(kRateColumn),
              sheet.column(kLatencyColumn), sheet.column(kFlopsColumn)};
  if (!out.latency) {
    left_out.push_back(
        filled("{}: the check of its batch sizes, because it has no column '{}'", {path, kLatencyColumn}));
  }
  if (!out.flops) left_out.push_back(filled("{}: FLOPs, because it has no column '{}'", {path, kFlopsColumn}));
  const std::set<std::string_view> used = {kBatchColumn, kModelColumn, kRateColumn, kLatencyColumn, kFlopsColumn};
  std::vector<std::string> extra;
  for (std::size_t c = 0; c < sheet.columns(); ++c) {
    if (!used.contains(sheet.column_name(c))) extra.emplace_back(sheet.column_name(c));
  }
  if (!extra.empty()) left_out.push_back(path + ": what is not used, column " + listed(extra));
  return out;
}

std::optional<double> positive(const Sheet& sheet, std::size_t row, std::size_t column) {
  const auto value = sheet.number(row, column);
  return value && std::isfinite(*value) && *value > 0 ? value : std::nullopt;
}

/// Labels in a sheet's name that distinguish sweeps.
LabelTexts labels_of(const Study& study, const Sheet& sheet, const Design& design) {
  LabelTexts out;
  for (std::size_t l = 0; l < study.labels->rows; ++l) {
    const std::string_view name = study.labels->name[l];
    if (name == design.label || name == design.batch_label || study.labels->descriptive[l] != 0) continue;
    if (const std::string_view text = sheet.label_text(name); !text.empty()) out.emplace_back(name, text);
  }
  return out;
}

class Reader {
 public:
  Reader(const Design& design, Sweep& sweep, Sweeps& out) : design_(design), sweep_(sweep), out_(out) {}

  void read(const Sheet& sheet) {
    std::size_t& mislabelled = out_.mislabelled[std::string(sheet.path())];
    const auto columns = columns_of(sheet, out_.left_out);
    if (!columns) return;
    for (std::size_t row = 0; row < sheet.rows(); ++row) {
      place_ = filled("{}, row {}: ", {sheet.path(), std::to_string(row + 1)});
      if (!read_row(sheet, row, *columns)) ++mislabelled;
    }
  }

 private:
  void leave_out(const std::string& reason) { out_.left_out.push_back(place_ + reason); }

  /// False if the row violates the invariant.
  bool read_row(const Sheet& sheet, std::size_t row, const Columns& columns) {
    ++sweep_.rows;
    const std::string_view model = sheet.text(row, columns.model);
    if (model != design_.base && model != design_.treated) {
      leave_out(filled("the model '{}' is neither {} nor {}", {std::string(model), design_.base, design_.treated}));
      return true;
    }
    const auto batch = positive(sheet, row, columns.batch), rate = positive(sheet, row, columns.rate);
    if (!batch || !rate) {
      leave_out("no positive number in column '" + std::string(batch ? kRateColumn : kBatchColumn) + "'");
      return true;
    }
    const auto latency = columns.latency ? positive(sheet, row, *columns.latency) : std::nullopt;
    const auto flops = columns.flops ? positive(sheet, row, *columns.flops) : std::nullopt;
    const bool reduced = model == design_.treated;
    if (!seen_.emplace(*batch, reduced, *rate, latency.value_or(0), flops.value_or(0)).second) {
      leave_out("the same row a second time");
      return true;
    }
    if (flops) (reduced ? sweep_.treated_flops : sweep_.flops).push_back(*flops);
    if (columns.flops && !flops) leave_out("its FLOPs, because the cell holds no positive number");
    if (columns.latency && !latency) {
      leave_out("the check of its batch size, because it has no latency; the row itself is used");
    }
    if (latency && !is_batch(*rate * *latency / 1000, *batch)) return false;
    Level& level = sweep_.levels[*batch];
    level.text = printed("%.15g", *batch);
    (reduced ? level.treated : level.base).push_back(*rate);
    return true;
  }

  bool is_batch(double images, double batch) {
    if (std::abs(images - batch) <= design_.tolerance * batch) return true;
    ++sweep_.mislabelled;
    leave_out(filled("mislabelled: {} * {} / 1000 = {} images per batch, where the row says {}",
                     {kRateColumn, kLatencyColumn, printed("%.3f", images), printed("%g", batch)}));
    return false;
  }

  const Design& design_;
  Sweep& sweep_;
  Sweeps& out_;
  std::string place_;
  std::set<std::tuple<double, bool, double, double, double>> seen_;
};

/// Removes batches for which one of the two models has no row.
void require_both_models(Sweep& sweep, const Design& design, LeftOut& left_out) {
  std::erase_if(sweep.levels, [&](const auto& entry) {
    const Level& level = entry.second;
    if (!level.base.empty() && !level.treated.empty()) return false;
    std::string where;
    for (const auto& [name, value] : sweep.labels) where += filled("{}={}, ", {name, value});
    left_out.push_back(filled("{}batch {}: no usable row of the model {}",
                              {where, level.text, level.base.empty() ? design.base : design.treated}));
    return true;
  });
}

}  // namespace

Sweeps read_sweeps(const Study& study, const Design& design) {
  Sweeps out;
  std::map<LabelTexts, std::pair<Sweep, std::vector<Sheet>>> groups;
  for (const Sheet& sheet : sheets_of(study, design.sheet)) {
    groups[labels_of(study, sheet, design)].second.push_back(sheet);
  }
  for (auto& [labels, group] : groups) {
    Sweep& sweep = group.first;
    sweep.labels = labels;
    Reader reader(design, sweep, out);
    for (const Sheet& sheet : group.second) reader.read(sheet);
    require_both_models(sweep, design, out.left_out);
    out.sweeps.push_back(std::move(sweep));
  }
  return out;
}

std::optional<double> flop_reduction(const Sweep& sweep, std::string& reason) {
  if (sweep.flops.empty() || sweep.treated_flops.empty()) {
    reason = "no row states the FLOPs of both models";
    return std::nullopt;
  }
  for (const std::vector<double>* stated : {&sweep.flops, &sweep.treated_flops}) {
    const auto [least, most] = std::minmax_element(stated->begin(), stated->end());
    if (*least == *most) continue;
    reason = "rows of one model state different FLOPs, " + printed("%g and %g", *least, *most);
    return std::nullopt;
  }
  return 1 - sweep.treated_flops.front() / sweep.flops.front();
}

}  // namespace assay::tokens
