#include "assay/testing/report_counters.hpp"

namespace assay::testing {

Row ProfiledRows::add(std::string name, ProfiledOptions options) {
  if (options.short_name.empty()) options.short_name = name.substr(0, name.find_first_of("<("));
  if (options.id == kNone) options.id = static_cast<std::int64_t>(added_.size());
  added_.push_back({std::move(name), std::move(options)});
  return static_cast<Row>(added_.size() - 1);
}

void ProfiledRows::add_counter(Row profiled, std::string name, double value, CounterOptions options) {
  if (std::isnan(value)) throw std::invalid_argument("a counter is never NaN");
  if (static_cast<std::size_t>(profiled) >= added_.size()) throw std::out_of_range("a counter of no profiled launch");
  counters_.push_back({profiled, std::move(name), value, std::move(options)});
}

Row ProfiledRows::group_of(Row row) const {
  if (row == kNone) return kNone;
  const AddedLaunch& self = added_.at(static_cast<std::size_t>(row));
  Row first = 0;
  while (!same_group(added_[static_cast<std::size_t>(first)], self)) ++first;
  return first;
}

ProfiledTable ProfiledRows::table(ColumnPool& pool, const Intern& intern) const {
  const auto cells = [&]<class T>(T, auto&& get) {
    std::vector<T> out;
    for (const AddedLaunch& row : added_) out.push_back(get(row));
    return pool.keep(std::move(out));
  };
  const auto size = [&](auto dim, auto axis) {
    return cells(std::int32_t{}, [=](const AddedLaunch& row) { return row.options.*dim.*axis; });
  };
  const auto number = [&](auto member) {
    return cells(std::int32_t{}, [=](const AddedLaunch& row) { return row.options.*member; });
  };
  ProfiledTable t;
  t.rows = added_.size();
  t.id = cells(std::int64_t{}, [](const AddedLaunch& row) { return row.options.id; });
  t.process = cells(std::int64_t{}, [](const AddedLaunch& row) { return row.options.process; });
  t.name = cells(StringId{}, [&](const AddedLaunch& row) { return intern(row.name); });
  t.short_name = cells(StringId{}, [&](const AddedLaunch& row) { return intern(row.options.short_name); });
  t.grid_x = size(&ProfiledOptions::grid, &Dim3::x);
  t.block_x = size(&ProfiledOptions::block, &Dim3::x);
  t.grid_y = size(&ProfiledOptions::grid, &Dim3::y);
  t.block_y = size(&ProfiledOptions::block, &Dim3::y);
  t.grid_z = size(&ProfiledOptions::grid, &Dim3::z);
  t.block_z = size(&ProfiledOptions::block, &Dim3::z);
  t.device = number(&ProfiledOptions::device);
  t.context = number(&ProfiledOptions::context);
  t.stream = number(&ProfiledOptions::stream);
  std::vector<Row> groups;
  for (Row row = 0; row < static_cast<Row>(added_.size()); ++row) groups.push_back(group_of(row));
  t.group = pool.keep(std::move(groups));
  return t;
}

CounterTable ProfiledRows::counters(ColumnPool& pool, const Intern& intern) const {
  std::vector<AddedCounter> sorted = counters_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const AddedCounter& a, const AddedCounter& b) { return a.profiled < b.profiled; });
  std::vector<Row> rows;
  std::vector<StringId> sections, names, units;
  std::vector<double> values;
  for (const AddedCounter& counter : sorted) {
    rows.push_back(counter.profiled);
    sections.push_back(intern(counter.options.section));
    names.push_back(intern(counter.name));
    units.push_back(intern(counter.options.unit));
    values.push_back(counter.value);
  }
  return {sorted.size(),
          pool.keep(std::move(rows)),
          pool.keep(std::move(sections)),
          pool.keep(std::move(names)),
          pool.keep(std::move(units)),
          pool.keep(std::move(values))};
}

bool ProfiledRows::same_group(const AddedLaunch& a, const AddedLaunch& b) {
  const auto shape = [](const ProfiledOptions& o) {
    return std::tuple(o.grid.x, o.grid.y, o.grid.z, o.block.x, o.block.y, o.block.z);
  };
  return a.name == b.name && shape(a.options) == shape(b.options);
}

}  // namespace assay::testing
