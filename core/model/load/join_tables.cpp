#include "load/join_tables.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <optional>

#include "load/clean.hpp"
#include "load/format.hpp"
#include "load/stored_columns.hpp"

namespace assay::load {
namespace {

/// Time 0 of a file in ns since the epoch; empty if it is not stated.
std::optional<std::int64_t> origin_of(const Profile::Store& store) {
  for (const Property& property : store.properties) {
    std::int64_t origin = 0;
    if (property.name != "origin_ns") continue;
    const char* const end = property.value.data() + property.value.size();
    if (std::from_chars(property.value.data(), end, origin).ec == std::errc() && is_time(origin)) return origin;
  }
  return std::nullopt;
}

struct TimeRange {
  std::int64_t begin = std::numeric_limits<std::int64_t>::max(), end = std::numeric_limits<std::int64_t>::min();
  void add(const auto& times) {
    for (const std::int64_t time : times.values()) {
      begin = std::min(begin, time);
      end = std::max(end, time);
    }
  }
  [[nodiscard]] bool meets(const TimeRange& other) const { return begin <= other.end && other.begin <= end; }
};

/// Calls `use` with every time column of declared tables and allocations.
template <class Use>
void each_time(Profile::Store& store, Use&& use) {
  if (store.allocations) use(store.allocations->time);
  for (DeclaredTableRows& table : store.declared) {
    for (DeclaredCells& column : table.columns) {
      const CellRole role = column.spec->role;
      if (role == CellRole::kTime || role == CellRole::kBegin || role == CellRole::kEnd) use(column.integers);
    }
  }
}

TimeRange extent_of_events(Profile::Store& store) {
  TimeRange extent;
  each_fillable(store, [&](auto, ColumnId, std::string_view, auto& rows) {
    if constexpr (requires { rows->start, rows->end; }) {
      if (rows) {
        extent.add(rows->start);
        extent.add(rows->end);
      }
    }
  });
  return extent;
}

/// Row of the profile's threads by row of those of a file: of equal ids, also of the process if the file states it.
std::vector<std::int64_t> thread_rows(const Threads& own, const Threads& part) {
  const auto process_id = [](const Threads& of, std::size_t thread) {
    return of.process_ids()[of.process_of_thread(static_cast<std::uint32_t>(thread))];
  };
  std::map<std::int64_t, std::size_t> of_id;
  for (std::size_t t = 0; t < own.thread_count(); ++t) of_id.emplace(own.thread_ids()[t], t);
  std::vector<std::int64_t> rows;
  for (std::size_t t = 0; t < part.thread_count(); ++t) {
    const auto known = of_id.find(part.thread_ids()[t]);
    const std::int64_t process = process_id(part, t);
    const bool same =
        known != of_id.end() && known->first >= 0 && (process < 0 || process == process_id(own, known->second));
    rows.push_back(same ? static_cast<std::int64_t>(known->second) : std::int64_t{kNone});
  }
  return rows;
}

/// Adapts the cells of a joined table: texts move to the pool of the profile, references to tables that are not joined
/// become none.
void adopt(DeclaredTableRows& table, const Profile::Store& part, std::span<const StringId> text_of,
           std::span<const std::int64_t> thread_of) {
  for (DeclaredCells& column : table.columns) {
    for (StringId& text : column.texts.values()) text = text_of[text];
    const Str of = column.spec->of;
    if (of == Str("threads")) {
      for (std::int64_t& row : column.integers.values())
        row = row < 0 ? kNone : thread_of[static_cast<std::size_t>(row)];
      continue;
    }
    const bool joined = of == Str("allocations") || std::ranges::any_of(part.declared, [&](const auto& other) {
                          return other.spec == nullptr || other.spec->name == of;
                        });
    if (column.spec->role == CellRole::kRow && !joined) std::ranges::fill(column.integers.values(), kNone);
  }
}

/// Why a file is not joined, as the end of a sentence; empty if it is.
std::string join(Profile::Store& store, Profile::Store& part) {
  const std::optional<std::int64_t> of_profile = origin_of(store), of_part = origin_of(part);
  if (!of_profile || !of_part) return "one of the two does not say when its time 0 was";
  std::int64_t later = 0;
  if (__builtin_sub_overflow(*of_part, *of_profile, &later) || !is_time(later)) return "it is of another time";
  TimeRange own;
  each_time(part, [&](auto& times) {
    for (std::int64_t& time : times.values()) time += later;
    own.add(times);
  });
  const TimeRange events = extent_of_events(store);
  if (own.begin <= own.end && events.begin <= events.end && !own.meets(events))
    return fmt::format(
        "it is of another time ({:.1f} s {})",
        static_cast<double>(own.begin > events.end ? own.begin - events.end : events.begin - own.end) / 1e9,
        own.begin > events.end ? "later" : "earlier");
  std::vector<StringId> text_of;
  for (const Str text : part.strings.all()) text_of.push_back(store.strings.intern(text.view()));
  const std::vector<std::int64_t> thread_of = thread_rows(store.threads, part.threads);
  for (DeclaredTableRows& table : part.declared) adopt(table, part, text_of, thread_of);
  for (DeclaredTableRows& table : part.declared) {
    std::erase_if(store.declared, [&](const auto& other) { return other.spec->name == table.spec->name; });
    store.declared.push_back(std::move(table));
  }
  if (part.allocations) {
    part.allocations->thread.drop();  // a thread of the other file
    store.allocations = std::move(part.allocations);
  }
  for (Issue& issue : part.issues) store.issues.push_back(std::move(issue));
  return {};
}

}  // namespace

void join_tables(Profile::Store& store, std::span<const std::filesystem::path> files, const WantedColumns& wanted,
                 unsigned threads) {
  std::set<ColumnId> columns;
  for (const ColumnId table : {col::allocations, col::declared}) {
    if (wanted.table(table)) columns.insert(table);
  }
  if (columns.empty()) return;
  columns.insert(col::properties);
  const WantedColumns asked(columns);
  for (const std::filesystem::path& file : files) {
    const auto issue = [&](const char* code, Severity severity, const std::string& text) {
      store.issues.push_back({code, severity, 0, text});
    };
    const std::string name = file.filename().string();
    const Format* format = format_of(file);
    auto part = format == nullptr ? Result<std::unique_ptr<Profile::Store>>(
                                        Error{fmt::format("'{}' is not there any more", name), Exit::kFailed})
                                  : format->load({file, name, asked, threads, Reader::kDirect, {}});
    if (!part) {
      issue("beside_unreadable", Severity::kError, part.error().sentence + ".");
    } else if (const std::string why = join(store, **part); !why.empty()) {
      issue("beside_not_joined", Severity::kWarning,
            fmt::format("'{}' is next to this profile and does not join it: {}.", name, why));
    } else {
      issue("beside_joined", Severity::kInfo, fmt::format("'{}' joined this profile.", name));
    }
  }
}

}  // namespace assay::load
