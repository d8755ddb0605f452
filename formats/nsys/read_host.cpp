// API calls, NVTX ranges and strings.
#include <fmt/core.h>

#include <array>
#include <map>

#include "formats/nsys/read_tables.hpp"
#include "load/names.hpp"

namespace assay::load {
namespace {

/// Runtime and driver calls; other event classes list the same calls again (CUDA backtraces).
constexpr std::int64_t kRuntimeClass = 0, kDriverClass = 1, kMaxClasses = 4096;

/// The imported kinds come from a text file given to the profiler.
constexpr std::int32_t kPushPop = 59, kStartEnd = 60, kImportedPushPop = 70, kImportedStartEnd = 71, kDomainCreate = 75;

bool is_push_pop(std::int32_t type) { return type == kPushPop || type == kImportedPushPop; }
bool is_start_end(std::int32_t type) { return type == kStartEnd || type == kImportedStartEnd; }

/// Names of domains by (process, domain id): ids are unique only per process.
using Domains = std::map<std::pair<std::uint32_t, std::int32_t>, StringId>;

/// Keeps the rows for which `keep` is true.
template <class Rows, class Keep>
std::int64_t keep_rows(Rows& rows, Keep keep) {
  std::vector<std::uint32_t> kept;
  kept.reserve(rows.rows());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (keep(i)) kept.push_back(static_cast<std::uint32_t>(i));
  }
  const auto dropped = static_cast<std::int64_t>(rows.rows() - kept.size());
  if (dropped > 0) rows.each([&](auto& column) { column.reorder(kept); });
  return dropped;
}

struct NvtxRows : RangeRows {
  OwnedColumn<std::int32_t> type, domain_id;
  OwnedColumn<StringId> text;
  OwnedColumn<StringKey> text_key;
  template <class Use>
  void each(Use&& use) {
    RangeRows::each(use);
    use(type);
    use(domain_id);
    use(text);
    use(text_key);
  }
};

RangeRows ranges_of(const NvtxRows& nvtx, bool (*is_type)(std::int32_t), const Domains& domains, const Threads& threads,
                    std::span<const StringId> strings) {
  RangeRows out;
  out.each([](auto& column) { column.make_present(0); });
  for (std::size_t i = 0; i < nvtx.rows(); ++i) {
    if (!is_type(nvtx.type[i])) continue;
    out.start.push(nvtx.start[i]);
    out.end.push(nvtx.end[i]);
    const StringId text = nvtx.text.present() ? nvtx.text[i] : 0;
    const StringKey key = nvtx.text_key.present() ? nvtx.text_key[i] : 0;
    out.name.push(text != 0 ? text : strings[key]);
    const auto domain = nvtx.domain_id.present() && !domains.empty()
                            ? domains.find({threads.process_of_thread(nvtx.thread[i]), nvtx.domain_id[i]})
                            : domains.end();
    out.domain.push(domain == domains.end() ? 0 : domain->second);
    out.in_named_domain.push(domain == domains.end() ? 0 : 1);
    out.thread.push(nvtx.thread[i]);
    out.end_thread.push(nvtx.end_thread.present() && nvtx.end_thread[i] != kUnknown ? nvtx.end_thread[i]
                                                                                    : nvtx.thread[i]);
    out.open.push(nvtx.open[i]);
    if (nvtx.row_id.present()) out.row_id.push(nvtx.row_id[i]);
  }
  if (!nvtx.row_id.present()) out.row_id.drop();
  out.reach.drop();  // arrange_ranges fills it
  out.parent.assign(out.rows(), kNone);
  out.depth.assign(out.rows(), 0);
  return out;
}

/// Texts of the string ids that rows refer to, by key; [0] is no string. `missing` receives the number of ids whose
/// text is missing or empty.
std::vector<StringId> texts_of_keys(const Source& source, StringPool& pool, const KeyInterner& keys,
                                    std::size_t& missing, std::vector<Issue>& issues) {
  std::vector<StringId> text_of(keys.keys().size() + 1, 0);
  missing = keys.keys().size();
  const TableInfo* info = source.schema.find("StringIds");
  if (info == nullptr || keys.keys().empty()) return text_of;
  if (!has_columns(*info, {"id", "value"}, issues)) return text_of;
  const std::array<ColumnRequest, 2> columns = {{{"id", CellType::kInteger}, {"value", CellType::kText}}};
  const WholeTable rows(source.tables(), *info, columns);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const auto key = keys.find(rows.integer(0, r));
    if (!key || rows.text(1, r).empty()) continue;
    missing -= text_of[*key + 1] == 0 ? 1U : 0U;
    text_of[*key + 1] = pool.intern(rows.text(1, r));
  }
  if (!rows.outcome().damage.empty()) {
    issues.push_back(
        {"truncated", Severity::kError, 0,
         fmt::format(
             "Table StringIds could not be read to its end, so some names are missing: {}; export the profile again.",
             rows.outcome().damage)});
  }
  note_pages(rows.outcome().pages, info->name, issues);
  return text_of;
}

void replace_keys(OwnedColumn<StringId>& column, std::span<const StringId> strings) {
  for (StringId& key : column.values()) key = strings[key];
}

}  // namespace

namespace {
constexpr std::int64_t kIdBits = 0xFFFFFF;  // of both process and thread
}

std::uint32_t Threads::add_process(std::int64_t id) {
  process_ids_.push_back(id);
  return static_cast<std::uint32_t>(process_ids_.size() - 1);
}

std::uint32_t Threads::add_thread(std::uint32_t process, std::int64_t id) {
  thread_ids_.push_back(id);
  process_of_thread_.push_back(process);
  return static_cast<std::uint32_t>(thread_ids_.size() - 1);
}

std::uint32_t Threads::process(std::int64_t global_id) {
  const std::uint32_t row = processes_.intern(global_id >> 24);
  return row == process_ids_.size() ? add_process(global_id >> 24 & kIdBits) : row;
}

std::uint32_t Threads::thread(std::int64_t global_tid) {
  const std::uint32_t row = threads_.intern(global_tid);
  return row == thread_ids_.size() ? add_thread(process(global_tid), global_tid & kIdBits) : row;
}

void read_calls(const Source& source, Profile::Store& store, std::vector<Issue>& issues) {
  const TableInfo* info = source.schema.find("CUPTI_ACTIVITY_KIND_RUNTIME");
  if (info == nullptr || !has_columns(*info, {"start"}, issues)) return;
  note_lacking(*info, {"end", "globalTid", "correlationId", "nameId", "eventClass"}, issues);
  store.calls.emplace();
  CallRows& rows = *store.calls;
  constexpr std::uint8_t kNoClass = 2;
  OwnedColumn<std::uint8_t> again;  ///< 1: lists a call a second time
  TableLoad table(source, *info);
  table.integers(rows.start, "start", kNoValue);
  table.integers(rows.end, "end", kNoValue);
  table.threads(rows.thread, "globalTid");
  table.string_keys(rows.name, "nameId");
  table.call_ids(rows, "correlationId");
  table.made(again, "eventClass", [](std::int64_t event_class) {
    if (event_class < 0 || event_class >= kMaxClasses) return kNoClass;
    return static_cast<std::uint8_t>(event_class == kRuntimeClass || event_class == kDriverClass ? 0 : 1);
  });
  if (source.wanted.column(col::call_return_value)) table.integers(rows.return_value, "returnValue", 0);
  table.run(issues);
  if (!rows.thread.present()) rows.thread.assign(rows.rows(), source.shared.threads.thread(0));
  if (!rows.name.present()) rows.name.assign(rows.rows(), 0);
  if (again.present()) {
    const auto odd = std::ranges::count(again.values(), kNoClass);
    if (odd > 0) {
      issues.push_back({"bad_cells", Severity::kError, odd,
                        fmt::format("{} rows of {} have an event class that cannot be and count as calls; export the "
                                    "profile again.",
                                    odd, info->name)});
    }
    const bool doubled = std::ranges::find(again.values(), 1) != again.values().end();
    if (doubled) {
      if (source.wanted.table(col::repeats)) {
        CallRows& repeats = store.repeats.emplace(rows);
        keep_rows(repeats, [&](std::size_t i) { return again[i] == 1; });
        clean_and_sort(repeats, info->name, issues);
      }
      const std::int64_t dropped = keep_rows(rows, [&](std::size_t i) { return again[i] != 1; });
      issues.push_back(
          {"doubled_calls", Severity::kInfo, dropped,
           fmt::format(
               "{} API rows list calls a second time (event classes other than runtime and driver) and are left out.",
               dropped)});
    }
  }
  clean_and_sort(rows, info->name, issues);
}

void read_strings(const Source& source, Profile::Store& store, std::vector<Issue>& issues) {
  std::size_t missing = 0;
  const std::vector<StringId> text_of = texts_of_keys(source, store.strings, source.shared.string_ids, missing, issues);
  if (missing > 0) {
    issues.push_back(
        {"missing_names", Severity::kError, static_cast<std::int64_t>(missing),
         fmt::format("{} names that rows refer to are not in StringIds, so what they name counts as unnamed, launches "
                     "as other calls; export the profile again.",
                     missing)});
  }
  if (store.kernels) {
    replace_keys(store.kernels->name, text_of);
    replace_keys(store.kernels->short_name, text_of);
    replace_keys(store.kernels->mangled_name, text_of);
  }
  for (auto* events : {&store.os_calls, &store.mpi_events, &store.openacc_events, &store.openmp_events}) {
    if (*events) replace_keys((*events)->name, text_of);
  }
  if (store.openacc_events) name_places(*store.openacc_events, text_of, store.strings);
  if (store.overheads) replace_keys(store.overheads->name, text_of);
  for (auto* faults : {&store.cpu_faults, &store.gpu_faults}) {
    if (*faults) replace_keys((*faults)->function, text_of);
  }
  for (DeclaredTableRows& table : store.declared) {
    for (DeclaredCells& column : table.columns) replace_keys(column.texts, text_of);
  }
  if (store.repeats) {
    store.repeats->full_name = std::move(store.repeats->name);
    replace_keys(store.repeats->full_name, text_of);
  }
  if (!store.calls) return;
  CallRows& calls = *store.calls;
  std::vector<StringId> name_of(text_of.size(), 0);
  std::vector<CallKind> kind_of(text_of.size(), CallKind::kOther);
  std::vector<char> used(text_of.size(), 0);
  calls.kind.make_present(calls.rows());
  const bool full = source.wanted.column(col::call_full_name), plain = source.wanted.column(col::call_name);
  if (full && plain) calls.full_name.make_present(calls.rows());
  for (StringKey& key : calls.name.values()) {
    if (used[key] == 0) {
      used[key] = 1;
      const std::string name(without_version(store.strings[text_of[key]]));
      name_of[key] = store.strings.intern(name);
      kind_of[key] = kind_of_call(name);
    }
    calls.kind.push(kind_of[key]);
    if (full && plain) calls.full_name.push(text_of[key]);
    key = plain ? name_of[key] : text_of[key];
  }
  if (plain) return;
  if (full) calls.full_name = std::move(calls.name);
  calls.name.drop();
}

void read_ranges(const Source& source, Profile::Store& store, std::vector<Issue>& issues) {
  const TableInfo* info = source.schema.find("NVTX_EVENTS");
  if (info == nullptr || !has_columns(*info, {"start", "eventType"}, issues)) return;
  note_lacking(*info, {"end", "globalTid"}, issues);
  NvtxRows nvtx;
  TableLoad table(source, *info);
  table.integers(nvtx.start, "start", kNoValue);
  table.integers(nvtx.end, "end", kNoValue);
  table.numbers_or_none(nvtx.type, "eventType");
  table.texts(nvtx.text, "text", store.strings);
  table.string_keys(nvtx.text_key, "textId");
  table.integers(nvtx.domain_id, "domainId", 0);
  table.threads(nvtx.thread, "globalTid");
  if (source.wanted.column(col::range_row_id) || source.wanted.column(col::span_row_id) ||
      source.wanted.table(col::collectives))
    table.row_ids(nvtx.row_id);
  table.threads(nvtx.end_thread, "endGlobalTid", kUnknown);
  table.run(issues);
  if (!nvtx.end.present()) nvtx.end.assign(nvtx.rows(), kNoValue);
  if (!nvtx.thread.present()) nvtx.thread.assign(nvtx.rows(), source.shared.threads.thread(0));

  std::size_t missing = 0;  // read_strings reports it
  const std::vector<StringId> strings = texts_of_keys(source, store.strings, source.shared.string_ids, missing, issues);
  Domains domains;
  for (std::size_t i = 0; i < nvtx.rows(); ++i) {
    if (nvtx.type[i] != kDomainCreate || !nvtx.domain_id.present()) continue;
    const StringId text = nvtx.text.present() && nvtx.text[i] != 0 ? nvtx.text[i]
                          : nvtx.text_key.present()                ? strings[nvtx.text_key[i]]
                                                                   : 0;
    domains.emplace(std::pair(source.shared.threads.process_of_thread(nvtx.thread[i]), nvtx.domain_id[i]), text);
  }
  keep_rows(nvtx, [&](std::size_t i) { return is_push_pop(nvtx.type[i]) || is_start_end(nvtx.type[i]); });
  std::int64_t unnamed = 0;
  for (std::size_t i = 0; i < nvtx.rows(); ++i)
    unnamed += (!nvtx.text.present() || nvtx.text[i] == 0) && (!nvtx.text_key.present() || nvtx.text_key[i] == 0);
  if (unnamed > 0) {
    issues.push_back({"missing_names", Severity::kWarning, unnamed,
                      fmt::format("{} ranges of {} have no name.", unnamed, info->name)});
  }
  nvtx.open.assign(nvtx.rows(), 0);
  for (std::size_t i = 0; i < nvtx.rows(); ++i) {
    if (nvtx.end[i] != kNoValue || nvtx.start[i] == kNoValue) continue;
    nvtx.end.values()[i] = nvtx.start[i];  // arrange_ranges sets the end, since it knows the last possible time
    nvtx.open.values()[i] = 1;
  }
  clean_and_sort(nvtx, info->name, issues);
  store.ranges = ranges_of(nvtx, &is_push_pop, domains, source.shared.threads, strings);
  store.spans = ranges_of(nvtx, &is_start_end, domains, source.shared.threads, strings);
}

}  // namespace assay::load
