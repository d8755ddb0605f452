#include "lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "assay/words.hpp"

namespace assay::stall_lines {
namespace {

struct StallReason {
  const char* column;
  const char* words;
};
constexpr StallReason kReasons[] = {{"stall_long_sb", "long scoreboard"},
                                    {"stall_mio", "MIO throttle"},
                                    {"stall_lg", "LG throttle"},
                                    {"stall_short_sb", "short scoreboard"},
                                    {"stall_barrier", "barrier"},
                                    {"stall_membar", "memory barrier"},
                                    {"stall_math", "math pipe throttle"},
                                    {"stall_wait", "wait"},
                                    {"stall_not_selected", "not selected"},
                                    {"stall_no_inst", "no instruction"},
                                    {"stall_imc", "constant cache miss"},
                                    {"stall_drain", "drain"},
                                    {"stall_dispatch", "dispatch"},
                                    {"stall_branch_resolving", "branch resolving"},
                                    {"stall_tex", "texture throttle"},
                                    {"stall_sleep", "sleeping"},
                                    {"stall_warpgroup_arrive", "warpgroup arrive"},
                                    {"stall_misc", "misc"}};

/// File and line; without a line 0 and the offset in the kernel.
using Place = std::pair<StringId, std::int64_t>;

struct LineSums {
  StallLine line;
  std::array<std::int64_t, std::size(kReasons)> by_reason{};
  std::map<std::string, std::int64_t> waits;  ///< samples by what they wait for
};

/// Reads the table of one report.
class SourceTable {
 public:
  SourceTable(const Report& report, const DeclaredTable& table) : report_(report), table_(table) {
    for (const StallReason& reason : kReasons) reasons_.push_back(table.integers(reason.column));
  }

  std::vector<StallKernel> kernels() {
    std::int64_t base = 0;
    for (std::size_t r = 0; r < table_.rows; ++r) {
      const auto [at, is_new] = rows_.try_emplace(kernel_[r], kernels_.size());
      if (is_new) kernels_.emplace_back().name = report_.string(kernel_[r]);
      StallKernel& kernel = kernels_[at->second];
      if (is_new) sums_.emplace_back();
      if (r == 0 || kernel_[r] != kernel_[r - 1] || launch_[r] != launch_[r - 1]) {
        base = address_[r];
      }
      offset_.push_back(address_[r] - base);
      add(r, kernel, sums_[at->second][place_of(r)]);
    }
    for (std::size_t k = 0; k < kernels_.size(); ++k) finish(k);
    set_means("gpu__time_duration.sum", &StallKernel::duration);
    set_means("smsp__pcsamp_interval_cycles", &StallKernel::interval);
    return std::move(kernels_);
  }

 private:
  [[nodiscard]] Place place_of(std::size_t r) const {
    return line_[r] > 0 ? Place(file_[r], line_[r]) : Place(0, offset_[r]);
  }
  [[nodiscard]] std::string text_of_place(std::size_t r) const {
    if (line_[r] <= 0)
      return filled("{} at {}", {opcode_of(r), printed("+0x%llx", static_cast<unsigned long long>(offset_[r]))});
    const std::string_view file = report_.string(file_[r]);
    return filled("{}:{}", {file.substr(file.rfind('/') + 1), std::to_string(line_[r])});
  }
  [[nodiscard]] std::string opcode_of(std::size_t r) const {
    const std::string_view opcode = report_.string(opcode_[r]), instruction = report_.string(instruction_[r]);
    return std::string(!instruction.empty() ? instruction : !opcode.empty() ? opcode : "instruction");
  }

  void add(std::size_t r, StallKernel& kernel, LineSums& sums) {
    const auto known = [&](const Column<std::int64_t>& column) {
      return column.present() ? std::max<std::int64_t>(column[r], 0) : 0;
    };
    StallLine& line = sums.line;
    if (line.place.empty()) {
      line.place = text_of_place(r);
      line.text = report_.string(text_[r]);
      line.has_line = line_[r] > 0 ? 1 : 0;
    }
    kernel.samples += known(samples_);
    kernel.sectors += known(sectors_);
    kernel.needed += known(needed_);
    line.samples += known(samples_);
    line.sectors += known(sectors_);
    line.needed += known(needed_);
    std::int64_t scoreboard = 0;
    for (std::size_t s = 0; s < reasons_.size(); ++s) {
      sums.by_reason[s] += known(reasons_[s]);
      line.stalled += known(reasons_[s]);
      if (std::string_view(kReasons[s].column).ends_with("_sb")) scoreboard += known(reasons_[s]);
    }
    if (scoreboard == 0 || waits_for_[r] < 0 || static_cast<std::size_t>(waits_for_[r]) >= r) return;
    const auto producer = static_cast<std::size_t>(waits_for_[r]);
    sums.waits[line_[producer] > 0 ? filled("{} at {}", {opcode_of(producer), text_of_place(producer)})
                                   : text_of_place(producer)] += scoreboard;
  }

  void finish(std::size_t k) {
    StallKernel& kernel = kernels_[k];
    for (auto& [place, sums] : sums_[k]) {
      const auto share = [&](std::int64_t samples) { return share_of(samples, kernel); };
      std::vector<std::size_t> order;
      for (std::size_t s = 0; s < reasons_.size(); ++s)
        if (share(sums.by_reason[s]) >= kWorthSaying) order.push_back(s);
      std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t s) { return sums.by_reason[s]; });
      order.resize(std::min<std::size_t>(order.size(), 3));
      for (const std::size_t s : order)
        sums.line.reasons += filled("{}{} {}", {sums.line.reasons.empty() ? "" : ", ",
                                                percent(share(sums.by_reason[s]), 0), kReasons[s].words});
      const auto most = std::ranges::max_element(sums.waits, {}, [](const auto& one) { return one.second; });
      if (most != sums.waits.end() && share(most->second) >= kWorthSaying) sums.line.waits_for = most->first;
      sums.line.kernel = static_cast<std::int64_t>(k);
      kernel.lines.push_back(std::move(sums.line));
    }
    std::ranges::stable_sort(kernel.lines, std::ranges::greater(), &StallLine::stalled);
    kernel.lines.resize(std::min(kernel.lines.size(), kMaxLines));
  }

  /// Sets `to` to the mean of a counter over the launches of each kernel; NaN: it was not measured.
  void set_means(std::string_view counter, double StallKernel::* to) {
    std::vector<double> launches(kernels_.size());
    for (std::size_t c = 0; report_.counters != nullptr && report_.profiled != nullptr && c < report_.counters->rows;
         ++c) {
      if (report_.string(report_.counters->name[c]) != counter) continue;
      const auto at = rows_.find(report_.profiled->name[report_.counters->profiled[c]]);
      if (at == rows_.end()) continue;
      kernels_[at->second].*to += report_.counters->value[c];
      kernels_[at->second].short_name = report_.string(report_.profiled->short_name[report_.counters->profiled[c]]);
      ++launches[at->second];
    }
    for (std::size_t k = 0; k < kernels_.size(); ++k) kernels_[k].*to /= launches[k];  // 0 / 0: NaN
  }

  const Report& report_;
  const DeclaredTable& table_;
  Column<StringId> kernel_ = table_.texts("kernel"), file_ = table_.texts("file"), text_ = table_.texts("text"),
                   opcode_ = table_.texts("opcode"), instruction_ = table_.texts("instruction");
  Column<std::int64_t> launch_ = table_.integers("launch"), address_ = table_.integers("address"),
                       line_ = table_.integers("line"), waits_for_ = table_.integers("waits_for"),
                       samples_ = table_.integers("samples"), sectors_ = table_.integers("sectors"),
                       needed_ = table_.integers("sectors_needed");
  std::vector<Column<std::int64_t>> reasons_;
  std::map<StringId, std::size_t> rows_;  ///< of kernels_, by name
  std::vector<StallKernel> kernels_;
  std::vector<std::map<Place, LineSums>> sums_;
  std::vector<std::int64_t> offset_;  ///< by row, in the kernel
};

/// Calls `use(name, member)` for each member that crosses.
void each_member(const StallLine*, auto&& use) {
  use("kernel", &StallLine::kernel), use("place", &StallLine::place), use("text", &StallLine::text),
      use("reasons", &StallLine::reasons), use("waits_for", &StallLine::waits_for),
      use("has_line", &StallLine::has_line), use("samples", &StallLine::samples), use("stalled", &StallLine::stalled),
      use("sectors", &StallLine::sectors), use("needed", &StallLine::needed);
}
void each_member(const StallKernel*, auto&& use) {
  use("name", &StallKernel::name), use("short_name", &StallKernel::short_name), use("samples", &StallKernel::samples),
      use("sectors", &StallKernel::sectors), use("needed", &StallKernel::needed),
      use("duration", &StallKernel::duration), use("interval", &StallKernel::interval);
}

template <class T>
void emit_table(const char* id, const std::vector<T>& rows, ReportSink& sink) {
  Table table(id, id);
  each_member(static_cast<const T*>(nullptr),
              [&](const char* name, auto member) { table.column(name, "", rows, member); });
  sink.study_rows(table);
}

template <class T>
std::vector<T> rows_of(const RowsView& view) {
  std::vector<T> rows;
  const auto fill = [&](auto cells, auto member, auto&& value_of) {
    rows.resize(cells.size());
    for (std::size_t r = 0; r < cells.size(); ++r) rows[r].*member = value_of(cells[r]);
  };
  each_member(static_cast<const T*>(nullptr), [&](const char* name, auto member) {
    using Cell = std::remove_reference_t<decltype(std::declval<T&>().*member)>;
    if constexpr (std::is_same_v<Cell, std::string>)
      fill(view.texts(name), member, [](const Str& text) { return std::string(text.view()); });
    else if constexpr (std::is_same_v<Cell, double>)
      fill(view.numbers(name), member, [](double value) { return value; });
    else
      fill(view.integers(name), member, [](std::int64_t value) { return value; });
  });
  return rows;
}

}  // namespace

std::vector<StallKernel> kernels_of(const Report& report) {
  const DeclaredTable* const table = report.table("source");
  return table == nullptr ? std::vector<StallKernel>() : SourceTable(report, *table).kernels();
}

void emit_rows(const std::vector<StallKernel>& kernels, ReportSink& sink) {
  std::vector<StallLine> lines;
  for (const StallKernel& kernel : kernels) lines.insert(lines.end(), kernel.lines.begin(), kernel.lines.end());
  emit_table("kernels", kernels, sink);
  emit_table("lines", lines, sink);
}

std::vector<StallKernel> kernels_from_rows(const StudyView& view, std::size_t report) {
  auto kernels = rows_of<StallKernel>(view.rows(report, "stall_lines", "kernels"));
  for (StallLine& line : rows_of<StallLine>(view.rows(report, "stall_lines", "lines")))
    kernels.at(static_cast<std::size_t>(line.kernel)).lines.push_back(std::move(line));
  return kernels;
}

}  // namespace assay::stall_lines
