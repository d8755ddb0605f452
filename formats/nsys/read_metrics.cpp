// Samples of the GPU's own counters (`nsys profile --gpu-metrics-devices`), of which a file has millions. One pass
// turns rows (time, GPU, metric, value) into rows with a cell per metric.
#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

#include "formats/nsys/metric_columns.hpp"
#include "formats/nsys/read_tables.hpp"

namespace assay::load {
namespace {

constexpr std::string_view kSamples = "GPU_METRICS", kMetricInfo = "TARGET_INFO_GPU_METRICS";
constexpr std::size_t kMaxMetricId = 4096;
constexpr std::uint16_t kNoColumn = 0;  // index of the time, which is not a metric
constexpr std::size_t kNoRow = std::numeric_limits<std::size_t>::max();

/// GPU of a type of samples: the lowest byte.
std::int64_t gpu_of(std::int64_t type) { return type & 0xFF; }

/// The metrics of one type of samples, which belongs to one GPU.
struct MetricSource {
  std::int64_t type = 0;
  std::vector<std::uint16_t> columns;  ///< index in gpu_metrics, by metric id
  std::vector<std::string> names;
  std::vector<std::int64_t> counts;                    ///< number of samples, by metric id
  std::size_t last = kNoRow;                           ///< row of its last sample
  std::int64_t latest = 0;                             ///< time of its last row
  std::unordered_map<std::int64_t, std::size_t> rows;  ///< by time; only if the samples are not in order of time
};

struct MetricSources {
  std::vector<MetricSource> all;
  std::vector<std::size_t> columns;  ///< indices in use, ascending
  std::int64_t too_many = 0;         ///< metrics without a free column
};

MetricSources list_metrics(const Source& source) {
  MetricSources out;
  sqlite::Statement names(source.db.handle(),
                          "SELECT typeId, metricId, metricName FROM TARGET_INFO_GPU_METRICS ORDER BY metricId, typeId");
  std::map<std::string, std::size_t, std::less<>> others;
  while (names.ok() && names.step()) {
    const std::int64_t id = names.integer(1);
    if (!names.is_integer(0) || !names.is_integer(1) || id < 0 || id >= static_cast<std::int64_t>(kMaxMetricId))
      continue;
    const std::string name(names.text(2));
    std::optional<std::size_t> column = metric_column(name);
    if (!column) {
      const auto [at, is_new] = others.try_emplace(name, first_other_metric() + others.size());
      if (at->second >= metrics_table().columns.size) {
        ++out.too_many;
        continue;
      }
      column = at->second;
    }
    auto of_type = std::ranges::find(out.all, names.integer(0), &MetricSource::type);
    if (of_type == out.all.end()) {
      of_type = out.all.emplace(out.all.end());
      of_type->type = names.integer(0);
    }
    const auto place = static_cast<std::size_t>(id);
    if (of_type->columns.size() <= place) {
      of_type->columns.resize(place + 1);
      of_type->names.resize(place + 1);
      of_type->counts.resize(place + 1);
    }
    of_type->columns[place] = static_cast<std::uint16_t>(*column);
    of_type->names[place] = name;
    out.columns.push_back(*column);
  }
  std::ranges::sort(out.columns);
  out.columns.erase(std::unique(out.columns.begin(), out.columns.end()), out.columns.end());
  return out;
}

/// Turns samples into rows of gpu_metrics while reading them in file order.
class SampleRows final : public BatchSink {
 public:
  SampleRows(MetricSources& sources, TableSink& out) : sources_(sources) {
    for (const ColumnSpec& column : metrics_table().columns)
      columns_.emplace_back(out, metrics_table().name, column.name, CellKind::kInteger);
  }

  void reserve(std::size_t /*rows*/) override {}
  void expect(std::size_t rows) override { expected_ = rows / std::max<std::size_t>(1, sources_.columns.size()) + 16; }
  void on_batch(const Batch& /*batch*/) override {}
  void on_ordered_batch(const Batch& batch) override {
    for (std::size_t i = 0; i < batch.rows; ++i)
      add(batch.cells[0][i], batch.cells[1][i], batch.cells[2][i], batch.cells[3][i]);
  }
  void restart() override {
    each_used([](auto& column) { column.reorder({}); });
    for (MetricSource& source : sources_.all) {
      source.rows.clear();
      source.last = kNoRow;
      std::ranges::fill(source.counts, 0);
    }
    unnamed_ = unusable_ = 0;
    last_ = nullptr;
  }

  /// Sorts rows by time, then GPU. Returns how many there are.
  std::size_t finish() {
    each_used([](auto& column) { column.finish(); });
    const auto order = sorting_order(times().values(), gpus().values());
    if (!order.empty()) each_used([&](auto& column) { column.reorder(order); });
    return times().size();
  }
  [[nodiscard]] std::int64_t unnamed() const { return unnamed_; }
  [[nodiscard]] std::int64_t unusable() const { return unusable_; }

 private:
  void add(std::int64_t time, std::int64_t type, std::int64_t metric, std::int64_t value) {
    if (time == kNoValue || !is_time(time) || value == kNoValue) {
      ++unusable_;
      return;
    }
    if (last_ == nullptr || last_->type != type) {
      const auto of_type = std::ranges::find(sources_.all, type, &MetricSource::type);
      last_ = of_type == sources_.all.end() ? nullptr : &*of_type;
    }
    const bool named = last_ != nullptr && metric >= 0 && metric < static_cast<std::int64_t>(last_->columns.size()) &&
                       last_->columns[static_cast<std::size_t>(metric)] != kNoColumn;
    if (!named) {
      ++unnamed_;
      return;
    }
    const auto id = static_cast<std::size_t>(metric);
    const std::size_t column = last_->columns[id];
    ++last_->counts[id];
    const std::size_t row = row_of(time);
    columns_[column].values()[row] = metric_value(column, value);
  }

  std::size_t row_of(std::int64_t time) {
    MetricSource& source = *last_;
    const std::span<const std::int64_t> times = this->times().values();
    if (source.last != kNoRow && times[source.last] == time) return source.last;
    if (source.rows.empty() && source.last != kNoRow && time < source.latest) index_rows(source);
    if (!source.rows.empty()) {
      const std::size_t next = source.last + 1;  // a file may list one metric after the other
      if (next < times.size() && times[next] == time && gpus()[next] == gpu_of(source.type)) return source.last = next;
      const auto at = source.rows.find(time);
      if (at != source.rows.end()) return source.last = at->second;
      source.rows.emplace(time, times.size());
    }
    source.last = times.size();
    source.latest = time;
    if (times.empty()) each_used([&](auto& column) { column.make_present(expected_); });  // no table without samples
    columns_[0].push(time);
    columns_[1].push(gpu_of(source.type));
    for (const std::size_t column : sources_.columns) columns_[column].push(kNoCell);
    return source.last;
  }

  void index_rows(MetricSource& source) const {
    for (std::size_t row = 0; row < times().size(); ++row) {
      if (gpus()[row] == gpu_of(source.type)) source.rows.emplace(times()[row], row);
    }
  }
  template <class Use>
  void each_used(const Use& use) {
    use(columns_[0]);
    use(columns_[1]);
    for (const std::size_t column : sources_.columns) use(columns_[column]);
  }
  [[nodiscard]] const formats::ColumnWriter<std::int64_t>& times() const { return columns_[0]; }
  [[nodiscard]] const formats::ColumnWriter<std::int64_t>& gpus() const { return columns_[1]; }

  MetricSources& sources_;
  std::vector<formats::ColumnWriter<std::int64_t>> columns_;  ///< of gpu_metrics
  std::size_t expected_ = 0;                                  ///< rows
  MetricSource* last_ = nullptr;
  std::int64_t unnamed_ = 0, unusable_ = 0;
};

void add_names(const MetricSources& sources, TableSink& out) {
  std::size_t rows = 0;
  const auto each = [&](const auto& use) {
    for (const MetricSource& source : sources.all) {
      for (std::size_t id = 0; id < source.columns.size(); ++id) {
        if (source.columns[id] != kNoColumn) use(source, id);
      }
    }
  };
  each([&](const MetricSource&, std::size_t) { ++rows; });
  auto table = Tables(out).declared(metric_names_table().name.view(), rows);
  const auto device = table.integers("device"), samples = table.integers("samples");
  const auto name = table.texts("name"), column = table.texts("column");
  std::size_t row = 0;
  each([&](const MetricSource& source, std::size_t id) {
    device[row] = gpu_of(source.type);
    name[row] = out.intern(source.names[id]);
    column[row] = out.intern(metrics_table().columns[source.columns[id]].name);
    samples[row++] = source.counts[id];
  });
}

void note_samples(const SampleRows& samples, const MetricSources& sources, const ReadOutcome& outcome,
                  std::vector<Issue>& issues) {
  if (samples.unnamed() > 0) {
    issues.push_back({"passed_over", Severity::kInfo, samples.unnamed(),
                      fmt::format("Not read: {} samples of GPU_METRICS whose metric {}.", samples.unnamed(),
                                  sources.too_many > 0 ? fmt::format("is not among the first {} of unknown names, or "
                                                                     "that TARGET_INFO_GPU_METRICS does not name",
                                                                     kOtherMetrics)
                                                       : "TARGET_INFO_GPU_METRICS does not name")});
  }
  if (const std::int64_t odd = samples.unusable() + static_cast<std::int64_t>(outcome.mistyped); odd > 0) {
    issues.push_back({"bad_cells", Severity::kWarning, odd,
                      fmt::format("{} samples of GPU_METRICS have no number as their time or value, or a time that "
                                  "cannot be, and are left out.",
                                  odd)});
  }
  if (!outcome.damage.empty()) {
    issues.push_back({"truncated", Severity::kError, static_cast<std::int64_t>(outcome.rows),
                      fmt::format("Of GPU_METRICS only the first {} rows could be read: {}; export the profile again.",
                                  outcome.rows, outcome.damage)});
  }
  note_pages(outcome.pages, std::string(kSamples), issues);
}

}  // namespace

void read_metrics(NsysTables& to) {
  const Source& source = to.source;
  const TableInfo* info = source.schema.find(kSamples);
  if (!source.wanted.table(col::declared) || info == nullptr) return;
  if (!has_columns(*info, {"timestamp", "typeId", "metricId", "value"}, to.issues)) return;
  const TableInfo* const names = source.schema.find(kMetricInfo);
  if (names == nullptr) {
    return to.issue("missing_names", Severity::kError, 0,
                    "The file has samples of GPU_METRICS and no TARGET_INFO_GPU_METRICS that says what they are, so "
                    "they are left out; export the profile again.");
  }
  if (!has_columns(*names, {"typeId", "metricId", "metricName"}, to.issues)) return;
  MetricSources sources = list_metrics(source);
  SampleRows samples(sources, to.out);
  const ColumnRequest columns[] = {{"timestamp"}, {"typeId"}, {"metricId"}, {"value"}};
  const ReadOutcome outcome = read_columns(source.tables(), *info, columns, {}, samples);
  note_samples(samples, sources, outcome, to.issues);
  if (samples.finish() > 0) add_names(sources, to.out);
}

}  // namespace assay::load
