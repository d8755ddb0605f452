#include "formats/ncu/read_ncu.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "assay/detail/text.hpp"
#include "formats/ncu/number.hpp"
#include "formats/ncu/text_rows.hpp"

namespace assay::ncu {
namespace {

std::string_view cell(std::span<const std::string> cells, std::optional<std::size_t> column) {
  return column && *column < cells.size() ? std::string_view(cells[*column]) : std::string_view();
}

std::int32_t small_integer(std::string_view text) {
  const auto value = number_in<std::int64_t>(text);
  return value && *value >= 0 && *value <= std::numeric_limits<std::int32_t>::max() ? static_cast<std::int32_t>(*value)
                                                                                    : kNone;
}

/// "(256, 1, 1)"; all kNone for anything else.
std::array<std::int32_t, 3> sizes(std::string_view text) {
  constexpr std::array<std::int32_t, 3> kNothing = {kNone, kNone, kNone};
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return kNothing;
  text = text.substr(1, text.size() - 2);
  std::array<std::int32_t, 3> out = kNothing;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t end = axis < 2 ? text.find(',') : text.size();
    if (end == std::string_view::npos) return kNothing;
    std::string_view part = text.substr(0, end);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    out[axis] = small_integer(part);
    if (out[axis] == kNone) return kNothing;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

/// Sizes of a launch, or where only those are known their products.
struct LaunchShape {
  std::array<std::int32_t, 3> grid = {kNone, kNone, kNone}, block = {kNone, kNone, kNone};
  double blocks = kNone, threads = kNone;
};

/// Counters that contain the shape of a launch if the columns do not.
class ShapeCounters {
 public:
  explicit ShapeCounters(TableSink& out) {
    constexpr std::string_view kSizes[] = {"launch__grid_dim_x",  "launch__grid_dim_y",  "launch__grid_dim_z",
                                           "launch__block_dim_x", "launch__block_dim_y", "launch__block_dim_z"};
    for (std::size_t i = 0; i < std::size(kSizes); ++i) slots_.emplace(out.intern(kSizes[i]), i);
    for (const std::string_view name : {"launch__grid_size", "Grid Size"}) slots_.emplace(out.intern(name), kBlocks);
    for (const std::string_view name : {"launch__block_size", "Block Size"}) slots_.emplace(out.intern(name), kThreads);
  }

  void set_field(LaunchShape& shape, StringId name, double value) const {
    const auto at = slots_.find(name);
    if (at == slots_.end() || value < 0 || value > std::numeric_limits<std::int32_t>::max()) return;
    const std::size_t slot = at->second;
    if (slot == kBlocks) shape.blocks = value;
    if (slot == kThreads) shape.threads = value;
    if (slot < kBlocks) (slot < 3 ? shape.grid : shape.block)[slot % 3] = static_cast<std::int32_t>(value);
  }

 private:
  static constexpr std::size_t kBlocks = 6, kThreads = 7;
  std::unordered_map<StringId, std::size_t> slots_;
};

}  // namespace

void NcuReader::read_csv(const std::filesystem::path& file) {
  const ReadProblems around =
      read_text_rows(file, [&](std::span<const std::string> cells, std::uint64_t line) { read_row(cells, line); });
  if (reading_.rows == 0) {
    constexpr const char* kNothing = "it holds no kernel that Nsight Compute profiled";
    if (!around.error.empty()) throw Unreadable(fmt::format("{}, and Nsight Compute says:{}", kNothing, around.error));
    if (reading_.layout) throw Unreadable(kNothing, "profile again, and look at what ncu prints");
    throw Unreadable(fmt::format("{}; expected the header of `ncu --csv`, \"ID\", \"Process ID\", ...", kNothing));
  }
  resolve_numbers();
  report_problems(around);
}

void NcuReader::read_row(std::span<const std::string> cells, std::uint64_t line) {
  if (auto header = ncu_layout(cells)) {
    reading_.layout = std::move(header);
    ++reading_.headers;
    return;
  }
  if (!reading_.layout || read_units_row(*reading_.layout, cells)) return;
  const NcuLayout& layout = *reading_.layout;
  const auto id = number_in<std::int64_t>(cell(cells, layout.id));
  if (!id || *id < 0 || *id > std::numeric_limits<std::int32_t>::max() || cells.size() < layout.least_cells()) {
    if (reading_.bad_rows++ == 0) reading_.first_bad = line;
    return;
  }
  const Row launch = launch_of(cells, *id);
  ++reading_.rows;
  layout.is_long() ? read_long_row(cells, launch) : read_wide_row(cells, launch);
}

Row NcuReader::launch_of(std::span<const std::string> cells, std::int64_t id) {
  const NcuLayout& layout = *reading_.layout;
  const StringId name = intern(cells[layout.kernel]);
  reading_.nameless += name == 0 ? 1U : 0U;
  // Without process ids, each header starts another run of the profiler.
  const auto process = number_in<std::int64_t>(cell(cells, layout.process));
  const std::int64_t of = process.value_or(-1 - reading_.headers);
  if (const auto known = rows_.find({of, id, name}); known != rows_.end()) return known->second;
  const auto grid = sizes(cell(cells, layout.grid)), block = sizes(cell(cells, layout.block));
  for (const auto& column : {layout.process, layout.device, layout.context, layout.stream})
    reading_.bad_cells += column && small_integer(cell(cells, column)) == kNone ? 1U : 0U;
  reading_.bad_cells += (layout.grid && grid[0] == kNone ? 1U : 0U) + (layout.block && block[0] == kNone ? 1U : 0U);
  return row_of(of, {id, process.value_or(kNone), name, grid, block, small_integer(cell(cells, layout.device)),
                     small_integer(cell(cells, layout.context)), small_integer(cell(cells, layout.stream))});
}

Row NcuReader::row_of(std::int64_t process, const Launch& launch) {
  const auto [at, fresh] = rows_.try_emplace({process, launch.id, launch.name}, static_cast<Row>(launches_.size()));
  if (fresh) launches_.push_back(launch);
  return at->second;
}

void NcuReader::read_long_row(std::span<const std::string> cells, Row launch) {
  const NcuLayout& layout = *reading_.layout;
  const std::string_view name = cell(cells, layout.metric);
  if (name.empty()) {  // the message of a rule
    reading_.numberless += cell(cells, layout.value).empty() ? 0U : 1U;
    return;
  }
  const bool no_section = layout.section && cell(cells, layout.section).empty();
  reading_.numberless += cell(cells, layout.value).empty() || no_section ? 1U : 0U;
  const StringId section = intern(cell(cells, layout.section));
  counter(launch, section, name, cell(cells, layout.unit), cell(cells, layout.value));
}

void NcuReader::read_wide_row(std::span<const std::string> cells, Row launch) {
  for (const NcuLayout::Metric& metric : reading_.layout->metrics) {
    if (metric.column < cells.size()) counter(launch, 0, metric.name, metric.unit, cells[metric.column]);
  }
}

void NcuReader::counter(Row launch, StringId section, std::string_view name, std::string_view unit,
                        std::string_view text) {
  const bool not_available = text == "n/a" || text == "N/A" || text == "nan";
  reading_.not_available += not_available ? 1 : 0;
  const PrintedNumber number = printed_number(text);
  if (!number.is_number()) {
    reading_.numberless += !unit.empty() && !text.empty() && !not_available ? 1U : 0U;  // words have no unit
    if (unit.empty() && !text.empty() && !not_available) word(name, text);
    return;
  }
  // A number in place of a unit means shifted or damaged cells.
  reading_.numberless += printed_number(unit).is_number() ? 1U : 0U;
  reading_.with_unit += unit.empty() ? 0U : 1U;
  auto known = units_.find(unit);
  if (known == units_.end()) known = units_.emplace(std::string(unit), base_unit(unit)).first;
  const BaseUnit& base = known->second;
  reading_.point_seen = reading_.point_seen || !number.comma;
  reading_.comma_seen = reading_.comma_seen || !number.point;
  if (number.ambiguous()) reading_.ambiguous.push_back({counters_.size(), *number.comma * base.factor});
  push(launch, section, intern(name), intern(base.name), (number.point ? *number.point : *number.comma) * base.factor);
}

/// A setting of the launch, such as launch__func_cache_config. The kernel name has a column of its own.
void NcuReader::word(std::string_view name, std::string_view text) {
  constexpr std::size_t kMaxWords = 1000, kLongest = 200;
  if (words_.size() < kMaxWords && name != "launch__kernel_name")
    words_.emplace(name, std::string(text.substr(0, kLongest)));
}

void NcuReader::push(Row launch, StringId section, StringId name, StringId unit, double value) {
  counters_.push_back({launch, section, name, unit, value});
}

/// "1,234" means one thousand or more unless the rest of the file shows that ',' is its decimal sign.
void NcuReader::resolve_numbers() {
  if (!reading_.comma_seen) return;
  if (!reading_.point_seen) {
    for (const Ambiguous& number : reading_.ambiguous) counters_[number.counter].value = number.comma;
  } else if (!reading_.ambiguous.empty()) {
    out_.issue("ncu_mixed_numbers", Severity::kWarning, static_cast<std::int64_t>(reading_.ambiguous.size()),
               fmt::format("'{}' writes decimals both with '.' and with ','; in ambiguous numbers, such as 1,234, ',' "
                           "was read as the thousands separator.",
                           reading_.name));
  }
}

void NcuReader::issue(const char* name, Severity severity, std::uint64_t count, const std::string& text) {
  if (count == 0) return;
  out_.issue(name, severity, static_cast<std::int64_t>(count), fmt::format("'{}' {}", reading_.name, text));
}

void NcuReader::report_problems(const ReadProblems& around) {
  issue("ncu_error", Severity::kWarning, around.errors, fmt::format("holds errors of Nsight Compute:{}", around.error));
  issue("ncu_broken_rows", Severity::kWarning, around.broken,
        fmt::format(
            "has {} rows whose quotes do not match or that hold a NUL byte, the first in line {}; they are left out.",
            around.broken, around.first_broken));
  issue(
      "ncu_bad_rows", Severity::kWarning, static_cast<std::uint64_t>(reading_.bad_rows),
      fmt::format("has {} rows without a number as ID or with too few cells, the first in line {}; they are left out.",
                  reading_.bad_rows, reading_.first_bad));
  issue("ncu_missing_names", Severity::kError, reading_.nameless,
        fmt::format("has {} rows that name no kernel.", reading_.nameless));
  issue("ncu_bad_cells", Severity::kError, reading_.bad_cells,
        fmt::format("has {} launches whose process, device, stream, grid or block is none.", reading_.bad_cells));
  issue("ncu_bad_cells", Severity::kError, reading_.numberless,
        fmt::format("has {} counters without name, value or unit, or with words in their place; they are left out.",
                    reading_.numberless));
  const NcuLayout& layout = *reading_.layout;
  const bool without_units = layout.is_long() && (!layout.unit || reading_.with_unit == 0);
  const bool half_long = !layout.is_long() && (layout.metric || layout.value || layout.unit || layout.section);
  const bool lacking = half_long || !layout.process || !layout.context || !layout.stream || without_units ||
                       layout.grid.has_value() != layout.block.has_value() || (layout.is_long() && !layout.section);
  issue("ncu_missing_columns", Severity::kError, lacking ? 1 : 0,
        "lacks columns that every version of ncu prints (processes, streams, sizes, sections or units), so what rests "
        "on them is unknown or scaled wrongly; export it again.");
  issue("ncu_cut_off", Severity::kWarning, around.cut_off ? 1 : 0,
        "ends inside a row; the profiler was stopped, or the file was copied incompletely.");
  issue("ncu_not_available", Severity::kInfo, static_cast<std::uint64_t>(reading_.not_available),
        fmt::format("has {} counters without a value (n/a): this device or version has none.", reading_.not_available));
}

/// The details page and the command line may both request a metric, and one result may occur in two files.
void NcuReader::drop_repeated() {
  std::vector<std::uint32_t> order(counters_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(counters_[a].key(), a) < std::tuple(counters_[b].key(), b);
  });
  std::int64_t conflicts = 0;
  std::vector<bool> repeated(counters_.size());
  const Counter* kept = nullptr;
  for (const std::uint32_t row : order) {
    const Counter& counter = counters_[row];
    repeated[row] = kept != nullptr && kept->key() == counter.key();
    if (!repeated[row])
      kept = &counter;
    else if (kept->value != counter.value)
      ++conflicts;
  }
  std::erase_if(order, [&](std::uint32_t row) { return repeated[row]; });
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(counters_[a].launch, a) < std::tuple(counters_[b].launch, b);
  });
  Tables tables(out_);
  auto to = tables.rows<CounterTable>(col::counters, order.size());
  const auto fill = [&](auto column, auto of) {
    const auto cells = to[column];
    for (std::size_t i = 0; i < order.size(); ++i) cells[i] = counters_[order[i]].*of;
  };
  fill(&CounterTable::profiled, &Counter::launch);
  fill(&CounterTable::section, &Counter::section);
  fill(&CounterTable::name, &Counter::name);
  fill(&CounterTable::unit, &Counter::unit);
  fill(&CounterTable::value, &Counter::value);
  if (conflicts == 0) return;
  out_.issue("ncu_conflict", Severity::kWarning, conflicts,
             fmt::format("{} counters appear twice for one launch with different values; the first value was used.",
                         conflicts));
}

void NcuReader::fill_launches() {
  std::vector<LaunchShape> shapes(launches_.size());
  const ShapeCounters shape_counters(out_);
  for (const Counter& counter : counters_)
    shape_counters.set_field(shapes[static_cast<std::size_t>(counter.launch)], counter.name, counter.value);
  Tables tables(out_);
  auto to = tables.rows<ProfiledTable>(col::profiled, launches_.size());
  const auto fill = [&](auto column, auto of) {
    const auto cells = to[column];
    for (std::size_t i = 0; i < launches_.size(); ++i) cells[i] = launches_[i].*of;
  };
  fill(&ProfiledTable::id, &Launch::id);
  fill(&ProfiledTable::process, &Launch::process);
  fill(&ProfiledTable::name, &Launch::name);
  fill(&ProfiledTable::device, &Launch::device);
  fill(&ProfiledTable::context, &Launch::context);
  fill(&ProfiledTable::stream, &Launch::stream);
  const auto blocks = tables.links<double>(col::profiled, LinkColumn::kBlocks, launches_.size());
  const auto threads = tables.links<double>(col::profiled, LinkColumn::kThreads, launches_.size());
  const std::span<std::int32_t> sizes[] = {to[&ProfiledTable::grid_x],  to[&ProfiledTable::grid_y],
                                           to[&ProfiledTable::grid_z],  to[&ProfiledTable::block_x],
                                           to[&ProfiledTable::block_y], to[&ProfiledTable::block_z]};
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    LaunchShape& shape = shapes[i];
    if (launches_[i].grid[0] != kNone) shape.grid = launches_[i].grid;
    if (launches_[i].block[0] != kNone) shape.block = launches_[i].block;
    for (auto* size : {&shape.grid, &shape.block}) {
      if (std::ranges::find(*size, kNone) != size->end()) size->fill(kNone);
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      sizes[axis][i] = shape.grid[axis];
      sizes[3 + axis][i] = shape.block[axis];
    }
    blocks[i] = shape.blocks;
    threads[i] = shape.threads;
  }
}

void NcuReader::finish() {
  if (source_) source_->finish();
  fill_launches();
  drop_repeated();
  for (const auto& [name, text] : words_) out_.add_property("ncu." + name, text);
}

}  // namespace assay::ncu
