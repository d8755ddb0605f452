#include "timeline/chrome_trace.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "algo/functions/functions.hpp"
#include "assay/detail/communication.hpp"
#include "assay/detail/launching_calls.hpp"
#include "timeline/allocation_counters.hpp"
#include "timeline/declared_levels.hpp"
#include "timeline/table_rows.hpp"
#include "timeline/trace_events.hpp"
#include "timeline/trace_tracks.hpp"

namespace assay {
namespace {

class ChromeTrace {
 public:
  ChromeTrace(const Report& report, const TraceRange& range, TraceEvents& to)
      : report_(report), range_(range), events_(to), names_(report), functions_(report) {}
  /// As one of several processes.
  ChromeTrace(const Report& report, TraceEvents& to, const RankInTrace& rank)
      : report_(report), events_(to), names_(report), functions_(report), tracks_(rank.process), rank_(&rank) {
    for (const SharedCollective& c : rank.collectives) shared_.emplace(std::pair(c.start, c.end), &c);
  }

  void write(const DerivedTracks& derived) {
    write_iterations();
    write_ranges();
    write_calls();
    write_ops();
    write_spans();
    write_device_work();
    write_idle(derived.stretches, "mechanism");
    write_idle(derived.gaps, "idle");
    if (derived.path != nullptr) write_path(*derived.path);
    if (report_.allocations != nullptr)
      write_allocations(
          *report_.allocations, range_, [&](std::int64_t time) { return on_trace(time); }, tracks_, events_);
    for (const DeclaredTable* table : report_.declared) write_declared(*table);
    write_track_names();
  }

 private:
  static constexpr TraceTracks::NameIndex kUnnamed = std::numeric_limits<TraceTracks::NameIndex>::max();
  static constexpr std::string_view kToTheEnclosing = ",\"bp\":\"e\"";  ///< of an arrow's end: the event around it

  [[nodiscard]] std::int64_t on_trace(std::int64_t time) const {
    return rank_ == nullptr ? time : rank_->clock.aligned(time);
  }

  [[nodiscard]] std::string thread_name(std::uint32_t thread, const char* what) const {
    const ThreadTable& threads = *report_.threads;
    const bool named = threads.name.present() && !threads.name[thread].empty();
    if (threads.id[thread] != kNone || !named) return fmt::format("thread {} {}", threads.id[thread], what);
    const std::string name(threads.name[thread].view());
    const bool unique = std::ranges::count(threads.name.view(), threads.name[thread].view(), &Str::view) == 1;
    return name + (unique ? " " : " (" + std::to_string(thread) + ") ") + what;
  }
  /// Handles of equally named tracks, one per thread.
  [[nodiscard]] std::vector<TraceTracks::NameIndex> of_threads(const char* what, const Column<std::uint32_t>& threads) {
    std::vector<TraceTracks::NameIndex> named(report_.threads->rows, kUnnamed);
    for (const std::uint32_t thread : threads) {
      if (named[thread] == kUnnamed)
        named[thread] = tracks_.host(report_.threads->process[thread], thread_name(thread, what));
    }
    return named;
  }

  /// A complete event without arguments yet: the caller ends it. `category`, `name`: as JSON.
  TraceEvents& complete(Track track, std::string_view category, std::string_view name, std::int64_t start,
                        std::int64_t end) {
    return events_.begin("X", track)
        .time("ts", on_trace(start))
        .time("dur", on_trace(end) - on_trace(start))
        .field("cat", category)
        .field("name", name);
  }

  void write_iterations() {
    if (report_.iterations == nullptr) return;
    const IterationTable& t = *report_.iterations;
    for (std::size_t i = 0; i < t.rows; ++i) {
      if (!range_.shows(t.start[i], t.end[i])) continue;
      const auto named = tracks_.host(report_.threads->process[t.thread[i]], "iterations");
      const Track track = tracks_.track_for(named, t.start[i], t.end[i], Overlap::kNests);
      complete(track, R"("iteration")", json_text("iteration " + std::to_string(t.number[i])), t.start[i], t.end[i])
          .end();
    }
  }

  void write_ranges() {
    if (report_.ranges == nullptr) return;
    const RangeTable& t = *report_.ranges;
    const auto threads = of_threads("NVTX", t.thread);
    for (std::size_t i = 0; i < t.rows; ++i) {
      if (!range_.shows(t.start[i], t.end[i])) continue;
      const Track track = tracks_.track_for(threads[t.thread[i]], t.start[i], t.end[i], Overlap::kNests);
      complete(track, R"("nvtx")", names_[t.name[i]], t.start[i], t.end[i]).end();
    }
  }

  void write_spans() {
    if (report_.spans == nullptr) return;
    const RangeTable& t = *report_.spans;
    for (std::size_t i = 0; i < t.rows; ++i) {
      if (!range_.shows(t.start[i], t.end[i])) continue;
      const auto named = tracks_.host(report_.threads->process[t.thread[i]], "NVTX start/end ranges");
      const Track track = tracks_.track_for(named, t.start[i], t.end[i], Overlap::kNever);
      complete(track, R"("nvtx")", names_[t.name[i]], t.start[i], t.end[i]).end();
    }
  }

  void write_calls() {
    if (report_.calls == nullptr) return;
    const CallTable& t = *report_.calls;
    const auto threads = of_threads("API calls", t.thread);
    call_tracks_.resize(launching_.size());
    for (std::size_t i = 0; i < t.rows; ++i) {
      if (!range_.shows(t.start[i], t.end[i])) continue;
      const Track track = tracks_.track_for(threads[t.thread[i]], t.start[i], t.end[i], Overlap::kNests);
      if (const auto row = static_cast<Row>(i); launching_.contains(row)) call_tracks_[launching_.number(row)] = track;
      complete(track, R"("call")", names_[t.name.present() ? t.name[i] : 0], t.start[i], t.end[i]).end();
    }
  }

  void write_ops() {
    if (report_.ops == nullptr) return;
    const OpTable& t = *report_.ops;
    const auto threads = of_threads("operators", t.thread);
    for (std::size_t i = 0; i < t.rows; ++i) {
      if (!range_.shows(t.start[i], t.end[i])) continue;
      const Track track = tracks_.track_for(threads[t.thread[i]], t.start[i], t.end[i], Overlap::kNests);
      complete(track, R"("operator")", names_[t.name[i]], t.start[i], t.end[i]).end();
    }
  }

  template <class Table>
  TraceEvents& device_event(const Table& t, std::size_t i, std::string_view category, std::string_view name) {
    const std::int32_t device = t.device.present() ? t.device[i] : kNone;
    const std::int32_t stream = t.stream.present() ? t.stream[i] : kNone;
    const auto [named, fresh] = streams_.try_emplace({device, stream}, 0);
    if (fresh)
      named->second = tracks_.device(device, stream == kNone ? "stream unknown" : "stream " + std::to_string(stream));
    const Track track = tracks_.track_for(named->second, t.start[i], t.end[i], Overlap::kNever);
    write_arrow(t, i, track);
    device_track_ = track;
    return complete(track, category, name, t.start[i], t.end[i]);
  }

  /// From within the launching call to the start of the work.
  template <class Table>
  void write_arrow(const Table& t, std::size_t i, Track to) {
    if (report_.calls == nullptr || !t.call.present() || t.call[i] < 0) return;
    const Row call = t.call[i];
    if (!range_.shows(report_.calls->start[call], report_.calls->end[call])) return;
    constexpr std::string_view kLaunch = R"("launch")";
    const std::int64_t arrow = events_.next_arrow();
    events_.begin("s", call_tracks_[launching_.number(call)])
        .time("ts", on_trace(report_.calls->start[call]))
        .field("id", arrow)
        .field("cat", kLaunch)
        .field("name", kLaunch)
        .end();
    events_.begin("f", to)
        .time("ts", on_trace(t.start[i]))
        .field("id", arrow)
        .field("cat", kLaunch)
        .field("name", kLaunch)
        .end(kToTheEnclosing);
  }

  void write_device_work() {
    if (const KernelTable* t = report_.kernels) write_kernels(*t);
    for (std::size_t i = 0; report_.graphs != nullptr && i < report_.graphs->rows; ++i) {
      if (!range_.shows(report_.graphs->start[i], report_.graphs->end[i])) continue;
      TraceEvents& event = device_event(*report_.graphs, i, R"("graph")", R"("graph launch")");
      if (report_.graphs->graph.present()) event.arg("graph", report_.graphs->graph[i]);
      event.end();
    }
    for (std::size_t i = 0; report_.copies != nullptr && i < report_.copies->rows; ++i) {
      const CopyTable& t = *report_.copies;
      if (!range_.shows(t.start[i], t.end[i])) continue;
      const auto direction = t.direction.present() ? t.direction[i] : CopyDirection::kUnknown;
      end_with_bytes(device_event(t, i, R"("copy")", names_["copy " + std::string(direction_name(direction))]), t, i);
    }
    for (std::size_t i = 0; report_.sets != nullptr && i < report_.sets->rows; ++i) {
      if (!range_.shows(report_.sets->start[i], report_.sets->end[i])) continue;
      end_with_bytes(device_event(*report_.sets, i, R"("set")", R"("set")"), *report_.sets, i);
    }
  }

  template <class Table>
  static void end_with_bytes(TraceEvents& event, const Table& t, std::size_t i) {
    if (t.bytes.present() && t.bytes[i] >= 0) event.arg("bytes", t.bytes[i]);
    event.end();
  }

  void write_kernels(const KernelTable& t) {
    for (std::size_t i = 0; i < t.rows; ++i) {
      if (!range_.shows(t.start[i], t.end[i])) continue;
      const StringId name = t.short_name.present() ? t.short_name[i] : t.name.present() ? t.name[i] : 0;
      const SharedCollective* shared = claim_shared(t, i, name);
      end_kernel(device_event(t, i, R"("kernel")", names_[name]), t, i, shared);
      if (shared != nullptr) write_meeting(*shared);
    }
  }

  /// The collective of a kernel that other ranks have too; each is returned once.
  const SharedCollective* claim_shared(const KernelTable& t, std::size_t i, StringId name) {
    const auto at = shared_.find({t.start[i], t.end[i]});
    if (at == shared_.end() || !communicates(report_.string(name))) return nullptr;
    return shared_.extract(at).mapped();
  }

  /// This rank's part of the arrow through a collective, from the rank that arrived first to the last one.
  void write_meeting(const SharedCollective& shared) {
    constexpr std::string_view kCollective = R"("collective")";
    constexpr std::string_view kPhases[] = {"s", "t", "f"};
    events_.begin(kPhases[static_cast<std::size_t>(shared.part)], device_track_)
        .time("ts", on_trace(shared.start))
        .field("id", shared.number)
        .field("cat", kCollective)
        .field("name", kCollective)
        .end(shared.part == ArrowPart::kEnd ? kToTheEnclosing : std::string_view());
  }

  void end_kernel(TraceEvents& event, const KernelTable& t, std::size_t i, const SharedCollective* shared) {
    const auto add_shape = [&](std::string_view name, const Column<std::int32_t>& x, const Column<std::int32_t>& y,
                               const Column<std::int32_t>& z) {
      if (x.present() && y.present() && z.present()) event.arg(name, x[i], y[i], z[i]);
    };
    if (t.name.present()) event.arg("name", std::string_view(names_[t.name[i]]));
    add_shape("grid", t.grid_x, t.grid_y, t.grid_z);
    add_shape("block", t.block_x, t.block_y, t.block_z);
    if (t.registers.present() && t.registers[i] >= 0) event.arg("registers", t.registers[i]);
    if (shared != nullptr) {
      event.arg("collective", shared->number);
      if (shared->wait >= 0) event.arg("wait_ns", shared->wait);
    }
    event.end();
  }

  void write_idle(const OwnedTable* table, const char* track_name) {
    if (table == nullptr) return;
    constexpr TableColumn kColumns[] = {{"device", CellType::kInteger}, {"start", CellType::kInteger},
                                        {"end", CellType::kInteger},    {"gaps", CellType::kInteger},
                                        {"idle", CellType::kInteger},   {"cause", CellType::kText}};
    const auto columns = columns_of(*table, kColumns);
    if (!columns) return;
    const auto *device = (*columns)[0], *start = (*columns)[1], *end = (*columns)[2], *gaps = (*columns)[3],
               *idle = (*columns)[4], *cause = (*columns)[5];
    for (std::size_t i = 0; i < table->rows(); ++i) {
      if (!range_.shows(start->integers[i], end->integers[i])) continue;
      const auto named = tracks_.device(static_cast<std::int32_t>(device->integers[i]), track_name);
      const Track track = tracks_.track_for(named, start->integers[i], end->integers[i], Overlap::kNever);
      const std::string name = cause->texts[i] + function_in(cause->texts[i], {start->integers[i], end->integers[i]});
      complete(track, R"("idle")", names_[std::string_view(name)], start->integers[i], end->integers[i])
          .arg("gaps", gaps->integers[i])
          .arg("idle_ns", idle->integers[i])
          .end();
    }
  }

  /// ": tokenize (stacks.py:8)", the function of the steps' thread with most of a gap for the host's code; empty: none.
  std::string function_in(std::string_view cause, Interval gap) {
    if (cause != "host" || report_.steps == nullptr || report_.steps->rows == 0) return {};
    std::map<std::string, std::int64_t> times;
    functions_.each_in(report_.steps->thread[0], gap, [&](Interval part, Row row) {
      times[functions::function_text(report_, functions_.owner_of(row))] += part.end - part.start;
    });
    times.erase("");
    const auto most = std::ranges::max_element(times, {}, [](const auto& of) { return of.second; });
    return most == times.end() ? std::string() : ": " + most->first;
  }

  void write_path(const PathTrack& path) {
    for (const std::vector<PathSlice>& slices : path.iterations()) write_path(path.process(), slices);
  }

  void write_path(std::uint32_t process, const std::vector<PathSlice>& slices) {
    if (slices.empty()) return;
    const auto named = tracks_.host(process, "critical path");
    for (const PathSlice& slice : slices) {
      if (!range_.shows(slice.start, slice.end)) continue;
      const Track track = tracks_.track_for(named, slice.start, slice.end, Overlap::kNever);
      TraceEvents& event = complete(track, R"("path")", names_[replay::part_name(slice.part)], slice.start, slice.end);
      event.arg("iteration", slice.iteration);
      if (slice.name != 0) event.arg("name", std::string_view(names_[slice.name]));
      event.end();
    }
  }

  /// A declared table: its intervals as slices, its counters as tracks.
  void write_declared(const DeclaredTable& t) {
    const auto of_role = [&](CellRole role) {
      const auto at = std::ranges::find(t.columns, role, &DeclaredColumn::role);
      return at == t.columns.end() || at->cells == nullptr ? nullptr : &*at;
    };
    const auto integers = [](const DeclaredColumn& c) { return static_cast<const std::int64_t*>(c.cells); };
    const DeclaredColumn *begin = of_role(CellRole::kBegin), *end = of_role(CellRole::kEnd),
                         *label = of_role(CellRole::kLabel), *time = of_role(CellRole::kTime);
    const std::string title(t.title.view());
    const TraceTracks::NameIndex named = tracks_.host(0, title);
    for (std::size_t i = 0; begin != nullptr && end != nullptr && i < t.rows; ++i) {
      const std::int64_t from = integers(*begin)[i], to = integers(*end)[i];
      if (!range_.shows(from, to)) continue;
      const bool text = label != nullptr && label->kind == CellKind::kText;
      const std::string& name = text ? names_[static_cast<const StringId*>(label->cells)[i]] : json_text(title);
      complete(tracks_.track_for(named, from, to, Overlap::kNever), R"("table")", name, from, to).end();
    }
    if (time == nullptr) time = begin;
    const auto shows = [&](std::int64_t at) { return range_.shows(at, at); };
    each_level(t, time, of_role(CellRole::kKey), shows, [&](const DeclaredLevel& level) {
      const std::string name = json_text(level.name);
      events_.begin("C", {tracks_.process_of(named), 0})
          .time("ts", on_trace(level.time))
          .field("name", name)
          .end(fmt::format(",\"args\":{{{}:{}}}", name, level.value));
    });
  }

  [[nodiscard]] std::string process_name(const TrackGroup& group) const {
    if (rank_ != nullptr) return rank_->name;
    const bool host_of_none = !group.is_device && group.number >= static_cast<std::int64_t>(report_.processes->rows);
    if (host_of_none) return std::string(report_.path.view());
    if (!group.is_device)
      return "process " + std::to_string(report_.processes->id[static_cast<std::size_t>(group.number)]);
    std::string name = "GPU " + std::to_string(group.number);
    const DeviceTable& devices = *report_.devices;
    for (std::size_t i = 0; i < devices.rows; ++i) {
      if (devices.id[i] == group.number && devices.name.present() && !devices.name[i].view().empty())
        name += ": " + std::string(devices.name[i].view());
    }
    return group.number == kNone ? "GPU unknown" : name;
  }

  void write_track_names() {
    const auto name = [&](const char* kind, Track track, const std::string& text, std::int64_t order) {
      events_.begin("M", track)
          .field("name", json_text(std::string(kind) + "_name"))
          .arg("name", std::string_view(json_text(text)))
          .end();
      events_.begin("M", track)
          .field("name", json_text(std::string(kind) + "_sort_index"))
          .arg("sort_index", order)
          .end();
    };
    for (const TrackGroup& group : tracks_.groups()) {
      name("process", {group.id, 0}, process_name(group), group.id);
      if (rank_ != nullptr) {
        events_.begin("M", {group.id, 0})
            .field("name", json_text("process_labels"))
            .arg("labels", std::string_view(json_text(rank_->alignment)))
            .end();
      }
      for (const auto& [thread, text] : group.tracks) name("thread", {group.id, thread}, text, thread);
    }
  }

  const Report& report_;
  TraceRange range_;
  TraceEvents& events_;
  QuotedNames names_;
  functions::Functions functions_;
  TraceTracks tracks_;
  const RankInTrace* rank_ = nullptr;
  std::multimap<std::pair<std::int64_t, std::int64_t>, const SharedCollective*> shared_;  ///< by start and end
  Track device_track_;                                                                    ///< of the last device event
  std::map<std::pair<std::int32_t, std::int32_t>, TraceTracks::NameIndex> streams_;
  detail::LaunchingCalls launching_{report_};
  std::vector<Track> call_tracks_;  ///< of these calls
};

}  // namespace

void write_chrome_trace(const Report& report, const DerivedTracks& derived, std::ostream& to, const TraceRange& range) {
  TraceEvents events(to);
  ChromeTrace(report, range, events).write(derived);
  events.finish();
}

JobTrace::JobTrace(std::ostream& to, std::int64_t collectives) : events_(std::make_unique<TraceEvents>(to)) {
  events_->keep_arrows(collectives);
}
JobTrace::~JobTrace() = default;

void JobTrace::add(const Report& report, const DerivedTracks& derived, const RankInTrace& rank) {
  ChromeTrace(report, *events_, rank).write(derived);
}

void JobTrace::finish() { events_->finish(); }

}  // namespace assay
