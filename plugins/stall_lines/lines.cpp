#include "lines.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "algo/crossing_rows.hpp"
#include "assay/algo/speed_of_light.hpp"
#include "assay/words.hpp"

namespace assay::stall_lines {
namespace {

constexpr std::size_t kMaxLines = 500;  // of a kernel

/// File and line; without a line 0 and the offset in the kernel.
using Place = std::pair<StringId, std::int64_t>;

struct LineSums {
  std::size_t row = 0;  ///< its first one
  std::int64_t stalled = 0, sectors = 0, needed = 0;
  std::vector<std::int64_t> by_reason;
  /// Samples by place and opcode of what they wait for, and a row of it.
  std::map<std::pair<Place, StringId>, std::pair<std::int64_t, std::size_t>> waits;
};
struct KernelSums {
  StallLine totals;
  std::map<Place, LineSums> lines;
};

/// Reads the table of one report.
class SourceTable {
 public:
  SourceTable(const Report& report, const DeclaredTable& table) : report_(report), table_(table) {
    for (const DeclaredColumn& column : table.columns) {
      const std::string_view name = column.name;
      if (!name.starts_with("stall_") || name.ends_with("_not_issued") || name == "stall_selected") continue;
      reasons_.emplace_back(name.substr(6));
      std::ranges::replace(reasons_.back(), '_', ' ');
      samples_by_reason_.push_back(table.integers(name));
    }
  }

  std::vector<StallLine> lines() {
    for (std::size_t r = 0; r < table_.rows; ++r) {
      const bool is_first = r == 0 || kernel_[r] != kernel_[r - 1] || launch_[r] != launch_[r - 1];
      offset_.push_back(is_first ? 0 : offset_.back() + address_[r] - address_[r - 1]);
      add(r);
    }
    set_speeds();
    std::vector<StallLine> lines;
    for (auto& [name, kernel] : kernels_) add_lines(name, kernel, lines);
    return lines;
  }

 private:
  [[nodiscard]] Place place_of(std::size_t r) const {
    return line_[r] > 0 ? Place(file_[r], line_[r]) : Place(0, offset_[r]);
  }
  [[nodiscard]] std::string place_text(std::size_t r) const {
    if (line_[r] <= 0) return opcode_of(r) + printed(" at +0x%llx", static_cast<unsigned long long>(offset_[r]));
    const std::string_view file = report_.string(file_[r]);
    return filled("{}:{}", {file.substr(file.rfind('/') + 1), std::to_string(line_[r])});
  }
  [[nodiscard]] std::string opcode_of(std::size_t r) const {
    return opcode_[r] == 0 ? "instruction" : std::string(report_.string(opcode_[r]));
  }

  void add(std::size_t r) {
    constexpr std::int64_t kMost = std::int64_t{1} << 38U;  // of damaged cells, so that sums stay in range
    const auto known = [&](const Column<std::int64_t>& column) {
      return std::clamp<std::int64_t>(column[r], 0, kMost);
    };
    KernelSums& kernel = kernels_[kernel_[r]];
    const auto [at, is_new] = kernel.lines.try_emplace(place_of(r));
    LineSums& line = at->second;
    if (is_new) line.row = r;
    if (is_new) line.by_reason.resize(reasons_.size());
    kernel.totals.kernel_samples += known(samples_);
    kernel.totals.kernel_sectors += known(sectors_);
    line.sectors += known(sectors_);
    line.needed += known(needed_);
    std::int64_t scoreboard = 0;
    for (std::size_t s = 0; s < reasons_.size(); ++s) {
      const std::int64_t samples = known(samples_by_reason_[s]);
      line.by_reason[s] += samples;
      line.stalled += samples;
      if (samples > 0 && reasons_[s].ends_with("scoreboard")) scoreboard += samples;
    }
    const auto setter = static_cast<std::size_t>(waits_for_[r]);
    if (scoreboard == 0 || setter >= r) return;  // kNone is beyond all rows
    auto& wait = line.waits[{place_of(setter), opcode_[setter]}];
    wait = {wait.first + scoreboard, setter};
  }

  /// Duration, bound and interval of kernels with counters of whole launches.
  void set_speeds() {
    constexpr double kThreshold = 0.6;  // of kernel_bound, and of Nsight Compute's own rule
    std::map<StringId, double> launches;
    const SpeedsOfLight speeds(report_);
    for (const auto& [row, speed] : speeds.groups()) {
      const auto at = kernels_.find(report_.profiled->name[row]);
      if (at == kernels_.end()) continue;
      StallLine& totals = at->second.totals;
      totals.short_name = report_.string(report_.profiled->short_name[row]);
      totals.bound = bound_name(bound_of(speed, kThreshold));
      const double before = std::exchange(launches[at->first], launches[at->first] + double(speed.launches));
      totals.duration += (speed.duration.value_or(std::nan("")) - totals.duration) * double(speed.launches) /
                         (before + double(speed.launches));
    }
    for (std::size_t c = 0; report_.counters != nullptr && c < report_.counters->rows; ++c) {
      if (report_.string(report_.counters->name[c]) != "smsp__pcsamp_interval_cycles") continue;
      const auto at = kernels_.find(report_.profiled->name[report_.counters->profiled[c]]);
      if (at != kernels_.end()) at->second.totals.interval = report_.counters->value[c];
    }
  }

  /// The lines with most stalls of a kernel, in words.
  void add_lines(const StringId name, KernelSums& kernel, std::vector<StallLine>& to) const {
    kernel.totals.kernel = report_.string(name);
    std::vector<const LineSums*> lines;
    for (const auto& [place, sums] : kernel.lines) lines.push_back(&sums);
    std::ranges::stable_sort(lines, std::ranges::greater(), &LineSums::stalled);
    lines.resize(std::min(lines.size(), kMaxLines));
    const auto share = [&](std::int64_t samples) {
      return double(samples) / std::max(double(kernel.totals.kernel_samples), 1.);
    };
    for (const LineSums* const sums : lines) {
      StallLine& line = to.emplace_back(kernel.totals);
      line.place = place_text(sums->row);
      line.text = report_.string(text_[sums->row]);
      line.has_line = line_[sums->row] > 0 ? 1 : 0;
      line.stalled = sums->stalled, line.sectors = sums->sectors, line.needed = sums->needed;
      std::vector<std::size_t> order(reasons_.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t s) { return sums->by_reason[s]; });
      for (std::size_t s = 0; s < std::min<std::size_t>(order.size(), 3); ++s) {
        const double part = share(sums->by_reason[order[s]]);
        if (part >= kWorthSaying)
          line.reasons += filled("{}{} {}", {s == 0 ? "" : ", ", percent(part, 0), reasons_[order[s]]});
      }
      const auto most = std::ranges::max_element(sums->waits, {}, [](const auto& one) { return one.second.first; });
      if (most == sums->waits.end() || share(most->second.first) < kWorthSaying) continue;
      const std::size_t setter = most->second.second;
      line.waits_for = (line_[setter] > 0 ? opcode_of(setter) + " at " : "") + place_text(setter);
    }
  }

  const Report& report_;
  const DeclaredTable& table_;
  Column<StringId> kernel_ = table_.texts("kernel"), file_ = table_.texts("file"), text_ = table_.texts("text"),
                   opcode_ = table_.texts("opcode");
  Column<std::int64_t> launch_ = table_.integers("launch"), address_ = table_.integers("address"),
                       line_ = table_.integers("line"), waits_for_ = table_.integers("waits_for"),
                       samples_ = table_.integers("samples"), sectors_ = table_.integers("sectors"),
                       needed_ = table_.integers("sectors_needed");
  std::vector<std::string> reasons_;
  std::vector<Column<std::int64_t>> samples_by_reason_;
  std::map<StringId, KernelSums> kernels_;  ///< by name; ids grow in the order of the launches
  std::vector<std::int64_t> offset_;        ///< by row, in the kernel
};

/// Calls `use(name, unit, member)` for each member.
void each_column(auto&& use) {
  use("kernel", "", &StallLine::kernel), use("short_name", "", &StallLine::short_name);
  use("bound", "", &StallLine::bound);
  use("kernel_samples", "1", &StallLine::kernel_samples), use("kernel_sectors", "1", &StallLine::kernel_sectors);
  use("duration", "ns", &StallLine::duration), use("interval", "1", &StallLine::interval);
  use("place", "", &StallLine::place), use("text", "", &StallLine::text), use("reasons", "", &StallLine::reasons);
  use("waits_for", "", &StallLine::waits_for), use("has_line", "1", &StallLine::has_line);
  use("stalled", "1", &StallLine::stalled), use("sectors", "1", &StallLine::sectors),
      use("needed", "1", &StallLine::needed);
}

}  // namespace

void each_member(const StallLine*, auto&& use) {
  each_column([&](const char* name, const char*, auto member) { use(name, member); });
}

std::vector<StallLine> lines_of(const Report& report) {
  const DeclaredTable* const table = report.table("source");
  return table == nullptr ? std::vector<StallLine>() : SourceTable(report, *table).lines();
}

std::vector<StallKernel> kernels_of(const std::vector<StallLine>& lines) {
  std::vector<StallKernel> kernels;
  for (auto begin = lines.begin(); begin != lines.end();) {
    const auto end =
        std::find_if(begin, lines.end(), [&](const StallLine& line) { return line.kernel != begin->kernel; });
    kernels.emplace_back(begin, end);
    begin = end;
  }
  return kernels;
}

void emit_rows(const std::vector<StallLine>& lines, ReportSink& sink) {
  Table table("lines", "Lines of kernels, by samples that stall");
  each_column([&](const char* name, const char* unit, auto member) { table.column(name, unit, lines, member); });
  sink.table(table);
  sink.study_rows(table);
}

std::vector<StallLine> lines_from_rows(const StudyView& view, std::size_t report) {
  return crossing::rows_of<StallLine>(view.rows(report, "stall_lines", "lines"));
}

}  // namespace assay::stall_lines
