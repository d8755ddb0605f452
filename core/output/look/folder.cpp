#include "look/folder.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "look/tables.hpp"
#include "render/format.hpp"
#include "render/left_out.hpp"
#include "render/provenance.hpp"
#include "render/text.hpp"

namespace assay::look {
namespace {

constexpr std::size_t kToTry = 5, kNamed = 3;
constexpr const char* kNotKnown = "not known";

/// Why a report could not be read; empty when it was.
std::string damage(const RunResult& run, std::size_t entry) {
  const ReportResult& report = run.analysis.questions.front()[entry];
  if (report.loaded) return {};
  const FoundFile& file = run.catalog->files[run.catalog->questions.front().entries[entry].file];
  if (!file.problem.empty()) return file.problem;
  return report.skips.empty() ? "it could not be read" : report.skips.front().reason;
}

Part damaged_part(const RunResult& run) {
  const QuestionCatalog& catalog = run.catalog->questions.front();
  Part part{"Not read", {{"report"}, {"why, and what to do"}}, {}};
  for (std::size_t e = 0; e < catalog.entries.size(); ++e) {
    const std::string why = damage(run, e);
    if (!why.empty()) part.rows.push_back({run.catalog->files[catalog.entries[e].file].name, why});
  }
  return part;
}

/// Why some are looked at first, and the reports, these on top.
std::vector<Part> run_parts(const OwnedTable& table) {
  const Cells report(table, "report"), busy(table, "GPU busy"), limit(table, "limited by");
  const Cells duration(table, "duration"), kernels(table, "kernels"), unlike(table, "unlike the others");
  Part first{"Unlike the others", {{"report"}, {"why"}}, {}};
  Part all{"Reports", {{"report"}, {"GPU busy", true}, {"limited by"}, {"duration", true}, {"kernels", true}}, {}};
  for (std::size_t r = 0; r < table.rows(); ++r) {
    const double share = busy.number(r), time = duration.number(r), count = kernels.number(r);
    if (!unlike.text(r).empty()) first.rows.push_back({report.text(r), unlike.text(r)});
    all.rows.push_back({report.text(r), std::isfinite(share) ? share_text(share) : kNotKnown, limit.text(r),
                        std::isfinite(time) ? column_texts({time}, "ns").front() : kNotKnown,
                        std::isfinite(count) ? fixed(count, 0) : kNotKnown});
  }
  if (first.rows.empty()) return {all};
  all.title = "Profiles, outliers first";
  return {first, all};
}

/// Where profiles were recorded, those that say the same in one row.
Part made_part(const RunResult& run) {
  constexpr std::string_view kNames[] = {"device", "clock", "driver", "cuda", "profiler"};
  std::map<std::vector<std::string>, std::size_t> counts;
  for (const std::vector<OwnedAttribute>* attributes : attributes_of(run.question(0))) {
    std::vector<std::string> row;
    for (const std::string_view name : kNames) {
      const auto at = std::ranges::find(*attributes, name, &OwnedAttribute::name);
      row.push_back(at == attributes->end() ? kNotKnown : at->value);
    }
    ++counts[row];
  }
  Part part{"What ran", {{"device"}, {"clock"}, {"driver"}, {"CUDA"}, {"profiler"}, {"profiles", true}}, {}};
  for (const auto& [row, count] : counts) {
    part.rows.push_back(row);
    part.rows.back().push_back(std::to_string(count));
  }
  return part;
}

/// Ranks of distributed jobs, one row per job, with the rank that the others wait for.
Part jobs_part(const OwnedTable& table) {
  const Cells job(table, "job"), straggler(table, "straggler");
  const Cells ranks(table, "ranks"), period(table, "period"), slowdown(table, "slowdown");
  Part part{"Jobs", {{"job"}, {"ranks", true}, {"step", true}, {"slowest rank / mean", true}, {"straggler"}}, {}};
  for (std::size_t r = 0; r < table.rows(); ++r) {
    const double time = period.number(r), slow = slowdown.number(r);
    part.rows.push_back({job.text(r), fixed(ranks.number(r), 0),
                         std::isfinite(time) ? column_texts({time}, "ns").front() : kNotKnown,
                         std::isfinite(slow) ? fixed(slow, 2) : kNotKnown, straggler.text(r)});
  }
  return part;
}

/// What is worth trying in how many reports, the most common first.
Part advice_part(const OwnedTable& table, std::size_t reports) {
  const Cells what(table, "try");
  std::map<std::string, std::size_t> counts;
  for (std::size_t r = 0; r < table.rows(); ++r) ++counts[what.text(r)];
  std::vector<std::pair<std::string, std::size_t>> all(counts.begin(), counts.end());
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  Part part{"What to try", {}, {}};
  for (std::size_t i = 0; i < std::min(all.size(), kToTry); ++i)
    part.sentences.push_back(all[i].first + " (" + std::to_string(all[i].second) + " of " +
                             counted(reports, "profile") + ")");
  return part;
}

}  // namespace

Page folder_page(const RunResult& run, const std::string& title) {
  const QuestionResult& result = run.questions.front();
  Page page{title, "No profile could be read", {}};
  for (const OwnedFinding& finding : result.findings) {
    if (finding.role == FindingRole::kAnswer) page.headline = finding.title;
  }
  Part made = made_part(run);
  const std::vector<std::string>& copies = result.completeness.duplicate;
  if (!copies.empty())
    made.sentences.push_back(counted(copies.size(), "file") +
                             " left out as copies of other files: " + some_of(copies, kNamed));
  if (!made.rows.empty() || !made.sentences.empty()) page.parts.push_back(std::move(made));
  if (Part damaged = damaged_part(run); !damaged.rows.empty()) page.parts.push_back(std::move(damaged));
  const OwnedTable* runs = table_of(result.tables, "overview", "runs");
  if (runs == nullptr) return page;
  if (const OwnedTable* jobs = table_of(result.tables, {}, "jobs"); jobs != nullptr && jobs->rows() > 0)
    page.parts.push_back(jobs_part(*jobs));
  const OwnedTable* advice = table_of(result.tables, "overview", "to_try");
  if (Part part = advice == nullptr ? Part{} : advice_part(*advice, runs->rows()); !part.sentences.empty())
    page.parts.push_back(std::move(part));
  for (Part& part : run_parts(*runs)) page.parts.push_back(std::move(part));
  page.parts.push_back(
      {"Next", {}, {}, {"one profile: assay look PROFILE", "what differs between them: assay init FOLDER"}});
  return page;
}

}  // namespace assay::look
