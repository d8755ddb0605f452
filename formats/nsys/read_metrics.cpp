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

/// Turns samples into rows while reading them in file order.
class SampleRows final : public BatchSink {
 public:
  SampleRows(MetricSources& sources, DeclaredTableRows& table) : sources_(sources), table_(table) {
    for (const std::size_t column : {std::size_t{0}, std::size_t{1}}) in_use_.push_back(column);
    in_use_.insert(in_use_.end(), sources.columns.begin(), sources.columns.end());
    for (const std::size_t column : in_use_) table.columns[column].integers.make_present(0);
  }

  void reserve(std::size_t /*rows*/) override {}
  void expect(std::size_t rows) override {
    const std::size_t metrics = std::max<std::size_t>(1, sources_.columns.size());
    for (const std::size_t column : in_use_) table_.columns[column].integers.make_present(rows / metrics + 16);
  }
  void on_batch(const Batch& /*batch*/) override {}
  void on_ordered_batch(const Batch& batch) override {
    for (std::size_t i = 0; i < batch.rows; ++i)
      add(batch.cells[0][i], batch.cells[1][i], batch.cells[2][i], batch.cells[3][i]);
  }
  void restart() override {
    for (const std::size_t column : in_use_) table_.columns[column].integers.values().clear();
    for (MetricSource& source : sources_.all) {
      source.rows.clear();
      source.last = kNoRow;
      std::ranges::fill(source.counts, 0);
    }
    unnamed_ = unusable_ = 0;
    last_ = nullptr;
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
    table_.columns[column].integers.values()[row_of(time)] = metric_value(column, value);
  }

  std::size_t row_of(std::int64_t time) {
    MetricSource& source = *last_;
    const Cells<std::int64_t>& times = table_.columns[0].integers.values();
    if (source.last != kNoRow && times[source.last] == time) return source.last;
    if (source.rows.empty() && source.last != kNoRow && time < source.latest) index_rows(source);
    if (!source.rows.empty()) {
      const std::size_t next = source.last + 1;  // a file may list one metric after the other
      if (next < times.size() && times[next] == time && table_.columns[1].integers[next] == gpu_of(source.type))
        return source.last = next;
      const auto at = source.rows.find(time);
      if (at != source.rows.end()) return source.last = at->second;
      source.rows.emplace(time, times.size());
    }
    source.last = times.size();
    source.latest = time;
    table_.columns[0].integers.push(time);
    table_.columns[1].integers.push(gpu_of(source.type));
    for (const std::size_t column : sources_.columns) table_.columns[column].integers.push(kNoCell);
    return source.last;
  }

  void index_rows(MetricSource& source) const {
    const Cells<std::int64_t>& times = table_.columns[0].integers.values();
    const Cells<std::int64_t>& gpus = table_.columns[1].integers.values();
    for (std::size_t row = 0; row < times.size(); ++row) {
      if (gpus[row] == gpu_of(source.type)) source.rows.emplace(times[row], row);
    }
  }

  MetricSources& sources_;
  DeclaredTableRows& table_;
  std::vector<std::size_t> in_use_;
  MetricSource* last_ = nullptr;
  std::int64_t unnamed_ = 0, unusable_ = 0;
};

DeclaredTableRows rows_of(const TableSpec& spec) {
  DeclaredTableRows table;
  table.spec = &spec;
  for (const ColumnSpec& column : spec.columns) table.columns.emplace_back().spec = &column;
  return table;
}

/// By time, then GPU.
void sort_rows(DeclaredTableRows& table) {
  const std::vector<std::uint32_t> order =
      sorting_order(table.columns[0].integers.values(), table.columns[1].integers.values());
  if (order.empty()) return;
  for (DeclaredCells& column : table.columns) column.integers.reorder(order);
}

DeclaredTableRows names_of(const MetricSources& sources, StringPool& strings) {
  DeclaredTableRows table = rows_of(metric_names_table());
  table.columns[0].integers.make_present(0);
  table.columns[3].integers.make_present(0);
  table.columns[1].texts.make_present(0);
  table.columns[2].texts.make_present(0);
  for (const MetricSource& source : sources.all) {
    for (std::size_t id = 0; id < source.columns.size(); ++id) {
      if (source.columns[id] == kNoColumn) continue;
      table.columns[0].integers.push(gpu_of(source.type));
      table.columns[1].texts.push(strings.intern(source.names[id]));
      table.columns[2].texts.push(strings.intern(metrics_table().columns[source.columns[id]].name.view()));
      table.columns[3].integers.push(source.counts[id]);
      ++table.rows;
    }
  }
  return table;
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

void read_metrics(const Source& source, Profile::Store& store, std::vector<Issue>& issues) {
  const TableInfo* info = source.schema.find(kSamples);
  if (!source.wanted.table(col::declared) || info == nullptr) return;
  if (!has_columns(*info, {"timestamp", "typeId", "metricId", "value"}, issues)) return;
  const TableInfo* const names = source.schema.find(kMetricInfo);
  if (names == nullptr) {
    issues.push_back({"missing_names", Severity::kError, 0,
                      "The file has samples of GPU_METRICS and no TARGET_INFO_GPU_METRICS that says what they are, so "
                      "they are left out; export the profile again."});
    return;
  }
  if (!has_columns(*names, {"typeId", "metricId", "metricName"}, issues)) return;
  MetricSources sources = list_metrics(source);
  DeclaredTableRows table = rows_of(metrics_table());
  SampleRows samples(sources, table);
  const ColumnRequest columns[] = {{"timestamp"}, {"typeId"}, {"metricId"}, {"value"}};
  StringPool unused;
  const ReadOutcome outcome = read_columns(source.tables(), *info, columns, unused, samples);
  note_samples(samples, sources, outcome, issues);
  table.rows = table.columns[0].integers.values().size();
  if (table.rows == 0) return;  // no table without samples
  sort_rows(table);
  store.declared.push_back(std::move(table));
  store.declared.push_back(names_of(sources, store.strings));
}

}  // namespace assay::load
