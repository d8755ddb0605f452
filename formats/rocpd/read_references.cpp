// Tables that others of the same process refer to: strings, categories, events, tracks, threads.
#include "formats/rocpd/part.hpp"

namespace assay::load::rocpd {

std::int64_t IdColumn::operator()(std::int64_t id) const {
  const std::size_t row = rows.find(id);
  return row == RowOfId::kNoRow ? kNoValue : cell(cells, row);
}

namespace {

StringId text_at(const RowOfId& rows, const OwnedColumn<StringId>& texts, std::int64_t id) {
  const std::size_t row = rows.find(id);
  return row == RowOfId::kNoRow || !texts.present() ? 0 : texts[row];
}

/// Ids of a table with any other requested columns.
template <class Request>
RowOfId read_rows(const ProcessData& part, std::string_view word, std::vector<Issue>& issues, Request request) {
  const TableInfo* info = part.table(word);
  if (info == nullptr || !has_columns(*info, {"id"}, issues)) return {};
  OwnedColumn<std::int64_t> ids;
  TableLoad table(part.source, *info);
  table.never_null({"id", "value"});
  table.integers(ids, "id", kNoValue);
  request(table);
  table.run(issues);
  return RowOfId(ids.values());
}

/// Whether a number may be a stack id, which count from 0.
bool is_link(std::int64_t stack) { return stack >= 0 && stack <= std::int64_t{1} << 53; }

}  // namespace

void note_lost(std::vector<Issue>& issues, const char* name, std::int64_t rows, const std::string& table,
               std::string_view what, std::string_view so) {
  if (rows == 0) return;
  issues.push_back({name, Severity::kError, rows,
                    fmt::format("{} rows of {} {}, so {}; record the run again.", rows, table, what, so)});
}

StringId ProcessData::string(std::int64_t id) const { return text_at(string_rows, strings, id); }

StringId ProcessData::category_of_event(std::int64_t event) const {
  const std::size_t row = event_rows.find(event);
  if (row == RowOfId::kNoRow) return 0;
  const std::int64_t id = cell(event_category, row);
  return categories.present() ? text_at(category_rows, categories, id) : string(id);
}

std::int64_t ProcessData::stack_of_event(std::int64_t event) const {
  const std::size_t row = event_rows.find(event);
  const std::int64_t stack = row == RowOfId::kNoRow ? kNoValue : cell(event_stack, row);
  return stack > 0 ? stack : 0;
}

Agent ProcessData::agent(std::int64_t id) const {
  const auto at = agents.find(id);
  return at == agents.end() ? Agent{} : at->second;
}

std::uint32_t ProcessData::thread(std::int64_t id) {
  const auto [at, fresh] = threads.emplace(id, 0);
  if (fresh) {
    const auto named = thread_ids.find(id);
    const std::int64_t number = named != thread_ids.end() ? named->second : id;
    at->second = file.out.add_thread(process, number == kNoValue ? kNone : number, {});
  }
  return at->second;
}

void EventColumns::request(TableLoad& table) {
  table.integers(start, "start", kNoValue);
  table.integers(end, "end", kNoValue);
  table.integers(start_id, "start_id", kNoValue);
  table.integers(end_id, "end_id", kNoValue);
  table.integers(thread, "tid", kNoValue);
  table.integers(agent, "agent_id", kNoValue);
  table.integers(queue, "queue_id", kNoValue);
  table.integers(stream, "stream_id", kNoValue);
  table.integers(track, "track_id", kNoValue);
  table.integers(event, "event_id", kNoValue);
}

void EventColumns::resolve(const ProcessData& part, const TableInfo& info, std::vector<Issue>& issues) {
  std::int64_t of_no_track = 0;
  for (const std::int64_t id : track.values())
    of_no_track += id != kNoValue && part.tracks.rows.find(id) == RowOfId::kNoRow ? 1 : 0;
  note_lost(issues, "missing_references", of_no_track, info.name, "refer to tracks that rocpd_track does not hold",
            "where they ran is unknown");
  const auto look_up = [](OwnedColumn<std::int64_t>& to, const OwnedColumn<std::int64_t>& ids, const auto& find) {
    if (to.present() || !ids.present()) return;
    to.make_present(ids.values().size());
    for (const std::int64_t id : ids.values()) to.push(find(id));
  };
  look_up(start, start_id, part.timestamps);
  look_up(end, end_id, part.timestamps);
  const auto of_track = [&](const OwnedColumn<std::int64_t>& column) {
    return [&](std::int64_t id) {
      const std::size_t row = part.tracks.rows.find(id);
      return row == RowOfId::kNoRow ? kNoValue : cell(column, row);
    };
  };
  look_up(thread, track, of_track(part.tracks.thread));
  look_up(agent, track, of_track(part.tracks.agent));
  look_up(queue, track, of_track(part.tracks.queue));
  look_up(stream, track, of_track(part.tracks.stream));
}

void read_references(ProcessData& part, std::vector<Issue>& issues) {
  StringPool& pool = part.file.texts;
  part.string_rows = read_rows(part, "rocpd_string", issues,
                               [&](TableLoad& table) { table.texts(part.strings, "string", ids_in(pool)); });
  part.category_rows = read_rows(part, "rocpd_info_category", issues,
                                 [&](TableLoad& table) { table.texts(part.categories, "name", ids_in(pool)); });
  part.event_rows = read_rows(part, "rocpd_event", issues, [&](TableLoad& table) {
    table.integers(part.event_category, "category_id", kNoValue);
    table.integers(part.event_stack, "stack_id", kNoValue);
  });
  std::int64_t odd_stacks = 0;
  for (const std::int64_t stack : part.event_stack.values()) odd_stacks += is_link(stack) ? 0 : 1;
  note_lost(issues, "bad_cells", odd_stacks, "rocpd_event" + part.suffix, "have a stack id that cannot be",
            "what they launched is unknown");
  part.tracks.rows = read_rows(part, "rocpd_track", issues, [&](TableLoad& table) {
    table.integers(part.tracks.thread, "tid", kNoValue);
    table.integers(part.tracks.agent, "agent_id", kNoValue);
    table.integers(part.tracks.queue, "queue_id", kNoValue);
    table.integers(part.tracks.stream, "stream_id", kNoValue);
  });
  part.timestamps.rows = read_rows(part, "rocpd_timestamp", issues,
                                   [&](TableLoad& table) { table.integers(part.timestamps.cells, "value", kNoValue); });
  OwnedColumn<std::int64_t> ids, numbers;
  if (const TableInfo* info = part.table("rocpd_info_thread"); info != nullptr && info->has("id") && info->has("tid")) {
    TableLoad table(part.source, *info);
    table.never_null({"id", "tid"});
    table.integers(ids, "id", kNoValue);
    table.long_numbers(numbers, "tid", kNoValue);
    table.run(issues);
    for (std::size_t row = 0; row < ids.values().size(); ++row) part.thread_ids.emplace(ids[row], numbers[row]);
    // All threads, so that their number does not depend on which other tables are read.
    for (const std::int64_t id : ids.values()) part.thread(id);
  }
}

}  // namespace assay::load::rocpd
