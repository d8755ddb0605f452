#include "history/result_points.hpp"

#include <algorithm>

#include "assay/algo/participation.hpp"
#include "assay/algo/summary.hpp"

namespace assay {
namespace {

/// "NVIDIA H200, driver 570.172.08": what a level may depend on beside the program.
std::string machine_of(const StoredReport& report) {
  std::string text;
  for (const auto& [name, word] : {std::pair("device", ""), std::pair("driver", "driver "), std::pair("cpu", "")}) {
    for (const OwnedAttribute& attribute : report.attributes) {
      if (attribute.name == name) text += (text.empty() ? "" : ", ") + std::string(word) + attribute.value;
    }
  }
  return text;
}

std::string cell_of(const StoredReport& report, const std::vector<StoredLabel>& labels) {
  std::string text;
  for (const StoredLabel& label : labels) {
    if (label.descriptive || label.rank) continue;
    for (const auto& [name, value] : report.labels) {
      if (name == label.name) text += (text.empty() ? "" : " ") + name + "=" + value;
    }
  }
  return text;
}

}  // namespace

Result<ResultPoints> read_points(const std::filesystem::path& out) {
  const auto questions = read_results(out, true);
  return questions ? points_of(*questions) : Result<ResultPoints>(questions.error());
}

ResultPoints points_of(std::span<const StoredQuestion> questions) {
  std::map<SeriesId, std::map<std::string_view, std::vector<double>>> runs;  // by job, or the report itself
  ResultPoints points;
  for (const StoredQuestion& question : questions) {
    for (const OwnedMetric& metric : question.result.metrics)
      points.metrics[metric.id] = {metric.unit, metric.polarity};
    for (const StoredReport& report : question.reports) {
      if (!report.loaded || !report.doubt.empty() || report.role != ReportRole::kQuestion) continue;
      const auto job = std::ranges::find(report.attributes, kJobAttribute, &OwnedAttribute::name);
      const std::string_view run = job == report.attributes.end() ? report.name : job->value;
      SeriesId id{question.id, machine_of(report), cell_of(report, question.labels), {}, {}};
      for (const Fact& fact : report.facts) {
        id.metric = fact.metric;
        id.dims = fact.dims;
        runs[id][run].push_back(fact.value);
      }
    }
  }
  for (auto& [id, by_run] : runs) {
    std::vector<double> values;
    for (auto& [run, ranks] : by_run) values.push_back(median_in_place(ranks));
    points.values.emplace(id, median_in_place(values));
  }
  return points;
}

}  // namespace assay
