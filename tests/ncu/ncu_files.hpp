// CSVs as Nsight Compute writes them, and what is read of them.
#pragma once

#include "load/format.hpp"
#include "load/load.hpp"
#include "support/kinds.hpp"
#include "support/test.hpp"

namespace assay {

inline const std::set<ColumnId>& ncu_columns() {
  static const std::set<ColumnId> columns = {col::kernels, col::kernel_profiled, col::profiled, col::counters,
                                             col::properties};
  return columns;
}

/// One line of quoted cells; quotes inside are doubled.
inline std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) {
    line += line.empty() ? "\"" : ",\"";
    for (const char c : cell) line += c == '"' ? "\"\"" : std::string(1, c);
    line += '"';
  }
  return line + "\n";
}

/// Header and rows of the details page of 2023 and later.
inline std::string details_header() {
  return csv_line({"ID",
                   "Process ID",
                   "Process Name",
                   "Host Name",
                   "Kernel Name",
                   "Context",
                   "Stream",
                   "Block Size",
                   "Grid Size",
                   "Device",
                   "CC",
                   "Section Name",
                   "Metric Name",
                   "Metric Unit",
                   "Metric Value",
                   "Rule Name",
                   "Rule Type",
                   "Rule Description",
                   "Estimated Speedup Type",
                   "Estimated Speedup"});
}
struct Detail {
  std::string id = "0", kernel = "add_kernel(float *, int)", block = "(256, 1, 1)", grid = "(64, 2, 1)",
              section = "GPU Speed Of Light Throughput";
};
inline std::string details_row(const std::string& metric, const std::string& unit, const std::string& value,
                               const Detail& of = {}) {
  std::string line = csv_line({of.id, "4711", "app", "127.0.0.1", of.kernel, "1", "7", of.block, of.grid, "0", "9.0",
                               of.section, metric, unit, value});
  line.insert(line.size() - 1, ",");  // ncu ends these lines with an empty 16th cell
  return line;
}

/// A loaded CSV, or a report with CSVs.
class NcuReport {
 public:
  explicit NcuReport(const std::filesystem::path& file, const std::vector<std::filesystem::path>& counters = {})
      : profile_(load_profile({file, kind_of(file)}, file.filename().string(), ncu_columns(), 1, Reader::kDirect,
                              counters)) {
    if (profile_) view_.emplace(profile_->view({}, {}));
  }
  /// What a file with counters beside it is; of what no format reads, what its name says.
  static FileKind kind_of(const std::filesystem::path& file) {
    const load::Format* format = load::format_of(file);
    return format == nullptr ? kind::kNcu : format->kind;
  }
  [[nodiscard]] bool ok() const { return profile_.ok(); }
  [[nodiscard]] std::string problem() const { return ok() ? "" : profile_.error().sentence; }
  [[nodiscard]] const Report& report() const { return (**view_).report(); }
  const Report* operator->() const { return &report(); }

  [[nodiscard]] std::optional<std::int64_t> issue(std::string_view name) const {
    for (std::size_t i = 0; i < report().issues->rows; ++i) {
      if (report().issues->name[i] == name) return report().issues->count[i];
    }
    return std::nullopt;
  }
  [[nodiscard]] std::string issue_text(std::string_view name) const {
    for (std::size_t i = 0; i < report().issues->rows; ++i) {
      if (report().issues->name[i] == name) return std::string(report().issues->text[i].view());
    }
    return {};
  }
  /// "value unit" of a counter of a launch; empty for none.
  [[nodiscard]] std::string counter(Row launch, std::string_view name, std::string_view section = {}) const {
    const CounterTable& t = *report().counters;
    for (std::size_t c = 0; c < t.rows; ++c) {
      if (t.profiled[c] != launch || report().string(t.name[c]) != name) continue;
      if (!section.empty() && report().string(t.section[c]) != section) continue;
      std::ostringstream text;
      text.precision(15);
      text << t.value[c];
      const std::string_view unit = report().string(t.unit[c]);
      return text.str() + (unit.empty() ? "" : " ") + std::string(unit);
    }
    return {};
  }

 private:
  Result<Profile> profile_;
  std::optional<Result<Profile::View>> view_;
};

}  // namespace assay
