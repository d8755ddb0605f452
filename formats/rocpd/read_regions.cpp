// Regions: calls of HIP, HSA and other libraries, and the ranges of roctx.
#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "formats/rocpd/part.hpp"
#include "load/names.hpp"

namespace assay::load::rocpd {
namespace {

/// roctx markers, without roctx calls that configure it or name something.
bool is_marker(std::string_view category) {
  std::string word(category);
  for (char& c : word) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const auto has = [&](std::string_view part) { return word.find(part) != std::string::npos; };
  return has("MARKER") && !has("CONTROL") && !has("_NAME");
}

/// Messages of ranges: {"message": "step 3"} in the event.
class Messages {
 public:
  Messages(ProcessData& part, std::vector<Issue>& issues) : part_(part) {
    const TableInfo* info = part.table("rocpd_event");
    if (info == nullptr || !info->has("id") || !info->has("extdata")) return;
    OwnedColumn<std::int64_t> ids;
    TableLoad table(part.source, *info);
    table.integers(ids, "id", kNoValue);
    table.texts(texts_, "extdata", ids_in(pool_));
    table.run(issues);
    rows_ = RowOfId(ids.values());
  }

  /// 0 if there is none.
  StringId name_of(std::int64_t event) {
    const std::size_t row = rows_.find(event);
    if (row == RowOfId::kNoRow || !texts_.present()) return 0;
    const auto [at, fresh] = read_.emplace(texts_[row], 0);
    if (!fresh) return at->second;
    const auto object = nlohmann::json::parse(pool_[texts_[row]], nullptr, false);
    const auto message = object.is_object() ? object.find("message") : object.end();
    if (object.is_object() && message != object.end() && message->is_string())
      at->second = part_.file.texts.intern(message->get_ref<const std::string&>());
    return at->second;
  }

 private:
  ProcessData& part_;
  StringPool pool_;
  OwnedColumn<StringId> texts_;
  RowOfId rows_;
  std::unordered_map<StringId, StringId> read_;
};

/// Cached classification of a call name.
struct NamedCall {
  StringId name = 0;
  CallKind kind = CallKind::kOther;
  bool collective = false;  ///< from RCCL, whose kernel names do not say which collective they are
};

void push_range(formats::RowWriter<RangeTable>& rows, const EventColumns& at, std::size_t row, StringId name,
                std::uint32_t thread, StringId domain = 0) {
  rows.start.push(at.start[row]);
  rows.end.push(cell(at.end, row));
  rows.name.push(name);
  rows.domain.push(domain);
  rows.in_named_domain.push(domain != 0 ? 1 : 0);
  rows.thread.push(thread);
  rows.end_thread.push(thread);
  rows.open.push(0);
}

void make_calls_present(ProcessData& part, std::size_t more) {
  auto& calls = part.file.calls;
  const std::size_t rows = calls.start.size() + more;
  for (auto* column : {&calls.start, &calls.end, &calls.correlation}) column->make_present(rows);
  calls.thread.make_present(rows);
  calls.kind.make_present(rows);
  calls.name.make_present(rows);
  if (part.source.wanted.column(col::call_full_name)) calls.full_name.make_present(rows);
}

/// Makes the table present with its first row, if nothing says that calls were traced.
void push_call(ProcessData& part, const EventColumns& at, std::size_t row, const NamedCall& call, StringId text) {
  auto& calls = part.file.calls;
  if (!calls.start.present()) make_calls_present(part, at.rows());
  calls.start.push(at.start[row]);
  calls.end.push(cell(at.end, row));
  calls.thread.push(part.thread(cell(at.thread, row)));
  calls.correlation.push(part.stack_of_event(cell(at.event, row)));
  calls.kind.push(call.kind);
  calls.name.push(call.name);
  if (calls.full_name.present()) calls.full_name.push(part.file.id(text));
  part.file.launches += call.kind == CallKind::kKernelLaunch ? 1 : 0;
}

void make_ranges_present(FileTables& file) {
  for (auto* ranges : {&file.ranges, &file.spans}) {
    for (auto* column : {&ranges->start, &ranges->end}) column->make_present();
    for (auto* column : {&ranges->name, &ranges->domain}) column->make_present();
    for (auto* column : {&ranges->thread, &ranges->end_thread}) column->make_present();
    for (auto* column : {&ranges->in_named_domain, &ranges->open}) column->make_present();
  }
}

}  // namespace

void read_regions(ProcessData& part, std::vector<Issue>& issues) {
  const TableInfo* info = part.table("rocpd_region");
  if (info == nullptr || !(info->has("start_id") || has_columns(*info, {"start"}, issues))) return;
  EventColumns at;
  OwnedColumn<std::int64_t> names;
  TableLoad table(part.source, *info);
  table.never_null({"tid", "track_id", "name_id"});
  at.request(table);
  table.integers(names, "name_id", kNoValue);
  table.run(issues);
  at.resolve(part, *info, issues);
  const WantedColumns& wanted = part.source.wanted;
  FileTables& file = part.file;
  if (file.traced.calls) make_calls_present(part, at.rows());
  if (file.traced.markers) make_ranges_present(file);
  const bool ranges_wanted = wanted.table(col::ranges) || wanted.table(col::spans) || wanted.column(col::call_range);
  std::optional<Messages> messages;
  std::unordered_map<StringId, bool> markers;
  std::unordered_map<StringId, NamedCall> kinds;
  const StringId nccl = file.out.intern("NCCL");
  std::int64_t nameless = 0, of_no_category = 0, of_no_thread = 0;
  for (std::size_t row = 0; row < at.rows(); ++row) {
    const std::int64_t event = cell(at.event, row);
    const StringId category = part.category_of_event(event), text = part.string(cell(names, row));
    nameless += text == 0 ? 1 : 0;
    of_no_category += category == 0 ? 1 : 0;
    of_no_thread += part.has_thread(cell(at.thread, row)) ? 0 : 1;
    const auto [marker, fresh] = markers.emplace(category, false);
    if (fresh) marker->second = is_marker(file.texts[category]);
    if (marker->second) {
      if (!ranges_wanted) continue;
      if (!messages) messages.emplace(part, issues);
      const StringId message = messages->name_of(event);
      const bool span = file.texts[text].starts_with("roctxRangeStart");
      make_ranges_present(file);
      push_range(span ? file.spans : file.ranges, at, row, file.id(message != 0 ? message : text),
                 part.thread(cell(at.thread, row)));
      continue;
    }
    const auto [known, unseen] = kinds.emplace(text, NamedCall{});
    if (unseen) {
      const std::string name(without_version(file.texts[text]));
      known->second = {file.out.intern(name), kind_of_call(name), name.starts_with("nccl")};
    }
    // NCCL calls are recorded as ranges, from which the kernels launched inside are identified.
    if (known->second.collective && ranges_wanted) {
      make_ranges_present(file);
      push_range(file.ranges, at, row, known->second.name, part.thread(cell(at.thread, row)), nccl);
    }
    push_call(part, at, row, known->second, text);
  }
  note_lost(issues, "missing_names", nameless, info->name, "have a name that rocpd_string does not hold",
            "launches among them count as other calls");
  note_lost(issues, "missing_references", of_no_category, info->name, "have no event with a category",
            "ranges among them count as calls, and calls have no work");
  note_lost(issues, "missing_references", of_no_thread, info->name,
            "are of threads that rocpd_info_thread does not hold", "the numbers of these threads are unknown");
}

}  // namespace assay::load::rocpd
