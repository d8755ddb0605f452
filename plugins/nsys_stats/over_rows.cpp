// The facts that one report contributes to the recipes.
#include <algorithm>
#include <map>

#include "algo/properties.hpp"
#include "assay/words.hpp"
#include "device_time.hpp"
#include "extremes.hpp"
#include "over.hpp"
#include "ranges.hpp"
#include "rows.hpp"

namespace assay::nsys {
namespace {

using Key = std::vector<std::string>;

/// The names of each row of a table.
std::vector<Key> keys_of(const Table& table, Span<std::string_view> columns) {
  return table.with_view([&](const TableView& view) {
    std::vector<Key> keys;
    for (const std::string_view name : columns) {
      for (const ColumnView& column : view.columns) {
        if (column.name.view() != name) continue;
        keys.resize(static_cast<std::size_t>(column.texts.size));
        for (std::size_t row = 0; row < keys.size(); ++row) keys[row].emplace_back(column.texts[row].view());
      }
    }
    return keys;
  });
}

std::vector<double> as_numbers(const std::vector<std::int64_t>& values) { return {values.begin(), values.end()}; }

void emit(ReportSink& sink, std::string_view metric, double value, const std::vector<double>& samples,
          const std::vector<Dim>& dims) {
  check_emit(sink.emit_fact(metric, dims, value, samples), "fact", metric);
}

/// Pairs of start and end, sorted by start, then end.
using StartsAndEnds = std::vector<std::pair<std::int64_t, std::int64_t>>;

void emit_times(ReportSink& sink, std::string_view recipe, StartsAndEnds times) {
  std::sort(times.begin(), times.end());
  std::vector<double> starts, ends;
  for (const auto& [start, end] : times) {
    starts.push_back(static_cast<double>(start));
    ends.push_back(static_cast<double>(end));
  }
  const std::vector<Dim> dims{{rows::kRecipe, recipe}};
  emit(sink, rows::kStart, starts.front(), starts, dims);
  emit(sink, rows::kEnd, *std::max_element(ends.begin(), ends.end()), ends, dims);
}

/// Whether a name matches; a trailing '*' matches any suffix.
bool is_named(std::string_view text, std::string_view asked) {
  if (!asked.ends_with('*')) return text == asked;
  return text.starts_with(asked.substr(0, asked.size() - 1));
}

std::string none_named(std::string_view what, std::string_view name) {
  return filled("no {} is named '{}'", {std::string(what), std::string(name)});
}

}  // namespace

void emit_groups(const AskedNsysRecipe& recipe, const ReportTable& made, ReportSink& sink) {
  const std::vector<Key> keys = keys_of(*made.table, recipe.recipe->keys);
  std::map<Key, std::vector<std::int64_t>> groups;  // different names in the file may look equal in the table
  for (std::size_t row = 0; row < keys.size(); ++row) {
    std::vector<std::int64_t>& values = groups[keys[row]];
    values.insert(values.end(), made.values[row].begin(), made.values[row].end());
  }
  for (auto& [key, values] : groups) {
    std::sort(values.begin(), values.end());
    std::vector<double> different, counts;
    double total = 0;
    for (const std::int64_t value : values) {
      total += static_cast<double>(value);
      if (different.empty() || different.back() != static_cast<double>(value)) {
        different.push_back(static_cast<double>(value));
        counts.push_back(0);
      }
      ++counts.back();
    }
    std::vector<Dim> dims{{rows::kRecipe, recipe.text}};
    for (std::size_t k = 0; k < key.size(); ++k) dims.emplace_back(recipe.recipe->keys[k], key[k]);
    emit(sink, recipe.recipe->bytes ? rows::kBytes : rows::kTime, total, different, dims);
    emit(sink, rows::kCount, static_cast<double>(values.size()), counts, dims);
  }
}

std::string emit_kernel_pace(const Report& report, std::string_view name, ReportSink& sink) {
  if (report.kernels == nullptr) return "the export holds no CUDA kernels";
  const KernelTable& kernels = *report.kernels;
  const auto named = [&](const Column<StringId>& names, std::size_t row) {
    return names.present() && is_named(report.string(names[row]), name);
  };
  StartsAndEnds times;
  for (std::size_t row = 0; row < kernels.rows; ++row) {
    if (inside(kernels, row) && (named(kernels.short_name, row) || named(kernels.name, row)))
      times.emplace_back(kernels.start[row], kernels.end[row]);
  }
  if (times.empty()) return none_named("kernel", name);
  emit_times(sink, "cuda_gpu_kern_pace", std::move(times));
  return {};
}

std::string emit_range_pace(const Report& report, std::string_view name, const Launches& launches, ReportSink& sink) {
  Instances found = all_instances(report);
  std::erase_if(found.rows, [&](const Instance& i) {
    const std::string_view text = found.names.text(i.name);  // ":step" if the domain has no name
    return !is_named(text, name) && !(text.starts_with(':') && is_named(text.substr(1), name));
  });
  if (found.rows.empty()) return none_named("NVTX range", name);
  const RangeHits hits(report, launches, std::move(found.rows));
  const std::optional<std::vector<ProjectedRange>> projected = project(hits, launches, *report.calls);
  if (!projected) return "ranges and launches are nested so deeply that listing every pair would take too long";
  StartsAndEnds times;
  for (const ProjectedRange& p : *projected) {
    if (p.works > 0) times.emplace_back(p.first, p.last);
  }
  if (times.empty()) return "no range named '" + std::string(name) + "' launched work on the GPU from its own thread";
  emit_times(sink, "nvtx_gpu_proj_pace", std::move(times));
  return {};
}

std::string emit_use(const Report& report, std::int64_t parts, Mode mode, ReportSink& sink) {
  const std::vector<DeviceUse> used = device_use(report, parts, mode);
  for (const DeviceUse& use : used) {
    std::vector<double> busy;
    std::vector<std::int64_t> lengths;
    double total = 0, time = 0;
    for (const DeviceUse::Part& part : use.parts) {
      busy.push_back(part.busy);
      lengths.push_back(part.duration);
      total += part.busy;
      time += static_cast<double>(part.duration);
    }
    const std::string device = std::to_string(use.device), process = std::to_string(use.process);
    const std::vector<Dim> dims{{"device", device}, {"process", process}};
    emit(sink, rows::kBusy, total, busy, dims);
    emit(sink, rows::kPart, time, as_numbers(lengths), dims);
    emit(sink, rows::kFirst, static_cast<double>(use.parts.front().start), {}, dims);
  }
  return used.empty() ? "the export holds no CUDA work of a GPU" : "";
}

void emit_origin(const Report& report, ReportSink& sink) {
  const std::string_view origin = property_of(report, "origin_ns");
  if (!origin.empty()) sink.attribute(rows::kOrigin, origin);
}

}  // namespace assay::nsys
