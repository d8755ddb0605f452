#include <algorithm>
#include <map>
#include <set>

#include "algo/page_sections.hpp"
#include "assay/words.hpp"
#include "pages.hpp"

namespace assay::compile {
namespace {

/// A cause on both sides; times in ns.
struct CauseChange {
  std::string what, place;
  std::int64_t count_before = 0, count_after = 0, before = 0, after = 0;
};

std::vector<CauseChange> cause_changes(const CauseList& before, const CauseList& after) {
  std::map<std::pair<std::string, std::string>, CauseChange> all;
  const auto row_of = [&](const Cause& cause) -> CauseChange& {
    CauseChange& row = all[{cause.what, cause.place}];
    row.what = cause.what;
    row.place = cause.place;
    return row;
  };
  for (const Cause& cause : before.causes) {
    CauseChange& row = row_of(cause);
    row.count_before += static_cast<std::int64_t>(cause.count);
    row.before += cause.time;
  }
  for (const Cause& cause : after.causes) {
    CauseChange& row = row_of(cause);
    row.count_after += static_cast<std::int64_t>(cause.count);
    row.after += cause.time;
  }
  std::vector<CauseChange> rows;
  for (auto& [key, row] : all) rows.push_back(std::move(row));
  std::ranges::stable_sort(rows, std::greater<>(),
                           [](const CauseChange& row) { return std::abs(row.after - row.before); });
  return rows;
}

/// Lines of the model whose kernels are others.
struct FusionChange {
  std::string place, before, after;
};

std::vector<FusionChange> fusion_changes(const CompileLog& before, const CompileLog& after) {
  std::map<std::string, std::pair<std::set<std::string>, std::set<std::string>>> by_place;
  for (const Kernel& kernel : before.kernels) by_place[kernel.place].first.insert(kernel.name);
  for (const Kernel& kernel : after.kernels) by_place[kernel.place].second.insert(kernel.name);
  std::vector<FusionChange> rows;
  for (const auto& [place, names] : by_place) {
    const auto texts = [](const std::set<std::string>& set) { return listed({set.begin(), set.end()}); };
    if (!place.empty() && names.first != names.second) rows.push_back({place, texts(names.first), texts(names.second)});
  }
  return rows;
}

/// "5 -> 0 recompiles"; empty if equal.
void add_change(std::vector<std::string>& parts, std::size_t before, std::size_t after, const char* noun) {
  if (before != after) parts.push_back(filled("{} -> {} {}", {std::to_string(before), std::to_string(after), noun}));
}

std::string answer_text(const StudyLog& before, const StudyLog& after) {
  const auto time = [](const StudyLog& one) { return time_text(static_cast<double>(one.causes.time)); };
  const std::int64_t less = before.causes.time - after.causes.time;
  std::vector<std::string> parts;
  add_change(parts, before.log.recompiles.size(), after.log.recompiles.size(), "recompiles");
  add_change(parts, before.log.breaks.size(), after.log.breaks.size(), "graph breaks met");
  add_change(parts, before.causes.graphs, after.causes.graphs, "graphs");
  return filled("compiling takes {} {} ({} -> {}){}{}",
                {time_text(static_cast<double>(std::abs(less))), less < 0 ? "more" : "less", time(before), time(after),
                 parts.empty() ? "" : ": ", listed(parts)});
}

const StudyLog* slowest_of(const StudyView& view, const std::vector<StudyLog>& logs, std::string_view side) {
  const StudyLog* slowest = nullptr;
  for (const StudyLog& one : logs) {
    if (view.label_text(one.report, "side") != side) continue;
    if (slowest == nullptr || one.causes.time > slowest->causes.time) slowest = &one;
  }
  return slowest;
}

}  // namespace

bool emit_difference(const StudyView& view, const std::vector<StudyLog>& logs, StudySink& sink) {
  const StudyLog* const before = slowest_of(view, logs, "before");
  const StudyLog* const after = slowest_of(view, logs, "after");
  if (before == nullptr || after == nullptr) return false;
  const std::string line = answer_text(*before, *after);
  sink.finding(
      {.role = FindingRole::kAnswer, .title = line, .text = line + ".", .effect = {}, .labels = {}, .evidence = {}});
  const std::vector<CauseChange> causes = cause_changes(before->causes, after->causes);
  Table table("causes", "Why it compiled, before and after");
  table.column("what", "", causes, &CauseChange::what)
      .column("place", "", causes, &CauseChange::place)
      .column("count before", "1", causes, &CauseChange::count_before)
      .column("count after", "1", causes, &CauseChange::count_after)
      .column("before", "ns", causes, &CauseChange::before)
      .column("after", "ns", causes, &CauseChange::after);
  sink.table(table);
  page::Sections to;
  to.page({}, line);
  to.section("Why it compiled", {.table = "causes", .columns = "what|place|count before=|count after=|before|after"});
  const std::vector<FusionChange> fusions = fusion_changes(before->log, after->log);
  Table kernels("fusions", "Lines of the model with other kernels");
  kernels.column("lines", "", fusions, &FusionChange::place)
      .column("before", "", fusions, &FusionChange::before)
      .column("after", "", fusions, &FusionChange::after);
  sink.table(kernels);
  to.section("Lines of the model with other kernels", {.table = "fusions", .columns = "lines|before|after"});
  to.emit(sink);
  return true;
}

}  // namespace assay::compile
