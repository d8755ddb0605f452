#include "assay/algo/participation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/detail/rank_names.hpp"
#include "assay/detail/text.hpp"

namespace assay {

std::string doubt_from_facts(const StudyView& view, std::size_t report) {
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
    reason = "its label " + name + " is contradicted by another run with the same labels";
  });
  return reason;
}

std::string named_rank(const StudyView& view, std::size_t report) {
  const LabelTable& labels = *view.study().labels;
  for (std::size_t l = 0; l < labels.rows; ++l) {
    if (labels.rank[l] == 0) continue;
    if (const auto value = view.label_value(report, l))
      return std::string(view.study().label_values->text[*value].view());
  }
  return {};
}

bool rank_conflicts(const StudyView& view, std::size_t report) {
  const auto number = [](std::string_view text) { return number_in<std::int64_t>(text).value_or(-1); };
  const std::int64_t own = number(view.attribute(report, kRankAttribute).value_or("")),
                     named = number(named_rank(view, report));
  return own >= 0 && named >= 0 && own != named;
}

std::optional<JobRank> job_rank_of(const StudyView& view, std::size_t report) {
  const auto attribute = [&](std::string_view name) {
    return std::string(view.attribute(report, name).value_or(std::string_view()));
  };
  JobRank out{attribute(kRankAttribute), attribute(kWorldSizeAttribute)};
  if (out.rank.empty()) out.rank = named_rank(view, report);
  if (out.rank.empty() || out.world == "1") return std::nullopt;
  return out;
}

std::string before_rank(std::string_view path, std::string_view rank) {
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

namespace {

// Everything in which the ranks of one job agree: role, job size, all labels except the rank, and the common prefix of
// their names.
std::vector<std::string> job_key(const StudyView& view, std::size_t report, const JobRank& rank,
                                 std::string_view named) {
  const LabelTable& labels = *view.study().labels;
  std::vector<std::string> key = {view.is_noise(report) ? "noise" : "question", rank.world};
  for (std::size_t l = 0; l < labels.rows; ++l) {
    const auto value = labels.rank[l] == 0 ? view.label_value(report, l) : std::nullopt;
    key.emplace_back(value ? "=" + std::string(view.study().label_values->text[*value].view()) : "");
  }
  key.push_back(before_rank(view.path(report), named));
  return key;
}

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(path.substr(0, slash == std::string_view::npos ? 0 : slash));
}

}  // namespace

std::vector<std::uint32_t> job_numbers(const StudyView& view) {
  using JobKey = std::vector<std::string>;
  std::map<JobKey, std::map<std::string, std::vector<std::pair<std::size_t, std::string>>>> agreeing;
  std::map<std::pair<bool, std::string_view>, std::uint32_t> recognised;  // by role and job: the first report
  std::vector<std::uint32_t> job(view.report_count());
  for (std::size_t r = 0; r < view.report_count(); ++r) {
    job[r] = static_cast<std::uint32_t>(r);
    if (const auto known = view.attribute(r, kJobAttribute)) {
      job[r] = recognised.emplace(std::pair(view.is_noise(r), *known), job[r]).first->second;
      continue;
    }
    const auto rank = job_rank_of(view, r);
    if (!rank) continue;
    const std::string said = named_rank(view, r), &named = said.empty() ? rank->rank : said;
    agreeing[job_key(view, r, *rank, named)][folder_of(view.path(r))].emplace_back(r, named);
  }
  const auto unite = [&](const std::vector<std::pair<std::size_t, std::string>>& reports) {
    std::map<std::string, std::size_t> seen;
    std::map<std::size_t, std::uint32_t> first;  // first rank of each job
    for (const auto& [report, rank] : reports)
      job[report] = first.emplace(seen[rank]++, static_cast<std::uint32_t>(report)).first->second;
  };
  for (const auto& [key, folders] : agreeing) {
    std::vector<std::pair<std::size_t, std::string>> scattered;
    for (const auto& [folder, reports] : folders) {
      const bool several =
          std::ranges::any_of(reports, [&](const auto& report) { return report.second != reports.front().second; });
      if (several)
        unite(reports);
      else
        scattered.insert(scattered.end(), reports.begin(), reports.end());
    }
    std::ranges::sort(scattered);
    unite(scattered);
  }
  return job;
}

bool declares_labels(const StudyView& view) {
  const auto names = view.study().labels->name.view();
  return std::ranges::any_of(names, [](Str name) { return name != "device" && name != "clock" && name != "driver"; });
}

std::vector<RunReports> as_runs(const StudyView& view, std::span<const std::size_t> reports) {
  std::vector<RunReports> runs;
  std::map<std::uint32_t, std::size_t> place;
  for (const std::size_t r : reports) {
    const auto [at, fresh] = place.emplace(view.job(r), runs.size());
    if (fresh) runs.emplace_back();
    runs[at->second].push_back(r);
  }
  return runs;
}

namespace {

bool equals(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); }

/// The captures of one process.
JoinedParts joined_captures(const std::vector<PartOfRun>& captures) {
  JoinedParts out{0, {}};
  std::vector<double> values;
  bool medians = true, means = true;
  for (const PartOfRun& part : captures) {
    values.push_back(part.value);
    out.samples.insert(out.samples.end(), part.samples.begin(), part.samples.end());
    medians = medians && equals(median(part.samples), part.value);
    means = means && equals(mean(part.samples), part.value);
  }
  out.value = medians && !means ? median(out.samples) : mean(values);
  return out;
}

}  // namespace

JoinedParts joined_parts(const StudyView& view, std::span<const PartOfRun> parts) {
  if (parts.size() == 1) return {parts[0].value, {parts[0].samples.begin(), parts[0].samples.end()}};
  std::map<std::string, std::vector<PartOfRun>> processes;
  for (const PartOfRun& part : parts) {
    const bool capture = view.attribute(part.report, kCaptureAttribute).has_value();
    const std::optional<JobRank> rank = capture ? job_rank_of(view, part.report) : std::nullopt;
    processes[capture ? (rank ? rank->rank : "") : "report " + std::to_string(part.report)].push_back(part);
  }
  JoinedParts out{0, {}};
  std::vector<double> values;
  std::vector<std::vector<double>> at;  // samples of each process, one by one
  for (const auto& [process, captures] : processes) {
    JoinedParts joined = joined_captures(captures);
    values.push_back(joined.value);
    if (values.size() == 1) at.resize(joined.samples.size());
    if (at.size() != joined.samples.size()) at.clear();
    for (std::size_t i = 0; i < at.size(); ++i) at[i].push_back(joined.samples[i]);
  }
  out.value = median_in_place(values);
  for (std::vector<double>& samples : at) out.samples.push_back(median_in_place(samples));
  return out;
}

std::optional<double> value_of(const StudyView& view, const RunReports& run, std::string_view metric,
                               std::string_view dims) {
  std::vector<PartOfRun> parts;
  for (const std::size_t r : run) {
    if (const auto fact = view.fact(static_cast<Row>(r), metric, dims))
      parts.push_back({r, view.study().facts->value[*fact], view.samples(*fact)});
  }
  if (parts.empty()) return std::nullopt;
  return joined_parts(view, parts).value;
}

std::vector<std::vector<RunReports>> equal_runs(const StudyView& view) {
  struct Program {
    std::map<std::vector<std::string>, std::vector<RunReports>> variants;
    std::vector<RunReports> unnamed;
  };
  std::vector<std::size_t> believed;
  for (std::size_t r = 0; r < view.report_count(); ++r) {
    if (view.believed(r)) believed.push_back(r);
  }
  std::map<std::vector<std::string>, Program> programs;  // by fingerprint and the report's own statement of its origin
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
  for (auto& group : groups) std::ranges::sort(group);
  std::ranges::sort(groups);
  return groups;
}

}  // namespace assay
