#include "difference/json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "difference/answer.hpp"

namespace assay::compare {
namespace {
using difference::Comparison;
using Json = nlohmann::ordered_json;

Json amount_json(const difference::StepAmount& amount) {
  return {{"before_ns", amount.before}, {"after_ns", amount.after}, {"difference_ns", amount.difference}};
}

Json judged_json(const difference::DifferenceTest& judged, double error) {
  return {{"difference", judged.difference},
          {"interval", judged.half ? Json{judged.difference - *judged.half, judged.difference + *judged.half} : Json()},
          {"level", 1 - error},
          {"p", judged.half ? Json(judged.p) : Json()},
          {"runs_to_tell", judged.more_runs > 0 ? Json(judged.more_runs) : Json()}};
}

Json item_json(const difference::Item* item, std::int64_t steps) {
  if (item == nullptr) return nullptr;
  const double n = static_cast<double>(steps);
  return {{"path", item->key.path},
          {"operator", item->key.kind == difference::ItemKind::kIdle ? "" : item->key.op},
          {"cause", item->key.kind == difference::ItemKind::kIdle ? item->key.op : ""},
          {"inputs", item->key.inputs},
          {"name", item->key.name},
          {"shape", item->key.shape},
          {"class", item->traits.kernel_class},
          {"count_a_step", static_cast<double>(item->sums.count) / n},
          {"device_ns_a_step", static_cast<double>(item->sums.device) / n},
          {"wall_ns", item->sums.wall}};
}

Json side_json(const difference::Side& side) {
  Json runs = Json::array();
  for (const difference::RunMeasure& run : side.runs) {
    Json setup = Json::object();
    for (const auto& [name, value] : run.setup) setup[name] = value;
    runs.push_back({{"report", run.name},
                    {"block", run.block},
                    {"steps", run.steps()},
                    {"time_ns", run.time},
                    {"setup", setup},
                    {"issues", run.issues}});
  }
  return {
      {"name", side.name}, {"runs", runs}, {"left_out", side.left_out}, {"steps", side.steps}, {"time_ns", side.time}};
}

Json findings_json(const Comparison& c, const std::vector<difference::Finding>& findings) {
  Json changes = Json::array();
  for (const difference::Finding& f : findings) {
    Json rows = Json::array();
    for (const std::uint32_t r : c.alignment.changes[f.change].rows) {
      const difference::AlignedItem& row = c.alignment.rows[r];
      const auto* b = row.before == difference::kNoItem ? nullptr : &c.before.items[row.before];
      const auto* a = row.after == difference::kNoItem ? nullptr : &c.after.items[row.after];
      Json entry = {{"match", difference::match_name(row.match)},
                    {"kind", difference::kind_name((b != nullptr ? b : a)->key.kind)}};
      entry["amount"] = amount_json(c.accounts.rows[r]);
      entry["before"] = item_json(b, c.before.steps), entry["after"] = item_json(a, c.after.steps);
      rows.push_back(std::move(entry));
    }
    Json finding = {
        {"title", f.title}, {"place", f.place}, {"certainty", f.certainty}, {"told", f.told}, {"why", f.why}};
    finding["amount"] = amount_json(f.amount);
    finding["judged"] = judged_json(f.judged, c.changes_error);
    finding["rows"] = std::move(rows);
    changes.push_back(std::move(finding));
  }
  return changes;
}

Json phase_side_json(const difference::PhaseSide& side) {
  return {{"count", side.count},
          {"median_ns", side.count > 0 ? Json(side.median) : Json()},
          {"plain_median_ns", side.plain ? Json(*side.plain) : Json()},
          {"gpu_ns", side.gpu},
          {"launches", side.launches},
          {"share", side.share}};
}

Json phases_json(const Comparison& c) {
  Json phases = Json::array();
  for (const difference::PhaseChange& phase : c.phases) {
    Json one = {{"path", phase.path}, {"told", phase.told}};
    one["before"] = phase_side_json(phase.before), one["after"] = phase_side_json(phase.after);
    one["log_ratio"] = judged_json(phase.judged, c.step_error);
    phases.push_back(std::move(one));
  }
  return phases;
}

Json comparison_object(const Comparison& c) {
  Json accounts = Json::object();
  for (std::size_t i = 0; i < difference::kAccounts; ++i)
    accounts[std::string(difference::account_name(static_cast<difference::DifferenceTerm>(i)))] = c.accounts.lines[i];
  accounts["rounding"] = c.accounts.rounding;
  Json step = amount_json(c.accounts.step);
  step["ratio"] = c.ratio;
  step["log_ratio"] = judged_json(c.step, c.step_error);
  step["told"] = c.step_told;
  step["median_before_ns"] = c.median_before, step["median_after_ns"] = c.median_after;
  Json conditions = Json::array();
  for (const difference::Condition& condition : c.conditions)
    conditions.push_back({{"what", condition.what},
                          {"before", condition.before},
                          {"after", condition.after},
                          {"said", condition.said},
                          {"same", condition.same}});
  Json waits = Json::array();
  for (const difference::WaitChange& w : c.waits)
    waits.push_back({{"call", w.name},
                     {"place", w.place},
                     {"before_a_step", w.before},
                     {"after_a_step", w.after},
                     {"host_ns_before", w.host_before},
                     {"host_ns_after", w.host_after}});
  return {{"answer", difference::answer(c)},
          {"cell", c.cell},
          {"cautions", difference::cautions(c)},
          {"lacks", difference::lacks(c)},
          {"before", side_json(c.before)},
          {"after", side_json(c.after)},
          {"comparable", c.comparable},
          {"conditions", conditions},
          {"aligned",
           {{"before", c.alignment.before.partner},
            {"after", c.alignment.after.partner},
            {"before_or_replaced", c.alignment.before.place},
            {"after_or_replaced", c.alignment.after.place}}},
          {"step", step},
          {"accounts_ns", accounts},
          {"kernel_time_ns", {{"before", c.accounts.device_before}, {"after", c.accounts.device_after}}},
          {"tested", c.tested},
          {"within_the_noise", {{"changes", c.noise_count}, {"difference_ns", c.noise}}},
          {"changes", findings_json(c, c.findings)},
          {"small_changes", findings_json(c, c.small)},
          {"phases", phases_json(c)},
          {"waiting_calls", waits}};
}

}  // namespace

std::string comparison_json(const std::vector<Comparison>& comparisons, const std::string& gate,
                            const std::vector<std::string>& files) {
  Json all = Json::array();
  for (const Comparison& comparison : comparisons) all.push_back(comparison_object(comparison));
  const Json root = {
      {"schema_version", 1}, {"kind", "assay compare"}, {"comparisons", all}, {"gate", gate}, {"files", files}};
  return root.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay::compare
