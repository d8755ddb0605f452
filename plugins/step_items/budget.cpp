#include "budget.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>

#include "algo/page_sections.hpp"
#include "assay/detail/text.hpp"
#include "assay/quantity.hpp"
#include "assay/words.hpp"
#include "step_ranges.hpp"

namespace assay::step_items {
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

std::string words_of(const BudgetRow& row) {
  const auto* const part = std::ranges::find(kParts, row.part, &PartWords::part);
  if (part->kind != ItemKind::kIdle) return part->text + (row.name.empty() ? "" : ": " + row.name);
  return "idle: " + std::string(idle_words(row.name));
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

StepBudget budget_of(const StudyView& view, const std::vector<JobRun>& runs) {
  StepBudget budget;
  std::map<std::pair<ItemKind, std::string>, BudgetRow> rows;
  std::int64_t time = 0;
  budget.runs = std::ssize(runs);
  for (const auto& [report, ranks] : runs) {
    const auto steps = view.rows(report, kAnalyzer, kStepRows).integers("time");
    budget.steps += static_cast<std::int64_t>(steps.size());
    for (const std::int64_t step : steps) {
      time += step;
      budget.shortest = budget.longest == 0 ? step : std::min(budget.shortest, step);
      budget.longest = std::max(budget.longest, step);
    }
    const RowsView items = view.rows(report, kAnalyzer, kItemRows);
    const auto kind = items.integers("kind"), wall = items.integers("wall"), device = items.integers("device"),
               count = items.integers("count");
    const auto kernel_class = items.texts("class"), name = items.texts("name"), op = items.texts("op");
    for (std::size_t i = 0; i < kind.size(); ++i) {
      const auto of = static_cast<ItemKind>(kind[i]);
      const Str text = of == ItemKind::kKernel ? kernel_class[i]
                       : of == ItemKind::kCopy ? name[i]
                       : of == ItemKind::kIdle ? (op[i] == "stated" ? name[i] : op[i])
                                               : Str();
      BudgetRow& row = rows[{of, std::string(text.view())}];
      row.wall += wall[i];
      row.device += static_cast<double>(device[i]);
      row.count += static_cast<double>(count[i]);
    }
  }
  for (auto& [key, row] : rows) {
    if (row.wall == 0 && row.count == 0) continue;  // all of it is between the steps
    row.device /= static_cast<double>(budget.steps);
    row.count /= static_cast<double>(budget.steps);
    row.part = std::ranges::find(kParts, key.first, &PartWords::kind)->part;
    row.name = key.second;
    budget.rows.push_back(std::move(row));
  }
  const RowsView run = view.rows(runs.front().report, kAnalyzer, kRunRows);
  budget.word = run.texts("word")[0].view();
  budget.source = run.texts("source")[0].view();
  if (const std::string range(run.texts("range")[0].view()); !range.empty())
    budget.found = found_text(range, budget.source);
  budget.wall = time / budget.steps;
  divide(budget.rows, budget.wall, budget.steps);
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
    shares += filled("{}{} {}", {shares.empty() ? "" : ", ", text, page::share_text(share)});
  }
  std::string an_item = with_article(budget.word);
  an_item.front() = 'A';
  std::string out = filled("{} takes {}", {an_item, time(budget.wall)});
  if (budget.steps > 1)
    out +=
        filled(" (mean of {}, {} to {})", {std::to_string(budget.steps), time(budget.shortest), time(budget.longest)});
  out += ": " + shares;
  if (budget.source == kWholeCapture)
    out += ". No range shows what an iteration is, so the whole capture counts as one; --steps names it";
  return out;
}

void emit_budgets(const std::vector<RunGroup>& groups, bool pages, StudySink& sink) {
  struct Line {
    std::string group;
    BudgetRow row;
    std::string what;
    double share;
  };
  std::vector<Line> lines;
  page::Sections sections;
  for (const auto& [group, budget] : groups) {
    Finding finding;
    finding.role = FindingRole::kAnswer;
    finding.title = (group.empty() ? "" : group + ": ") + answer(budget);
    finding.text = filled(
        "Of {} in {}; each instant counts once{}.",
        {counted(static_cast<std::size_t>(budget.steps), budget.word),
         counted(static_cast<std::size_t>(budget.runs), "run"), budget.found.empty() ? "" : "; " + budget.found});
    sink.finding(finding);
    for (const BudgetRow& row : budget.rows) lines.push_back({group, row, words_of(row), share_of(row, budget)});
    BudgetRow all{"all", "", budget.wall};
    all.device = all.count = std::nan("");
    lines.push_back({group, all, "all of " + with_article(budget.word), 1});
    sections.page(group, finding.title);
    sections.section("Where the time of " + with_article(budget.word) + " goes",
                     {.table = "budget",
                      .columns = "what=|wall_ns=time|share|device_ns=sum of durations|count",
                      .unknown_empty = true});
  }
  Table table("budget", "What a mean iteration consists of");
  table.column("report", "", lines, &Line::group)
      .column("part", "", lines, [](const Line& l) { return l.row.part; })
      .column("name", "", lines, [](const Line& l) { return l.row.name; })
      .column("what", "", lines, &Line::what)
      .column("wall_ns", "ns", lines, [](const Line& l) { return l.row.wall; })
      .column("share", "ratio", lines, &Line::share)
      .column("device_ns", "ns", lines, [](const Line& l) { return l.row.device; })
      .column("count", "1", lines, [](const Line& l) { return l.row.count; });
  sink.table(table);
  Table iterations("iterations", "Iterations that the budget is a mean of");
  iterations.column("report", "", groups, &RunGroup::name)
      .column("name", "", groups, [](const RunGroup& g) { return g.budget.word; })
      .column("source", "", groups, [](const RunGroup& g) { return g.budget.source; })
      .column("count", "1", groups, [](const RunGroup& g) { return g.budget.steps; })
      .column("runs", "1", groups, [](const RunGroup& g) { return g.budget.runs; })
      .column("wall_ns", "ns", groups, [](const RunGroup& g) { return g.budget.wall; })
      .column("shortest_ns", "ns", groups, [](const RunGroup& g) { return g.budget.shortest; })
      .column("longest_ns", "ns", groups, [](const RunGroup& g) { return g.budget.longest; });
  sink.table(iterations);
  if (pages) sections.emit(sink);
}

}  // namespace assay::step_items
