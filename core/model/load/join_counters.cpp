// Joins counters that a format read separately to the profile of the same run.
#include <algorithm>
#include <iterator>

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
  std::ranges::move(part.issues, std::back_inserter(store.issues));
  std::ranges::move(part.properties, std::back_inserter(store.properties));
  if (!part.profiled || !part.counters) return;
  if (!store.profiled) store.profiled.emplace();
  if (!store.counters) store.counters.emplace();
  std::vector<StringId> text_of;
  for (const Str text : part.strings.all()) text_of.push_back(store.strings.intern(text.view()));
  const auto first = static_cast<Row>(store.profiled->rows());
  for (Row& profiled : part.counters->profiled.values()) profiled += first;
  append(*store.profiled, *part.profiled, text_of);
  append(*store.counters, *part.counters, text_of);
}

}  // namespace

void Format::join(Profile::Store& store, std::span<const std::filesystem::path> files,
                  const WantedColumns& wanted) const {
  std::set<ColumnId> columns = {col::profiled, col::counters};
  if (wanted.table(col::properties)) columns.insert(col::properties);
  const WantedColumns asked(columns);
  const auto join_one = [&](const std::filesystem::path& file, std::span<const std::filesystem::path> also) {
    const auto part = load({file, file.filename().string(), asked, 1, Reader::kDirect, also});
    if (!part)
      store.issues.push_back(
          {std::string(kind.word) + "_unreadable", Severity::kError, 0, part.error().sentence + "."});
    else
      append(store, **part);
  };
  if (pages && !files.empty())
    join_one(files.front(), files.subspan(1));
  else
    for (const std::filesystem::path& file : files) join_one(file, {});
  group_counters(store, wanted, kind.word);
}

}  // namespace assay::load
