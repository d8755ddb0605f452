#include "rows.hpp"

#include <algorithm>
#include <map>

#include "algo/crossing_rows.hpp"
#include "algo/properties.hpp"
#include "assay/words.hpp"

namespace assay::hang {

/// Calls `use(name, member)` for each member that crosses.
void each_member(const Dump*, auto&& use) {
  use("rank", &Dump::rank), use("version", &Dump::version), use("is_damaged", &Dump::is_damaged),
      use("is_complete", &Dump::is_complete), use("has_only_open", &Dump::has_only_open),
      use("last_call", &Dump::last_call);
}
void each_member(const GroupState*, auto&& use) {
  use("name", &GroupState::name), use("description", &GroupState::description), use("ranks", &GroupState::ranks),
      use("status_called", &GroupState::status_called), use("status_completed", &GroupState::status_completed),
      use("called", &GroupState::called), use("completed", &GroupState::completed),
      use("collectives", &GroupState::collectives), use("has_p2p", &GroupState::has_p2p),
      use("has_p2p_batches", &GroupState::has_p2p_batches);
}
void each_member(const Call*, auto&& use) {
  use("group", &Call::group), use("number", &Call::number), use("p2p_number", &Call::p2p_number),
      use("operation", &Call::operation), use("types", &Call::types), use("line", &Call::line),
      use("frames", &Call::frames), use("elements", &Call::elements), use("is_batch", &Call::is_batch),
      use("is_send", &Call::is_send), use("peer", &Call::peer), use("turn", &Call::turn),
      use("collectives", &Call::collectives), use("since", &Call::since), use("most_between", &Call::most_between);
}
void each_member(const Pair*, auto&& use) {
  use("group", &Pair::group), use("peer", &Pair::peer), use("calls", &Pair::calls), use("completed", &Pair::completed),
      use("is_send", &Pair::is_send);
}

void each_member(const LastWork*, auto&& use) {
  use("begin", &LastWork::begin), use("end", &LastWork::end), use("kernel_end", &LastWork::kernel_end),
      use("launch", &LastWork::launch), use("call_start", &LastWork::call_start), use("call_end", &LastWork::call_end),
      use("kernel", &LastWork::kernel), use("call", &LastWork::call), use("range", &LastWork::range);
}

namespace {

constexpr const char *kDump = "dump", *kGroups = "groups", *kOpen = "open", *kPairs = "pairs", *kLast = "last";

using crossing::rows_of, crossing::table_of;

/// "Float" of "[Float, Float]": equal types once.
std::string distinct_types(std::string_view types) {
  std::vector<std::string> distinct;
  for (std::size_t at = 0; (at = types.find_first_not_of("[], ", at)) != std::string_view::npos;) {
    const std::size_t end = std::min(types.find_first_of("[], ", at), types.size());
    std::string type(types.substr(at, end - at));
    if (std::ranges::find(distinct, type) == distinct.end()) distinct.push_back(std::move(type));
    at = end;
  }
  return listed(distinct);
}

void read_groups(const Report& report, Dump& dump) {
  const DeclaredTable* const table = report.table("process_groups");
  if (table == nullptr) return;
  const auto name = table->texts("name"), description = table->texts("description"), ranks = table->texts("ranks");
  const auto called = table->integers("last_enqueued"), completed = table->integers("last_completed");
  for (std::size_t g = 0; g < table->rows; ++g) {
    GroupState& group = dump.groups.emplace_back();
    group.name = report.string(name[g]);
    group.description = report.string(description[g]);
    group.ranks = report.string(ranks[g]);
    group.status_called = std::max<std::int64_t>(called[g], 0);
    group.status_completed = std::max<std::int64_t>(completed[g], 0);
  }
}

std::vector<Record> records_of(const Report& report, Dump& dump, std::vector<std::string>& types) {
  std::vector<Record> records;
  const DeclaredTable* const table = report.table("collective_records");
  if (table == nullptr) return records;
  const auto id = table->integers("record_id"), group = table->integers("process_group"),
             number = table->integers("collective_seq_id"), p2p = table->integers("p2p_seq_id"),
             elements = table->integers("elements"), time = table->integers("time");
  const auto operation = table->texts("operation"), type = table->texts("input_dtypes"), line = table->texts("line"),
             frames = table->texts("frames"), state = table->texts("state");
  std::map<StringId, std::size_t> known;
  types.reserve(table->rows);  // records point to them
  for (std::size_t r = 0; r < table->rows; ++r) {
    const auto [at, is_new] = known.try_emplace(type[r], types.size());
    if (is_new) types.push_back(distinct_types(report.string(type[r])));
    records.push_back({.id = id[r],
                       .group = group[r],
                       .number = number[r],
                       .p2p_number = std::max<std::int64_t>(p2p[r], 0),
                       .operation = report.string(operation[r]),
                       .types = types[at->second],
                       .line = report.string(line[r]),
                       .frames = report.string(frames[r]),
                       .elements = elements[r],
                       .completed = report.string(state[r]) == "completed"});
  }
  if (const auto origin = origin_of(report); origin && table->rows > 0)
    dump.last_call = *origin + time[table->rows - 1];
  return records;
}

}  // namespace

std::optional<Dump> dump_of(const Report& report) {
  const DeclaredTable* const table = report.table("recorder_dumps");
  if (table == nullptr || table->rows != 1) return std::nullopt;
  Dump dump;
  dump.rank = std::max<std::int64_t>(table->integers("rank")[0], kNone);
  dump.version = report.string(table->texts("version")[0]);
  dump.is_damaged = table->integers("damaged")[0] != 0;
  read_groups(report, dump);
  std::vector<std::string> types;
  summarize(records_of(report, dump, types), dump);
  return dump;
}

void emit_rows(const Dump& dump, ReportSink& sink) {
  sink.study_rows(table_of(kDump, std::vector<Dump>{dump}));
  sink.study_rows(table_of(kGroups, dump.groups));
  sink.study_rows(table_of(kOpen, dump.open));
  sink.study_rows(table_of(kPairs, dump.pairs));
}

void emit_rows(const LastWork& work, ReportSink& sink) {
  sink.study_rows(table_of(kLast, std::vector<LastWork>{work}));
}

std::optional<LastWork> last_work_from_rows(const StudyView& view, std::size_t report) {
  const std::vector<LastWork> rows = rows_of<LastWork>(view.rows(report, "hang", kLast));
  return rows.size() == 1 ? std::optional(rows.front()) : std::nullopt;
}

std::optional<Dump> dump_from_rows(const StudyView& view, std::size_t report) {
  const auto rows = [&](const char* id) { return view.rows(report, "hang", id); };
  std::vector<Dump> dumps = rows_of<Dump>(rows(kDump));
  if (dumps.size() != 1) return std::nullopt;
  Dump dump = std::move(dumps.front());
  dump.groups = rows_of<GroupState>(rows(kGroups));
  for (GroupState& group : dump.groups) group.members = members_of(group.ranks);
  dump.open = rows_of<Call>(rows(kOpen));
  dump.pairs = rows_of<Pair>(rows(kPairs));
  return dump;
}

}  // namespace assay::hang
