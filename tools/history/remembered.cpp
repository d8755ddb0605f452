#include "history/remembered.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "assay/algo/participation.hpp"
#include "assay/algo/summary.hpp"
#include "cache/bytes.hpp"
#include "cache/entry.hpp"
#include "cache/still_file.hpp"
#include "files/read_file.hpp"
#include "files/utf8.hpp"
#include "results/stored_results.hpp"

namespace assay {
namespace {

/// "NVIDIA H200, driver 570.172.08": what a level depends on besides the program.
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
      if (name == label.name) text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
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

namespace fs = std::filesystem;
namespace {

using cache::ByteReader;
using cache::ByteWriter;

constexpr std::string_view kKey = "assay index of a history, layout 2, assay " ASSAY_VERSION;
constexpr const char* kDatabase = "results.sqlite";

/// Stamp of a result's file, which is only ever replaced as a whole.
using Stamp = std::vector<std::int64_t>;

std::optional<Stamp> stamp_of(const fs::path& folder) {
  const auto state = cache::content_state(folder / kDatabase);
  if (!state) return std::nullopt;
  return Stamp{static_cast<std::int64_t>(state->size),
               static_cast<std::int64_t>(state->node),
               static_cast<std::int64_t>(state->device),
               state->modified_s,
               state->modified_ns,
               state->changed_s,
               state->changed_ns};
}

struct CachedPoints {
  Stamp stamp;
  ResultPoints points;
};
using Index = std::map<std::string, CachedPoints>;  ///< by path

std::string path_of(const fs::path& folder) {
  std::error_code failed;
  const fs::path real = fs::canonical(folder, failed);
  return (failed ? folder : real).string();
}

/// Names of series and metrics are written once, however many results have them.
std::string to_bytes(const Index& index) {
  std::map<SeriesId, std::uint64_t> series;
  std::map<std::string, MetricWord> metrics;
  for (const auto& [path, result] : index) {
    for (const auto& [id, value] : result.points.values) series.emplace(id, 0);
    metrics.insert(result.points.metrics.begin(), result.points.metrics.end());
  }
  ByteWriter to;
  to.number(series.size());
  std::uint64_t next = 0;
  for (auto& [id, number] : series) {
    number = next++;
    for (const std::string* text : {&id.question, &id.machine, &id.cell, &id.metric, &id.dims}) to.text(*text);
  }
  to.number(index.size());
  for (const auto& [path, result] : index) {
    to.text(path);
    to.integers(result.stamp);
    to.number(result.points.metrics.size());
    for (const auto& [id, word] : result.points.metrics) {
      to.text(id);
      to.text(word.unit);
      to.number(static_cast<std::uint64_t>(word.polarity));
    }
    to.number(result.points.values.size());
    for (const auto& [id, value] : result.points.values) {
      to.number(series.at(id));
      to.real(value);
    }
  }
  return to.bytes();
}

std::string utf8(ByteReader& from) {
  std::string text = from.text();
  if (!is_utf8(text)) from.refuse();
  return text;
}

Index index_from(std::string_view bytes) {
  ByteReader from(bytes);
  std::vector<SeriesId> series(from.count());
  for (SeriesId& id : series) {
    for (std::string* text : {&id.question, &id.machine, &id.cell, &id.metric, &id.dims}) *text = utf8(from);
  }
  Index index;
  const std::size_t results = from.count();
  for (std::size_t r = 0; r < results && from.good(); ++r) {
    CachedPoints& result = index[utf8(from)];
    result.stamp = from.integers();
    const std::size_t metrics = from.count();
    for (std::size_t m = 0; m < metrics && from.good(); ++m) {
      MetricWord& word = result.points.metrics[utf8(from)];
      word.unit = utf8(from);
      word.polarity = static_cast<Polarity>(from.below(static_cast<std::uint64_t>(Polarity::kLowerIsBetter) + 1));
    }
    const std::size_t values = from.count();
    for (std::size_t v = 0; v < values && from.good(); ++v) {
      const std::uint64_t number = from.below(series.size());
      const double value = from.real();
      if (!std::isfinite(value)) from.refuse();
      if (from.good()) result.points.values.emplace(series[static_cast<std::size_t>(number)], value);
    }
  }
  return from.complete() ? index : Index();
}

Index read_index(const fs::path& file) {
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 30U;
  const Result<std::string> bytes = files::read_file(file, kLargest, files::NamedBy::kAssay);
  const auto payload = bytes ? cache::payload_of(*bytes, kKey) : std::optional<std::string_view>();
  return payload ? index_from(*payload) : Index();
}

}  // namespace

Result<ReadHistory> read_history(const std::vector<fs::path>& folders, const fs::path& index_file) {
  Index known = index_file.empty() ? Index() : read_index(index_file);
  ReadHistory history;
  bool changed = false;
  for (const fs::path& folder : folders) {
    const std::string path = path_of(folder);
    const std::optional<Stamp> stamp = stamp_of(folder);
    const auto at = known.find(path);
    if (at == known.end() || !stamp || at->second.stamp != *stamp) {
      Result<ResultPoints> points = read_points(folder);
      if (!points) {
        history.unreadable.push_back(points.error());
        continue;
      }
      known[path] = {stamp.value_or(Stamp()), *std::move(points)};
      ++history.read;
      changed = true;
    }
    const fs::path name = folder.filename().empty() ? folder.parent_path().filename() : folder.filename();
    history.results.push_back({name.string(), folder, known[path].points});
  }
  if (history.results.empty() && !history.unreadable.empty()) return history.unreadable.front();
  if (!index_file.empty() && changed)
    history.kept = files::write_text(index_file, kHistoryIndex, cache::make_entry(kKey, to_bytes(known)));
  return history;
}

std::vector<fs::path> results_below(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const auto has = [&](const char* name) {
      std::error_code none;
      return fs::exists(at->path() / name, none);
    };
    if (has(kDatabase) || (has("run.json") && has("findings.json"))) found.push_back(at->path());
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace assay
