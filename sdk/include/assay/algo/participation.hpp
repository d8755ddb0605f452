// Who takes part in a comparison: whose labels are believed, which reports are one run, which runs are equal. The host
// fills StudyReportTable from here, so that every analyzer and judge reads the same answers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/algo/dims.hpp"
#include "assay/algo/summary.hpp"
#include "assay/study.hpp"

namespace assay {

/// Metric whose facts say whether labels are to be believed; the analyzer that declares it concludes before all others
/// that it does not read from itself. Dims: label, verdict.
inline constexpr std::string_view kBeliefMetric = "label.verdict";

/// Metric whose facts name labels that another run of the same labels contradicts while nothing says which of the two
/// is what it says. Dims: label.
inline constexpr std::string_view kConflictMetric = "label.conflict";

/// Attributes of a report that is one process of a distributed job: its number, and how many there are.
inline constexpr std::string_view kRankAttribute = "rank";
inline constexpr std::string_view kWorldSizeAttribute = "world_size";

/// Why the labels of a report are not to be believed: a fact of kBeliefMetric says that one of them, whichever, is
/// contradicted or not borne out by the trace, or one of kConflictMetric that it may be either. Empty when there is no
/// such fact; `unverifiable` is none, nor is the verdict on a label that only describes, since no comparison rests on
/// it.
inline std::string doubt_from_facts(const StudyView& view, std::size_t report) {
  std::string reason;
  view.each_fact(static_cast<Row>(report), kBeliefMetric, [&](std::size_t fact) {
    const std::string_view dims = view.study().facts->dims[fact];
    const std::string verdict = dim_value(dims, "verdict").value_or("");
    if (!reason.empty() || (verdict != "contradicted" && verdict != "not_borne_out")) return;
    const std::string name = dim_value(dims, "label").value_or("?");
    if (const auto label = view.label(name); label && view.study().labels->descriptive[*label] != 0) return;
    reason = "its label " + name +
             (verdict == "contradicted" ? " is contradicted by the trace" : " is not borne out by the trace");
  });
  view.each_fact(static_cast<Row>(report), kConflictMetric, [&](std::size_t fact) {
    if (!reason.empty()) return;
    const std::string name = dim_value(view.study().facts->dims[fact], "label").value_or("?");
    reason = "its label " + name + " is contradicted by another run of the same labels";
  });
  return reason;
}

namespace detail {

/// Place of a report in a job: as its label says, else as the report itself does. Nothing without either, or when it is
/// alone in its job.
struct RankOf {
  std::string rank, world;
};

inline std::optional<RankOf> rank_of(const StudyView& view, std::size_t report) {
  const auto attribute = [&](std::string_view name) {
    return std::string(view.attribute(report, name).value_or(std::string_view()));
  };
  RankOf out{attribute(kRankAttribute), attribute(kWorldSizeAttribute)};
  const LabelTable& labels = *view.study().labels;
  for (std::size_t l = 0; l < labels.rows; ++l) {
    if (labels.rank[l] == 0) continue;
    if (const auto value = view.label_value(report, l)) out.rank = view.study().label_values->text[*value].view();
  }
  if (out.rank.empty() || out.world == "1") return std::nullopt;
  return out;
}

/// What stands before the rank in a file's name, where the name says it: "run3" of "run3_rank12.sqlite" or
/// "run3-rank-12.json"; empty where it does not.
inline std::string before_rank(std::string_view path, std::string_view rank) {
  std::string_view name = path.substr(path.rfind('/') == std::string_view::npos ? 0 : path.rfind('/') + 1);
  constexpr std::string_view kWord = "rank";
  const std::size_t at = name.rfind(kWord);
  if (at == std::string_view::npos) return {};
  std::string_view rest = name.substr(at + kWord.size());
  while (!rest.empty() && (rest.front() == '_' || rest.front() == '-' || rest.front() == '0')) {
    if (rest.front() == '0' && (rest.size() == 1 || rest[1] < '0' || rest[1] > '9')) break;
    rest.remove_prefix(1);
  }
  const bool says =
      rest.starts_with(rank) && (rest.size() == rank.size() || rest[rank.size()] < '0' || rest[rank.size()] > '9');
  return says ? std::string(name.substr(0, at)) : std::string();
}

/// Everything in which ranks of one job agree: role, size of the job, all labels but the rank, and what their names
/// begin with.
inline std::vector<std::string> job_key(const StudyView& view, std::size_t report, const RankOf& rank) {
  const LabelTable& labels = *view.study().labels;
  std::vector<std::string> key = {view.is_noise(report) ? "noise" : "question", rank.world};
  for (std::size_t l = 0; l < labels.rows; ++l) {
    const auto value = labels.rank[l] == 0 ? view.label_value(report, l) : std::nullopt;
    key.emplace_back(value ? "=" + std::string(view.study().label_values->text[*value].view()) : "");
  }
  key.push_back(before_rank(view.path(report), rank.rank));
  return key;
}

inline std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(path.substr(0, slash == std::string_view::npos ? 0 : slash));
}

}  // namespace detail

/// Number of the job that each report belongs to: equal for the ranks of one job, which are one run; else its own. Jobs
/// are numbered by their first report. Of reports that agree in all but their rank those in one folder belong
/// together; where every folder has one rank only, folders do. Several of one rank are several jobs: the n-th of each
/// rank, by path, make the n-th job.
inline std::vector<std::uint32_t> job_numbers(const StudyView& view) {
  using Key = std::vector<std::string>;
  std::map<Key, std::map<std::string, std::vector<std::pair<std::size_t, std::string>>>> agreeing;
  for (std::size_t r = 0; r < view.report_count(); ++r) {
    if (const auto rank = detail::rank_of(view, r))
      agreeing[detail::job_key(view, r, *rank)][detail::folder_of(view.path(r))].emplace_back(r, rank->rank);
  }
  std::vector<std::uint32_t> job(view.report_count());
  for (std::size_t r = 0; r < job.size(); ++r) job[r] = static_cast<std::uint32_t>(r);
  const auto unite = [&](const std::vector<std::pair<std::size_t, std::string>>& reports) {
    std::map<std::string, std::size_t> seen;
    std::map<std::size_t, std::uint32_t> first;  // of the n-th job
    for (const auto& [report, rank] : reports)
      job[report] = first.emplace(seen[rank]++, static_cast<std::uint32_t>(report)).first->second;
  };
  for (const auto& [key, folders] : agreeing) {
    std::vector<std::pair<std::size_t, std::string>> scattered;
    for (const auto& [folder, reports] : folders) {
      const bool several = std::any_of(reports.begin(), reports.end(),
                                       [&](const auto& report) { return report.second != reports.front().second; });
      if (several)
        unite(reports);
      else
        scattered.insert(scattered.end(), reports.begin(), reports.end());
    }
    std::sort(scattered.begin(), scattered.end());
    unite(scattered);
  }
  return job;
}

/// Whether the question declares any label; those that reports state themselves are not declared.
inline bool declares_labels(const StudyView& view) {
  const auto names = view.study().labels->name.view();
  return std::any_of(names.begin(), names.end(),
                     [](Str name) { return name != "device" && name != "clock" && name != "driver"; });
}

/// One run of a group: a report, or the reports of a job.
using RunReports = std::vector<std::size_t>;

/// The runs that given reports are: those of one job together, in the order of their first report.
inline std::vector<RunReports> as_runs(const StudyView& view, std::span<const std::size_t> reports) {
  std::vector<RunReports> runs;
  std::map<std::uint32_t, std::size_t> place;
  for (const std::size_t r : reports) {
    const auto [at, fresh] = place.emplace(view.job(r), runs.size());
    if (fresh) runs.emplace_back();
    runs[at->second].push_back(r);
  }
  return runs;
}

/// One value a run of given reports, where any of its reports has one: of a job the median of its ranks. `of`
/// gives that of a report, or nothing.
template <class Of>
std::vector<double> values_of_runs(const StudyView& view, std::span<const std::size_t> reports, Of&& of) {
  std::vector<double> out;
  for (const RunReports& run : as_runs(view, reports)) {
    std::vector<double> values;
    for (const std::size_t r : run) {
      if (const std::optional<double> value = of(r)) values.push_back(*value);
    }
    if (!values.empty()) out.push_back(median_in_place(values));
  }
  return out;
}

/// Value of a metric in one run: of a job the median of its ranks. Nothing when no report of it has the fact.
inline std::optional<double> value_of(const StudyView& view, const RunReports& run, std::string_view metric,
                                      std::string_view dims = {}) {
  std::vector<double> values;
  for (const std::size_t r : run) {
    if (const auto value = view.value(static_cast<Row>(r), metric, dims)) values.push_back(*value);
  }
  if (values.empty()) return std::nullopt;
  return median_in_place(values);
}

/// Groups of at least two runs of one program, by their first report: equal text attribute "fingerprint" and nothing
/// declared that tells them apart. Runs with another value of a label that does not only describe are another variant,
/// whatever their traces look like. A report of the question without any label is nobody's replicate, since nothing
/// says what it is; one of the [noise] whose name is another question's joins the runs of its fingerprint, unless those
/// are several variants. A job counts once, by the fingerprint of its first rank. Runs that are not believed are left
/// out.
inline std::vector<std::vector<RunReports>> equal_runs(const StudyView& view) {
  struct Program {
    std::map<std::vector<std::string>, std::vector<RunReports>> variants;
    std::vector<RunReports> unnamed;
  };
  std::vector<std::size_t> believed;
  for (std::size_t r = 0; r < view.report_count(); ++r) {
    if (view.believed(r)) believed.push_back(r);
  }
  std::map<std::vector<std::string>, Program> programs;  // by fingerprint, and where the report says it was made
  for (RunReports& run : as_runs(view, believed)) {
    const auto fingerprint = view.attribute(run.front(), "fingerprint");
    if (!fingerprint || (!view.named(run.front()) && !view.is_noise(run.front()))) continue;
    std::vector<std::string> made = {std::string(*fingerprint)}, variant;
    bool tells = false;
    const LabelTable& labels = *view.study().labels;
    for (std::size_t l = 0; l < labels.rows; ++l) {
      const auto value = labels.descriptive[l] == 0 ? view.label_value(run.front(), l) : std::nullopt;
      const bool declared = !value || view.study().label_values->origin[*value] != LabelOrigin::kReport;
      (declared ? variant : made)
          .emplace_back(value ? "=" + std::string(view.study().label_values->text[*value].view()) : "");
      tells = tells || (value && declared);
    }
    Program& program = programs[made];
    (tells || !view.is_noise(run.front()) ? program.variants[variant] : program.unnamed).push_back(std::move(run));
  }
  std::vector<std::vector<RunReports>> groups;
  for (auto& [fingerprint, program] : programs) {
    if (program.variants.size() == 1) {
      std::vector<RunReports>& only = program.variants.begin()->second;
      only.insert(only.end(), program.unnamed.begin(), program.unnamed.end());
    } else {
      groups.push_back(std::move(program.unnamed));
    }
    for (auto& [variant, runs] : program.variants) groups.push_back(std::move(runs));
  }
  std::erase_if(groups, [](const auto& group) { return group.size() < 2; });
  for (auto& group : groups) std::sort(group.begin(), group.end());
  std::sort(groups.begin(), groups.end());
  return groups;
}

}  // namespace assay
