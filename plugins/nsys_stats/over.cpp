#include "over.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "assay/algo/dims.hpp"
#include "assay/algo/participation.hpp"
#include "assay/detail/text.hpp"
#include "assay/words.hpp"
#include "device_time.hpp"
#include "distribution.hpp"
#include "over_study.hpp"

namespace assay::nsys {
namespace {

std::optional<std::int64_t> number_of(std::optional<std::string_view> text) {
  return number_in<std::int64_t>(text.value_or(""));
}

Table files_of(const StudyView& study, const Ranks& ranks) {
  Table table("files", "Profiles and their ranks");
  std::vector<std::size_t> rows(ranks.all.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  add_reports(table, study, ranks, rows, [](std::size_t i) { return i; });
  table.column("Rank from", "", rows, [&](std::size_t i) {
    const bool in_report = !study.attribute(ranks.all[i].report, kRankAttribute).value_or("").empty();
    return std::string(!ranks.told ? "the order of names" : in_report ? "the report" : "the file name");
  });
  return table;
}

/// A group of names in one report, or in all of them.
struct Group {
  std::vector<std::string> key;
  std::size_t report = 0;  ///< place in Ranks::all
  Distribution values;
  Summary sum = {};
  double percent = 0;
};

/// Total descending, count ascending, then by name, within each report; percentages of all groups of the report.
void arrange(std::vector<Group>& groups) {
  std::map<std::size_t, WideSum> whole;
  for (Group& group : groups) {
    group.sum = group.values.summary();
    whole[group.report].add(group.sum.total);
  }
  for (Group& group : groups) group.percent = percent(group.sum.total, whole[group.report].value());
  std::sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
    if (a.report != b.report) return a.report < b.report;
    if (a.sum.total != b.sum.total) return a.sum.total > b.sum.total;
    return a.sum.count != b.sum.count ? a.sum.count < b.sum.count : a.key < b.key;
  });
}

void add_columns(Table& table, std::vector<Group>& groups, const NsysRecipe& recipe) {
  const bool bytes = recipe.bytes;
  const char* const unit = bytes ? "MB" : "ns";
  const auto cell = [&](double value) { return bytes ? value / kBytesPerMb : tenths(value); };
  const auto number = [&](const char* name, auto value_of) {
    std::vector<double> cells;
    for (Group& group : groups) cells.push_back(cell(value_of(group)));
    table.add(name, unit, std::move(cells));
  };
  const auto whole = [&](const char* name, std::int64_t Summary::* member) {
    if (bytes) return number(name, [&](const Group& group) { return static_cast<double>(group.sum.*member); });
    table.column(name, unit, groups, [&](const Group& group) { return group.sum.*member; });
  };
  if (!bytes) table.column("Time", "%", groups, [](const Group& group) { return group.percent; });
  whole(bytes ? "Total" : "Total Time", &Summary::total);
  table.column(std::string(recipe.count), "", groups, [](const Group& group) { return group.sum.count; });
  number("Avg", [](const Group& group) { return group.sum.mean; });
  number("Q1", [](Group& group) { return group.values.quartile(1); });
  number("Med", [](const Group& group) { return group.sum.median; });
  number("Q3", [](Group& group) { return group.values.quartile(3); });
  whole("Min", &Summary::min);
  whole("Max", &Summary::max);
  number("StdDev", [](const Group& group) { return group.sum.deviation; });
  for (std::size_t k = 0; k < recipe.keys.size; ++k)
    table.column(std::string(recipe.keys[k]), "", groups, [&](const Group& group) { return group.key[k]; });
}

std::string title_of(const AskedNsysRecipe& recipe, const char* of) {
  return std::string(recipe.report.report->title) + of;
}

}  // namespace

Ranks::Ranks(const StudyView& study) {
  std::set<std::int64_t> different;
  for (std::size_t r = 0; r < study.report_count(); ++r) {
    const auto place = job_rank_of(study, r);
    const std::optional<std::int64_t> rank = place ? number_of(place->rank) : std::nullopt;
    if (rank) different.insert(*rank);
    all.push_back({r, rank.value_or(0), number_of(study.attribute(r, rows::kOrigin))});
  }
  told = !all.empty() && different.size() == all.size();
  if (!told) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i].rank = static_cast<std::int64_t>(i);
  }
  std::sort(all.begin(), all.end(), [](const One& a, const One& b) { return a.rank < b.rank; });
}

std::optional<std::vector<std::int64_t>> shifts(const Ranks& ranks, std::span<const Extent> extents,
                                                std::string_view recipe, std::string_view else_from, StudySink& sink) {
  const auto no_offsets = [&](const char* why) {
    sink.skip(kNone, filled("{}: {}, so times of a profile count from {}",
                            {std::string(recipe), why, std::string(else_from)}));
    return std::nullopt;
  };
  std::vector<std::int64_t> out(ranks.all.size(), 0);
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (const Extent& extent : extents) {
    if (!ranks.all[extent.report].origin) return no_offsets("not every profile records when its clock started");
    first = std::min(first, *ranks.all[extent.report].origin);
  }
  std::int64_t last_start = std::numeric_limits<std::int64_t>::min(), first_end = -(last_start + 1);
  for (const Extent& extent : extents) {
    const std::int64_t shift = *ranks.all[extent.report].origin - first;
    out[extent.report] = shift;
    last_start = std::max(last_start, extent.start + shift);
    first_end = std::min(first_end, extent.end + shift);
  }
  if (last_start > first_end) return no_offsets("the profiles were not recorded at the same time");
  return out;
}

void conclude_groups(const StudyView& study, const Ranks& ranks, const AskedNsysRecipe& recipe, StudySink& sink) {
  const std::string_view metric = recipe.recipe->bytes ? rows::kBytes : rows::kTime;
  std::vector<Group> by_report;
  std::map<std::vector<std::string>, Distribution> pools;
  for (std::size_t i = 0; i < ranks.all.size(); ++i) {
    const auto report = static_cast<Row>(ranks.all[i].report);
    study.each_fact(report, metric, [&](std::size_t fact) {
      const std::string_view dims = study.study().facts->dims[fact];
      if (dim_value(dims, rows::kRecipe) != recipe.text) return;
      const auto counts = study.fact(report, rows::kCount, dims);
      if (!counts) return;
      Group group{{}, i, {}};
      for (const std::string_view key : recipe.recipe->keys)
        group.key.push_back(dim_value(dims, key).value_or(std::string()));
      group.values.add(study.samples(fact), study.samples(*counts));
      pools[group.key].add(study.samples(fact), study.samples(*counts));
      by_report.push_back(std::move(group));
    });
  }
  if (by_report.empty()) return sink.skip(kNone, std::string(recipe.text) + ": no profile has rows for it");
  std::vector<Group> pooled;
  for (auto& [key, values] : pools) pooled.push_back({key, 0, std::move(values)});
  arrange(pooled);
  arrange(by_report);
  const std::string id = nsys_table_id(recipe.text);
  Table all(id + "_all", title_of(recipe, ", all profiles together"));
  add_columns(all, pooled, *recipe.recipe);
  sink.table(all);
  Table each(id + "_by_report", title_of(recipe, " by profile"));
  add_reports(each, study, ranks, by_report, [](const Group& group) { return group.report; });
  add_columns(each, by_report, *recipe.recipe);
  sink.table(each);
}

void conclude_use(const StudyView& study, const Ranks& ranks, const AskedNsysRecipe& recipe, StudySink& sink) {
  struct Part {
    std::size_t report, number;
    std::int64_t device, process, start, duration;
    double busy;
  };
  std::vector<Part> parts;
  std::vector<Extent> extents;
  for (std::size_t i = 0; i < ranks.all.size(); ++i) {
    const auto report = static_cast<Row>(ranks.all[i].report);
    study.each_fact(report, rows::kBusy, [&](std::size_t fact) {
      const std::string_view dims = study.study().facts->dims[fact];
      const auto lengths = study.fact(report, rows::kPart, dims);
      const auto first = study.value(report, rows::kFirst, dims);
      if (!lengths || !first) return;
      const auto id = [&](const char* key) {
        return number_of(dim_value(dims, key).value_or(std::string())).value_or(kNoInteger);
      };
      auto start = static_cast<std::int64_t>(*first);
      if (extents.empty() || extents.back().report != i) extents.push_back({i, start, start});
      Extent& extent = extents.back();
      extent.start = std::min(extent.start, start);
      for (std::size_t p = 0; p < study.samples(fact).size(); ++p) {
        const auto duration = static_cast<std::int64_t>(study.samples(*lengths)[p]);
        parts.push_back({i, p, id("device"), id("process"), start, duration, study.samples(fact)[p]});
        start += duration;
      }
      extent.end = std::max(extent.end, start);
    });
  }
  if (parts.empty()) return sink.skip(kNone, std::string(recipe.text) + ": no profile has GPU work");
  std::vector<std::int64_t> shift(ranks.all.size(), 0);
  if (const auto aligned = shifts(ranks, extents, recipe.text, "its own first work", sink))
    shift = *aligned;
  else
    for (const Extent& extent : extents) shift[extent.report] = -extent.start;
  for (Part& part : parts) part.start += shift[part.report];
  std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
    return std::tie(a.report, a.device, a.process) < std::tie(b.report, b.device, b.process);
  });
  Table table(nsys_table_id(recipe.text) + "_map", title_of(recipe, " by device and time"));
  add_reports(table, study, ranks, parts, [](const Part& part) { return part.report; });
  table.column("Device ID", "", parts, &Part::device);
  table.column("PID", "", parts, &Part::process);
  table.column("Part", "", parts, [](const Part& part) { return static_cast<std::int64_t>(part.number); });
  table.column("Start", "ns", parts, &Part::start);
  table.column("Duration", "ns", parts, &Part::duration);
  table.column("In-Use", "%", parts,
               [](const Part& part) { return tenths(part.busy * 100.0 / static_cast<double>(part.duration)); });
  sink.table(table);
}

void conclude_over(const Study& study, std::span<const AskedNsysRecipe> recipes, StudySink& sink) {
  const StudyView view(study);
  const Ranks ranks(view);
  if (ranks.all.empty()) return;
  sink.table(files_of(view, ranks));
  for (const AskedNsysRecipe& recipe : recipes) {
    const auto conclude = recipe.recipe->kind == NsysRecipeKind::kPooled ? conclude_groups
                          : recipe.recipe->kind == NsysRecipeKind::kPace ? conclude_pace
                                                                         : conclude_use;
    conclude(view, ranks, recipe, sink);
  }
}

}  // namespace assay::nsys
