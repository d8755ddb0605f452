#include "code_rows.hpp"
#include "json.hpp"
#include "log_lines.hpp"
#include "payloads.hpp"

namespace assay::torch_compile {
namespace {

constexpr std::size_t kMaxPayload = std::size_t{256} << 20U, kMaxOpen = 4096;
constexpr double kSecond = 1e9, kMicrosecond = 1e3;

/// An entry, and the compilation it belongs to.
struct Entry {
  LogLine line;
  dom::object json;
  std::string_view kind;  ///< of an artifact its name
  std::string id;         ///< "0/0"; empty: none
  std::string payload;
};

std::string compile_id(const dom::object& json) {
  const std::int64_t frame = number_of(json, "frame_id"), number = number_of(json, "frame_compile_id"),
                     autograd = number_of(json, "compiled_autograd_id");
  std::string id = autograd == kNoCell ? "" : "!" + std::to_string(autograd);
  if (frame == kNoCell || number == kNoCell) return id;
  if (!id.empty()) id += "/";
  return id.append(std::to_string(frame)).append("/").append(std::to_string(number));
}

class LogReader {
 public:
  explicit LogReader(Tables& texts) : texts_(texts), code_(rows_, texts) {}

  CompileRows read(const std::string& path) {
    LineSource lines(path);
    while (const std::optional<std::string_view> line = lines.next()) {
      const std::optional<LogLine> begin = log_line(*line);
      if (!begin && !line->empty()) ++rows_.log.damaged;
      if (!begin || !read_entry(*begin, lines)) read_payload(lines, nullptr);
    }
    if (rows_.log.entries == 0) throw std::runtime_error("it has no entry that can be read");
    code_.flush_all();
    set_times();
    return std::move(rows_);
  }

 private:
  /// How entries of a kind are read.
  struct Part {
    std::string_view kind;
    void (LogReader::*read)(const Entry&) = nullptr;
    bool has_payload = false;
    std::string CompiledTexts::* text = nullptr;  ///< the payload is one of these
    StringId Compilation::* cache = nullptr;      ///< the kind ends with the outcome of this cache
  };

  static const Part* part_of(std::string_view kind) {
    constexpr auto kBefore = &CompiledTexts::before_grad, kAfter = &CompiledTexts::after_grad;
    constexpr auto kGraphCache = &Compilation::graph_cache, kAutogradCache = &Compilation::autograd_cache;
    static constexpr Part kParts[] = {
        {"chromium_event", &LogReader::read_phase, true},
        {"str", &LogReader::read_text},
        {"dynamo_start", &LogReader::read_start},
        {"dynamo_output_graph", &LogReader::read_graph, true, kBefore},
        {"aot_inference_graph", &LogReader::read_graph},
        {"aot_forward_graph", &LogReader::read_graph},
        {"compilation_metrics", &LogReader::read_metrics},
        {"compilation_metrics_runtime", &LogReader::read_autotuning},
        {"dynamo_graph_break_reason", &LogReader::read_break, true},
        {"recompile_reasons", &LogReader::read_recompile, true},
        {"dynamo_error", &LogReader::read_error, true},
        {"fx_graph_cache_hit", nullptr, false, nullptr, kGraphCache},
        {"fx_graph_cache_miss", nullptr, false, nullptr, kGraphCache},
        {"fx_graph_cache_bypass", nullptr, false, nullptr, kGraphCache},
        {"aotautograd_cache_hit", nullptr, false, nullptr, kAutogradCache},
        {"aotautograd_cache_miss", nullptr, false, nullptr, kAutogradCache},
        {"aotautograd_cache_bypass", nullptr, false, nullptr, kAutogradCache},
        {"inductor_collective_schedule", &LogReader::read_schedule, true},
        {"before_pre_grad_graph", nullptr, true, kBefore},
        {"inductor_pre_grad_graph", nullptr, true, kBefore},
        {"after_post_grad_graph", nullptr, true, kAfter},
        {"inductor_post_grad_graph", nullptr, true, kAfter},
        {"inductor_output_code", nullptr, true, &CompiledTexts::python_code},
        {"inductor_aot_wrapper_code", nullptr, true, &CompiledTexts::cpp_code},
        {"inductor_provenance_tracking_node_mappings", &LogReader::read_mappings, true},
        {"inductor_provenance_tracking_kernel_stack_traces", &LogReader::read_stacks, true}};
    const auto* const at = std::ranges::find(kParts, kind, &Part::kind);
    return at == std::end(kParts) ? nullptr : at;
  }

  /// False if its payload is still to be skipped.
  bool read_entry(const LogLine& line, LineSource& lines) {
    ++rows_.log.entries;
    Entry entry{line, {}, {}, {}, {}};
    if (parser_.parse(line.json.data(), line.json.size(), false).get(entry.json) != simdjson::SUCCESS ||
        entry.json.size() == 0) {
      ++rows_.log.damaged;
      return false;
    }
    entry.kind = (*entry.json.begin()).key;
    dom::object artifact;
    const bool is_named = entry.kind == "artifact" || entry.kind == "graph_dump";
    if (is_named && entry.json[entry.kind].get(artifact) == simdjson::SUCCESS) entry.kind = text_of(artifact, "name");
    if (rows_.log.process == kNoCell) rows_.log.process = line.process;
    if (rows_.log.rank == kNoCell) rows_.log.rank = number_of(entry.json, "rank");
    const Part* const part = part_of(entry.kind);
    if (part == nullptr) {
      const auto other = rows_.others.find(entry.kind);
      if (other != rows_.others.end())
        ++other->second;
      else if (rows_.others.size() < kMaxOpen)
        rows_.others.emplace(entry.kind, 1);
      return false;
    }
    if (part->has_payload) read_payload(lines, &entry.payload);
    entry.id = compile_id(entry.json);
    if (part->read != nullptr) (this->*part->read)(entry);
    if (part->text != nullptr) code_.set_text(pending(entry), part->text, std::move(entry.payload));
    if (Compilation* const row = part->cache == nullptr ? nullptr : compilation(entry))
      row->*part->cache = intern(entry.kind.substr(entry.kind.rfind('_') + 1));
    return part->has_payload;
  }

  /// Its lines follow, each behind a tab; an empty line among them has none.
  static void read_payload(LineSource& lines, std::string* payload) {
    while (lines.follows('\t') || lines.follows('\n')) {
      std::string_view line = *lines.next();
      if (payload == nullptr || payload->size() + line.size() > kMaxPayload) continue;
      line.remove_prefix(std::min<std::size_t>(line.size(), 1));
      payload->append(line).append("\n");
    }
    if (payload != nullptr && !payload->empty()) payload->pop_back();
  }

  StringId intern(std::string_view text) { return texts_.intern(text); }

  /// The JSON of a payload; empty, and counted as damaged, if it is none.
  std::optional<dom::element> json_of(const Entry& entry) {
    dom::element element;
    if (payload_parser_.parse(entry.payload).get(element) == simdjson::SUCCESS) return element;
    ++rows_.log.damaged;
    return std::nullopt;
  }
  std::optional<dom::object> object_of(const Entry& entry) {
    const std::optional<dom::element> element = json_of(entry);
    if (element && !element->is_object()) ++rows_.log.damaged;
    return element ? object_of(*element) : std::nullopt;
  }
  static std::optional<dom::object> object_of(const dom::element& element) {
    dom::object object;
    return element.get(object) == simdjson::SUCCESS ? std::optional(object) : std::nullopt;
  }
  static std::optional<dom::object> member(const Entry& entry) { return object_of((*entry.json.begin()).value); }

  /// Row of the compilation with that id, which is added if it is new; kNone without id.
  std::int64_t row_of(const Entry& entry) {
    if (entry.id.empty()) return kNone;
    const auto [at, is_new] = rows_by_id_.try_emplace(entry.id, rows_.compilations.size());
    if (is_new) add_row(entry);
    Compilation& row = rows_.compilations[at->second];
    row.attempt = std::max(row.attempt, number_of(entry.json, "attempt"));
    if (row.finished == 0) seen_[at->second].second = entry.line.time;
    return static_cast<std::int64_t>(at->second);
  }
  void add_row(const Entry& entry) {
    rows_.compilations.push_back({.compile_id = intern(entry.id)});
    seen_.emplace_back(entry.line.time, entry.line.time);
  }
  Compilation* compilation(const Entry& entry) {
    const std::int64_t row = row_of(entry);
    return row == kNone ? nullptr : &rows_.compilations[static_cast<std::size_t>(row)];
  }
  PendingCode& pending(const Entry& entry) {
    return code_.pending(entry.id, row_of(entry), number_of(entry.json, "attempt"));
  }

  /// Lines have no year and no zone, which are in quarters of an hour.
  void set_clock(const Entry& entry, std::int64_t time) {
    constexpr std::int64_t kQuarter = 900'000'000'000;
    if (rows_.clock == kNoCell && time != kNoCell && time > entry.line.time)
      rows_.clock = (time - entry.line.time + kQuarter / 2) / kQuarter * kQuarter;
  }

  void read_text(const Entry& entry) {
    dom::array pair;
    std::string_view text;
    std::int64_t number = 0;
    if (entry.json["str"].get(pair) == simdjson::SUCCESS && pair.at(0).get(text) == simdjson::SUCCESS &&
        pair.at(1).get(number) == simdjson::SUCCESS)
      files_[number] = text;
  }

  void read_start(const Entry& entry) {
    // Several processes, or a reset, may count from 0/0 again.
    if (const auto at = rows_by_id_.find(entry.id);
        at != rows_by_id_.end() && rows_.compilations[at->second].finished != 0)
      rows_by_id_.erase(at);
    Compilation* const row = compilation(entry);
    const std::optional<dom::object> start = member(entry);
    dom::object frame;
    dom::array stack;
    if (row == nullptr || !start || (*start)["stack"].get(stack) != simdjson::SUCCESS || stack.size() == 0 ||
        stack.at(stack.size() - 1).get(frame) != simdjson::SUCCESS)
      return;
    set_function(*row, text_of(frame, "name"), files_[number_of(frame, "filename")], number_of(frame, "line"));
  }
  void set_function(Compilation& row, std::string_view name, std::string_view file, std::int64_t line) {
    if (name.empty()) return;
    row.function = intern(name);
    row.file = intern(file);
    row.line = line;
    row.place = intern(place_text(file, line));
  }

  void read_graph(const Entry& entry) {
    if (Compilation* const row = compilation(entry)) row->graphs = 1;
  }

  void read_metrics(const Entry& entry) {
    const std::optional<dom::object> known_metrics = member(entry);
    if (!known_metrics) return;
    const dom::object metrics = *known_metrics;
    std::int64_t number = row_of(entry);
    if (number == kNone || rows_.compilations[static_cast<std::size_t>(number)].finished != 0) {
      number = static_cast<std::int64_t>(rows_.compilations.size());
      add_row(entry);
      if (!entry.id.empty()) rows_by_id_[entry.id] = static_cast<std::size_t>(number);
    }
    code_.flush(entry.id, number);
    Compilation& row = rows_.compilations[static_cast<std::size_t>(number)];
    set_function(row, text_of(metrics, "co_name"), text_of(metrics, "co_filename"),
                 number_of(metrics, "co_firstlineno"));
    set_durations(entry, metrics, row);
    row.finished = 1;
    row.graph_nodes = number_of(metrics, "graph_node_count");
    row.graph_calls = number_of(metrics, "graph_op_count");
    row.guards = number_of(metrics, "guard_count");
    if (const std::string_view failure = text_of(metrics, "fail_type"); !failure.empty())
      row.failure = intern(std::string(failure).append(": ").append(text_of(metrics, "fail_reason")));
    add_restarts(entry, metrics, number);
    if (rows_.log.version == 0) rows_.log.version = intern(text_of(metrics, "pytorch_version"));
  }
  void set_durations(const Entry& entry, const dom::object& metrics, Compilation& row) {
    const auto known = [&](std::string_view now, std::string_view before) {
      const std::int64_t number = number_of(metrics, now, kMicrosecond);
      return number == kNoCell ? number_of(metrics, before, kSecond) : number;
    };
    row.start = known("start_time_us", "start_time");
    std::int64_t duration = known("duration_us", "entire_frame_compile_time_s");
    if (duration == kNoCell) duration = known("dynamo_cumulative_compile_time_us", "");
    const auto at = static_cast<std::size_t>(&row - rows_.compilations.data());
    if (duration >= 0) seen_[at].second = seen_[at].first + duration;
    if (row.start != kNoCell && duration >= 0) row.end = row.start + duration;
    set_clock(entry, row.end);
    row.backend = known("aot_autograd_cumulative_compile_time_us", "backend_compile_time_s");
    row.inductor = known("inductor_cumulative_compile_time_us", "inductor_compile_time_s");
    row.code_generation = known("inductor_code_gen_cumulative_compile_time_us", "code_gen_time_s");
    row.triton = known("triton_compile_time_us", "");
  }
  /// A restart is a break of the graph; newer logs have an entry of its own for it, which says where.
  void add_restarts(const Entry& entry, const dom::object& metrics, std::int64_t number) {
    Compilation& row = rows_.compilations[static_cast<std::size_t>(number)];
    dom::element reasons;
    if (metrics["restart_reasons"].get(reasons) != simdjson::SUCCESS) return;
    const bool is_stated = row.graph_breaks > 0;
    each_text(reasons, [&](std::string_view text) {
      ++row.restarts;
      if (is_stated || text.starts_with("<class")) return;
      ++row.graph_breaks;
      rows_.breaks.push_back({.time = entry.line.time, .compilation = number});
      rows_.breaks.back().reason = intern(text.substr(0, text.find('\n')));
    });
  }

  void read_autotuning(const Entry& entry) {
    const std::optional<dom::object> metrics = member(entry);
    const std::int64_t more = metrics ? number_of(*metrics, "runtime_triton_autotune_time_us", kMicrosecond) : kNoCell;
    Compilation* const row = compilation(entry);
    if (row != nullptr && more != kNoCell) row->autotuning = more + std::max<std::int64_t>(row->autotuning, 0);
  }

  void read_phase(const Entry& entry) {
    const std::optional<dom::object> event = object_of(entry);
    const std::int64_t time = event ? number_of(*event, "ts", kMicrosecond) : kNoCell;
    if (time == kNoCell) return;
    const std::string_view kind = text_of(*event, "ph");
    set_clock(entry, time);
    const auto key = std::make_pair(std::string(text_of(*event, "name")), number_of(*event, "tid"));
    if (kind == "B" && open_.size() < kMaxOpen) open_[key].push_back(time);
    const auto at = open_.find(key);
    if (kind != "E" || at == open_.end()) return;
    rows_.phases.push_back({at->second.back(), std::max(time, at->second.back()), row_of(entry), intern(key.first)});
    at->second.pop_back();
    if (at->second.empty()) open_.erase(at);
  }

  void read_break(const Entry& entry) {
    const BreakReason why = break_reason(entry.payload);
    rows_.breaks.push_back({entry.line.time, row_of(entry), why.line, intern(place_text(why.file, why.line)),
                            intern(why.file), intern(why.reason), intern(why.explanation), intern(why.hint),
                            intern(why.frames)});
    if (Compilation* const row = compilation(entry)) ++row->graph_breaks;
  }

  void read_recompile(const Entry& entry) {
    std::vector<std::string> reasons;
    if (!trimmed(entry.payload).starts_with('['))
      reasons = {entry.payload};
    else if (const std::optional<dom::element> json = json_of(entry))
      each_text(*json, [&](std::string_view text) { reasons.emplace_back(text); });
    if (reasons.empty()) return;
    const FailedGuard failed = failed_guard(reasons.front());
    rows_.recompiles.push_back({entry.line.time, row_of(entry), failed.place.line,
                                static_cast<std::int64_t>(reasons.size()), intern(failed.previous),
                                intern(failed.guard), intern(place_text(failed.place.file, failed.place.line)),
                                intern(failed.place.file), intern(failed.place.code)});
  }

  void read_error(const Entry& entry) {
    Compilation* const row = compilation(entry);
    const std::string_view text = trimmed(entry.payload);
    if (row != nullptr && row->failure == 0) row->failure = intern(text.substr(text.rfind('\n') + 1));
  }

  void read_schedule(const Entry& entry) {
    std::int64_t position = 0;
    if (const std::optional<dom::element> json = json_of(entry))
      each_text(*json, [&](std::string_view operation) {
        rows_.schedules.push_back({row_of(entry), position++, intern(operation)});
      });
  }

  void read_mappings(const Entry& entry) {
    const std::optional<dom::object> json = object_of(entry);
    if (!json) return;
    PendingCode& code = pending(entry);
    code.is_mapped = true;
    code.texts.before_to_after = lists_of(*json, "preToPost");
    code.texts.after_to_before = lists_of(*json, "postToPre");
    code.texts.kernel_to_after = lists_of(*json, "cppCodeToPost");
    code.texts.after_to_kernel = lists_of(*json, "postToCppCode");
  }
  void read_stacks(const Entry& entry) {
    if (const std::optional<dom::object> json = object_of(entry)) pending(entry).stacks = lists_of(*json);
  }

  /// Completes times of what only lines say, on the clock of the rest.
  void set_times() {
    const std::int64_t clock = rows_.clock == kNoCell ? 0 : rows_.clock;
    for (GraphBreak& row : rows_.breaks) row.time += clock;
    for (Recompile& row : rows_.recompiles) row.time += clock;
    for (std::size_t r = 0; r < seen_.size(); ++r) {
      Compilation& row = rows_.compilations[r];
      if (row.start == kNoCell) row.start = seen_[r].first + clock;
      if (row.end == kNoCell) row.end = std::max(row.start, seen_[r].second + clock);
    }
  }

  Tables& texts_;
  CompileRows rows_;
  CodeRows code_;
  dom::parser parser_, payload_parser_;
  std::map<std::int64_t, std::string> files_;
  std::map<std::string, std::size_t> rows_by_id_;
  std::vector<std::pair<std::int64_t, std::int64_t>> seen_;  ///< first and last line of each compilation
  std::map<std::pair<std::string, std::int64_t>, std::vector<std::int64_t>> open_;  ///< begins of phases
};

}  // namespace

CompileRows read_log(const std::string& path, Tables& texts) { return LogReader(texts).read(path); }

}  // namespace assay::torch_compile
