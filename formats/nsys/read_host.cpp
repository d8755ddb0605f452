// API calls and NVTX ranges.
#include <fmt/core.h>

#include <map>

#include "formats/nsys/read_tables.hpp"

namespace assay::load {
namespace {

/// Runtime and driver calls; other event classes list the same calls again (CUDA backtraces).
constexpr std::int64_t kRuntimeClass = 0, kDriverClass = 1, kMaxClasses = 4096;
constexpr std::uint8_t kOnce = 0, kAgain = 1, kNoClass = 2;

/// The imported kinds come from a text file given to the profiler.
constexpr std::int32_t kPushPop = 59, kStartEnd = 60, kImportedPushPop = 70, kImportedStartEnd = 71, kDomainCreate = 75;

bool is_push_pop(std::int32_t type) { return type == kPushPop || type == kImportedPushPop; }
bool is_start_end(std::int32_t type) { return type == kStartEnd || type == kImportedStartEnd; }

std::vector<std::uint32_t> rows_of_class(const OwnedColumn<std::uint8_t>& classes, bool again) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < classes.size(); ++row) {
    if ((classes[row] == kAgain) == again) rows.push_back(row);
  }
  return rows;
}

template <class From, class To>
void copy_rows(const From& from, To& to, std::span<const std::uint32_t> rows) {
  if (!from.present()) return;
  to.resize(rows.size());
  std::ranges::transform(rows, to.values().begin(), [&](std::uint32_t row) { return from[row]; });
}

/// Moves calls that are listed a second time to `repeats`, if these are wanted.
void split_repeats(NsysTables& to, const OwnedColumn<std::uint8_t>& classes, const std::string& table) {
  const auto odd = std::ranges::count(classes.values(), kNoClass);
  if (odd > 0) {
    to.issue("bad_cells", Severity::kError, odd,
             fmt::format("{} rows of {} have an event class that cannot be and count as calls; export the profile "
                         "again.",
                         odd, table));
  }
  const std::vector<std::uint32_t> again = rows_of_class(classes, true);
  if (again.empty()) return;
  LinkedRows<CallTable>&calls = to.calls, &repeats = to.repeats;
  if (to.source.wanted.table(col::repeats)) {
    to.out.read_from(col::repeats, table);
    copy_rows(calls.start, repeats.start, again);
    copy_rows(calls.end, repeats.end, again);
    copy_rows(calls.thread, repeats.thread, again);
    copy_rows(calls.name.present() ? calls.name : calls.full_name, repeats.full_name, again);
    copy_rows(calls.return_value, repeats.return_value, again);
    copy_rows(calls.narrow, repeats.narrow, again);
    copy_rows(calls.wide, repeats.wide, again);
  }
  const std::vector<std::uint32_t> once = rows_of_class(classes, false);
  calls.each([&](auto& column) { column.reorder(once); });
  to.issue("doubled_calls", Severity::kInfo, static_cast<std::int64_t>(again.size()),
           fmt::format("{} API rows list calls a second time (event classes other than runtime and driver) and are "
                       "left out.",
                       again.size()));
}

struct NvtxRows {
  OwnedColumn<std::int64_t> start, end, row_id;
  OwnedColumn<std::int32_t> type, domain_id;
  OwnedColumn<StringId> text;
  OwnedColumn<StringKey> text_key;
  OwnedColumn<std::uint32_t> thread, end_thread;

  [[nodiscard]] StringId name(std::size_t row, std::span<const StringId> texts) const {
    if (text.present() && text[row] != 0) return text[row];
    return text_key.present() ? texts[text_key[row]] : 0;
  }
  [[nodiscard]] bool named(std::size_t row) const {
    return (text.present() && text[row] != 0) || (text_key.present() && text_key[row] != 0);
  }
};

NvtxRows read_nvtx(NsysTables& to, const TableInfo& info) {
  NvtxRows nvtx;
  const WantedColumns& wanted = to.source.wanted;
  TableLoad table(to.source, info);
  table.integers(nvtx.start, "start", kNoValue);
  table.integers(nvtx.end, "end", kNoValue);
  table.numbers_or_none(nvtx.type, "eventType");
  table.texts(nvtx.text, "text", to.intern());
  table.string_keys(nvtx.text_key, "textId");
  table.integers(nvtx.domain_id, "domainId", 0);
  table.threads(nvtx.thread, "globalTid");
  if (wanted.column(col::range_row_id) || wanted.column(col::span_row_id) || wanted.table(col::collectives))
    table.row_ids(nvtx.row_id);
  table.threads(nvtx.end_thread, "endGlobalTid", kUnknown);
  table.run(to.issues);
  if (!nvtx.end.present()) nvtx.end.assign(nvtx.start.size(), kNoValue);
  if (!nvtx.thread.present()) nvtx.thread.assign(nvtx.start.size(), to.source.shared.threads.thread(0));
  return nvtx;
}

/// Gives rows of NVTX_EVENTS to `ranges` and `spans`.
class RangePusher {
 public:
  RangePusher(NsysTables& to, const NvtxRows& nvtx, std::span<const StringId> texts)
      : to_(to), nvtx_(nvtx), texts_(texts) {
    const auto& threads = to.source.shared.threads;
    for (std::size_t row = 0; row < nvtx.start.size(); ++row) {
      if (nvtx.type[row] != kDomainCreate || !nvtx.domain_id.present()) continue;
      domains_.emplace(std::pair(threads.process_of_thread(nvtx.thread[row]), nvtx.domain_id[row]),
                       nvtx.name(row, texts));
    }
    if (to.source.wanted.table(col::collectives)) payloads_ = read_payloads(to);
    for (auto* rows : {&to.ranges, &to.spans}) {
      for (auto* column : {&rows->start, &rows->end}) column->make_present();
      for (auto* column : {&rows->name, &rows->domain, &rows->thread, &rows->end_thread}) column->make_present();
      for (auto* column : {&rows->open, &rows->in_named_domain}) column->make_present();
    }
    if (to.source.wanted.column(col::range_row_id)) to.ranges.row_id.make_present();
    if (to.source.wanted.column(col::span_row_id)) to.spans.row_id.make_present();
  }

  void push(formats::RowWriter<RangeTable>& rows, std::size_t i) {
    // The host ends open ranges, since it knows the last possible time.
    const bool open = nvtx_.end[i] == kNoValue && nvtx_.start[i] != kNoValue;
    rows.start.push(nvtx_.start[i]);
    rows.end.push(open ? nvtx_.start[i] : nvtx_.end[i]);
    rows.open.push(open ? 1 : 0);
    rows.name.push(nvtx_.name(i, texts_));
    const auto domain =
        nvtx_.domain_id.present() && !domains_.empty()
            ? domains_.find({to_.source.shared.threads.process_of_thread(nvtx_.thread[i]), nvtx_.domain_id[i]})
            : domains_.end();
    rows.domain.push(domain == domains_.end() ? 0 : domain->second);
    rows.in_named_domain.push(domain == domains_.end() ? 0 : 1);
    rows.thread.push(nvtx_.thread[i]);
    const bool elsewhere = nvtx_.end_thread.present() && nvtx_.end_thread[i] != kUnknown;
    rows.end_thread.push(elsewhere ? nvtx_.end_thread[i] : nvtx_.thread[i]);
    if (nvtx_.row_id.present()) rows.row_id.push_if_present(nvtx_.row_id[i]);
    if (&rows == &to_.ranges && !payloads_.empty()) push_payload(nvtx_.row_id[i]);
  }
  void finish() {
    to_.ranges.finish();
    to_.spans.finish();
    communicator_.finish();
    payload_.finish();
  }

 private:
  void push_payload(std::int64_t row_id) {
    const auto known = payloads_.find(row_id);
    const bool stated = known != payloads_.end();
    communicator_.push(stated ? to_.out.intern(fmt::format("{:016x}", known->second.communicator)) : 0);
    payload_.push(stated ? known->second.bytes : kNone);
  }

  NsysTables& to_;
  const NvtxRows& nvtx_;
  std::span<const StringId> texts_;
  /// Names by (process, domain id): ids are unique only per process.
  std::map<std::pair<std::uint32_t, std::int32_t>, StringId> domains_;
  std::map<std::int64_t, Payload> payloads_;
  formats::ColumnWriter<StringId> communicator_{to_.out, col::ranges, LinkColumn::kCommunicator};
  formats::ColumnWriter<std::int64_t> payload_{to_.out, col::ranges, LinkColumn::kPayload};
};

}  // namespace

void read_calls(NsysTables& to) {
  const Source& source = to.source;
  const TableInfo* info = source.schema.find("CUPTI_ACTIVITY_KIND_RUNTIME");
  if (info == nullptr || !has_columns(*info, {"start"}, to.issues)) return;
  note_lacking(*info, {"end", "globalTid", "correlationId", "nameId", "eventClass"}, to.issues);
  to.out.read_from(col::calls, info->name);
  LinkedRows<CallTable>& rows = to.calls;
  auto& names =
      source.wanted.column(col::call_full_name) && !source.wanted.column(col::call_name) ? rows.full_name : rows.name;
  OwnedColumn<std::uint8_t> classes;
  TableLoad table(source, *info);
  table.integers(rows.start, "start", kNoValue);
  table.integers(rows.end, "end", kNoValue);
  table.threads(rows.thread, "globalTid");
  table.string_keys(names, "nameId");
  table.call_ids(rows.narrow, rows.wide, "correlationId");
  table.made(classes, "eventClass", [](std::int64_t event_class) {
    if (event_class < 0 || event_class >= kMaxClasses) return kNoClass;
    return event_class == kRuntimeClass || event_class == kDriverClass ? kOnce : kAgain;
  });
  if (source.wanted.column(col::call_return_value)) table.integers(rows.return_value, "returnValue", 0);
  table.run(to.issues);
  if (!rows.thread.present()) rows.thread.assign(rows.start.size(), source.shared.threads.thread(0));
  if (!names.present()) names.assign(rows.start.size(), 0);
  if (classes.present()) split_repeats(to, classes, info->name);
}

void read_ranges(NsysTables& to) {
  const TableInfo* info = to.source.schema.find("NVTX_EVENTS");
  if (info == nullptr || !has_columns(*info, {"start", "eventType"}, to.issues)) return;
  note_lacking(*info, {"end", "globalTid"}, to.issues);
  for (const ColumnId table : {col::ranges, col::spans}) to.out.read_from(table, info->name);
  const NvtxRows nvtx = read_nvtx(to, *info);
  std::size_t missing = 0;  // name_rows reports it
  const std::vector<StringId> texts = texts_of_keys(to, missing);
  RangePusher pusher(to, nvtx, texts);
  std::int64_t unnamed = 0;
  for (std::size_t row = 0; row < nvtx.start.size(); ++row) {
    const bool range = is_push_pop(nvtx.type[row]);
    if (!range && !is_start_end(nvtx.type[row])) continue;
    unnamed += nvtx.named(row) ? 0 : 1;
    pusher.push(range ? to.ranges : to.spans, row);
  }
  pusher.finish();
  if (unnamed > 0) {
    to.issue("missing_names", Severity::kWarning, unnamed,
             fmt::format("{} ranges of {} have no name.", unnamed, info->name));
  }
}

}  // namespace assay::load
