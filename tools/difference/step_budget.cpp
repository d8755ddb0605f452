#include "difference/step_budget.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

#include "algo/idle/idle.hpp"
#include "assay/quantity.hpp"
#include "render/format.hpp"

namespace assay::difference {
namespace {

struct PartWords {
  ItemKind kind;
  std::string_view part;
  const char* text;
};
constexpr PartWords kParts[] = {
    {ItemKind::kKernel, "kernels", "kernels"},
    {ItemKind::kGraph, "graphs", "CUDA graphs"},
    {ItemKind::kCommunication, kind_name(ItemKind::kCommunication), "communication without a kernel beside it"},
    {ItemKind::kCopy, "copies", "copies"},
    {ItemKind::kSet, "sets", "memory sets"},
    {ItemKind::kIdle, "idle", "idle"}};

/// By idle::Cause.
constexpr const char* kWaitsFor[] = {"another stream, an event or the device",
                                     "launch latency",
                                     "the host, in a synchronization",
                                     "the host, in other API calls",
                                     "host code between launches",
                                     "nothing: after the last work",
                                     "not known: the launch is not recorded"};
static_assert(std::size(kWaitsFor) == idle::kCauses);

std::string name_of(const Item& item) {
  switch (item.key.kind) {
    case ItemKind::kKernel:
      return item.traits.kernel_class;
    case ItemKind::kCopy:
      return item.key.name;
    case ItemKind::kIdle:
      return item.key.op;
    default:
      return {};
  }
}

std::string words_of(const BudgetRow& row) {
  const auto* const part = std::ranges::find(kParts, row.part, &PartWords::part);
  if (part->kind != ItemKind::kIdle) return part->text + (row.name.empty() ? "" : ": " + row.name);
  const auto cause = std::ranges::find(idle::kCauseNames, row.name) - idle::kCauseNames.begin();
  return std::string("idle, waiting for ") + kWaitsFor[cause];
}

/// Divides sums over the steps such that whole nanoseconds still sum to the mean: the largest remainders are rounded
/// up.
void divide(std::vector<BudgetRow>& rows, std::int64_t wall, std::int64_t steps) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t r) { return rows[r].wall % steps; });
  std::int64_t left = wall;
  for (BudgetRow& row : rows) left -= row.wall / steps;
  for (const std::size_t r : order) {
    const bool up = left > 0 && rows[r].wall % steps > 0;
    rows[r].wall = rows[r].wall / steps + (up ? 1 : 0);
    left -= up ? 1 : 0;
  }
  if (left != 0) throw std::logic_error("the rows of a budget do not sum to its iteration");
}

double share_of(const BudgetRow& row, const StepBudget& budget) {
  return budget.wall > 0 ? static_cast<double>(row.wall) / static_cast<double>(budget.wall) : 0;
}

}  // namespace

StepBudget budget_of(const Side& side) {
  StepBudget budget;
  std::map<std::pair<ItemKind, std::string>, BudgetRow> rows;
  for (const Item& item : side.items) {
    BudgetRow& row = rows[{item.key.kind, name_of(item)}];
    row.wall += item.sums.wall;
    row.device += static_cast<double>(item.sums.device) / static_cast<double>(side.steps);
    row.count += static_cast<double>(item.sums.count) / static_cast<double>(side.steps);
  }
  for (auto& [key, row] : rows) {
    if (row.wall == 0 && row.count == 0) continue;  // all of it lies between the steps
    row.part = std::ranges::find(kParts, key.first, &PartWords::kind)->part;
    row.name = key.second;
    budget.rows.push_back(std::move(row));
  }
  budget.word = side.runs.front().step_word, budget.source = side.runs.front().step_source;
  budget.steps = static_cast<std::size_t>(side.steps), budget.runs = side.runs.size();
  budget.left_out = side.left_out;
  budget.wall = side.time / side.steps;
  budget.shortest = side.runs.front().step_times.front();
  for (const RunMeasure& run : side.runs) {
    const auto [least, most] = std::ranges::minmax(run.step_times);
    budget.shortest = std::min(budget.shortest, least), budget.longest = std::max(budget.longest, most);
  }
  divide(budget.rows, budget.wall, side.steps);
  std::ranges::stable_sort(budget.rows, [](const BudgetRow& a, const BudgetRow& b) {
    const auto part_row = [](const BudgetRow& row) { return std::ranges::find(kParts, row.part, &PartWords::part); };
    return part_row(a) != part_row(b) ? part_row(a) < part_row(b) : a.wall > b.wall;
  });
  return budget;
}

std::string answer(const StepBudget& budget) {
  const auto time = [](std::int64_t ns) { return quantity(static_cast<double>(ns), "ns"); };
  std::map<std::string_view, std::int64_t> parts;
  for (const BudgetRow& row : budget.rows) parts[row.part] += row.wall;
  std::vector<std::pair<std::int64_t, std::string>> largest;
  for (const PartWords& part : kParts) {
    if (parts[part.part] > 0) largest.emplace_back(parts[part.part], part.text);
  }
  std::ranges::stable_sort(largest, std::ranges::greater{}, &std::pair<std::int64_t, std::string>::first);
  std::string shares;
  for (const auto& [ns, text] : largest) {
    const double share = static_cast<double>(ns) / static_cast<double>(std::max<std::int64_t>(budget.wall, 1));
    shares += (shares.empty() ? "" : ", ") + text + " " + look::share_text(share);
  }
  std::string out = "A " + budget.word + " takes " + time(budget.wall);
  if (budget.steps > 1)
    out += " (mean of " + std::to_string(budget.steps) + ", " + time(budget.shortest) + " to " + time(budget.longest) +
           ")";
  out += ": " + shares;
  if (budget.source == "the whole capture")
    out += ". No range shows what an iteration is, so the whole capture counts as one; --steps names it";
  return out;
}

look::Page page_of(const StepBudget& budget, const std::string& title) {
  std::vector<std::vector<double>> columns(4);
  std::vector<std::string> names;
  for (const BudgetRow& row : budget.rows) {
    names.push_back(words_of(row));
    columns[0].push_back(static_cast<double>(row.wall));
    columns[1].push_back(share_of(row, budget));
    columns[2].push_back(row.device);
    columns[3].push_back(row.count);
  }
  names.push_back("all of a " + budget.word);
  columns[0].push_back(static_cast<double>(budget.wall)), columns[1].push_back(1);
  look::PageSection part{"Where the time of a " + budget.word + " goes",
                         {{""}, {"time", true}, {"share", true}, {"sum of durations", true}, {"count", true}},
                         {}};
  part.main = true;
  constexpr const char* kUnits[] = {"ns", "ratio", "ns", "1"};
  std::vector<std::vector<std::string>> texts;
  for (std::size_t c = 0; c < columns.size(); ++c) texts.push_back(look::column_texts(columns[c], kUnits[c], c < 3));
  for (std::size_t r = 0; r < names.size(); ++r) {
    part.rows.push_back({names[r]});
    for (const auto& column : texts) part.rows.back().push_back(r < column.size() ? column[r] : "");
  }
  part.sentences = budget.left_out;
  return {title, answer(budget), {std::move(part)}};
}

std::string budget_json(const StepBudget& budget) {
  using Json = nlohmann::ordered_json;
  Json rows = Json::array();
  for (const BudgetRow& row : budget.rows) {
    rows.push_back({{"part", row.part},
                    {"name", row.name},
                    {"what", words_of(row)},
                    {"wall_ns", row.wall},
                    {"share", share_of(row, budget)},
                    {"device_ns", row.device},
                    {"count", row.count}});
  }
  const Json all = {{"answer", answer(budget)},
                    {"iteration",
                     {{"name", budget.word},
                      {"source", budget.source},
                      {"count", budget.steps},
                      {"runs", budget.runs},
                      {"wall_ns", budget.wall},
                      {"shortest_ns", budget.shortest},
                      {"longest_ns", budget.longest}}},
                    {"rows", rows},
                    {"left_out", budget.left_out}};
  return all.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay::difference
