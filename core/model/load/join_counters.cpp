// Joins counters that a format read separately to the profile of the same run.
#include <fmt/core.h>

#include "assay/detail/columns.hpp"
#include "load/clean.hpp"
#include "load/format.hpp"
#include "load/launch.hpp"
#include "load/store.hpp"

namespace assay::load {
namespace {

/// Appends the rows of one table to another, translating texts by `text_of`. A column that one of them lacks is filled
/// with empty values.
template <class Rows>
void append(Rows& to, Rows& from, const std::vector<StringId>& text_of) {
  const std::size_t before = to.rows(), more = from.rows();
  std::vector<void*> columns;
  to.each([&](auto& column) { columns.push_back(&column); });
  std::size_t at = 0;
  from.each([&]<class T>(OwnedColumn<T>& added) {
    OwnedColumn<T>& column = *static_cast<OwnedColumn<T>*>(columns[at++]);
    if (!column.present()) column.assign(before, no_value<T>());
    for (std::size_t row = 0; row < more; ++row) {
      const T value = added.present() ? added[row] : no_value<T>();
      if constexpr (std::is_same_v<T, StringId>)
        column.push(text_of[value]);
      else
        column.push(value);
    }
  });
}

void append(Profile::Store& store, Profile::Store& part) {
  if (!part.profiled || !part.counters) return;
  std::vector<StringId> text_of;
  for (const Str text : part.strings.all()) text_of.push_back(store.strings.intern(text.view()));
  const auto first = static_cast<Row>(store.profiled->rows());
  for (Row& profiled : part.counters->profiled.values()) profiled += first;
  append(*store.profiled, *part.profiled, text_of);
  append(*store.counters, *part.counters, text_of);
}

std::vector<LaunchShape> shapes_of(const ProfiledRows& launches) {
  std::vector<LaunchShape> shapes(launches.rows());
  const bool sized = launches.grid_x.present() && launches.block_x.present();
  for (std::size_t i = 0; sized && i < shapes.size(); ++i) {
    shapes[i].grid = {launches.grid_x[i], launches.grid_y[i], launches.grid_z[i]};
    shapes[i].block = {launches.block_x[i], launches.block_y[i], launches.block_z[i]};
    shapes[i] = with_products(shapes[i]);
  }
  return shapes;
}

}  // namespace

void Format::join(Profile::Store& store, std::span<const std::filesystem::path> files,
                  const WantedColumns& wanted) const {
  const std::set<ColumnId> columns = {col::profiled, col::counters};
  const WantedColumns both(columns);
  bool any = false;
  for (const std::filesystem::path& file : files) {
    const auto part = load({file, file.filename().string(), both, 1, Reader::kDirect, {}});
    if (!part) {
      store.issues.push_back({"counters_unreadable", Severity::kError, 0, part.error().sentence + "."});
      continue;
    }
    if (!any) {
      store.profiled.emplace();
      store.counters.emplace();
    }
    any = true;
    append(store, **part);
  }
  if (!any) return;
  store.profiled->group.drop();
  store.profiled->short_name.drop();
  store.profiled->group.make_present(0);
  store.profiled->short_name.make_present(0);
  const LaunchGroups groups = group_launches(*store.profiled, shapes_of(*store.profiled), store.strings);
  if (wanted.column(col::kernel_profiled)) match_kernels(store, groups, kind.word);
}

}  // namespace assay::load
