#include "rows.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "algo/properties.hpp"

namespace assay::pipeline {
namespace {

bool is_message(CollectiveKind kind) {
  return kind == CollectiveKind::kSend || kind == CollectiveKind::kReceive || kind == CollectiveKind::kSendReceive;
}

bool lists_messages(const Report& report) {
  return report.table(kMessages) != nullptr && report.table(kMessages)->rows > 0;
}

/// Kernels that send or receive, if the profile does not list messages.
std::set<Row> unnamed_messages(const Report& report) {
  std::set<Row> kernels;
  if (lists_messages(report)) return kernels;
  for (std::size_t c = 0; c < report.collectives->rows; ++c) {
    if (is_message(report.collectives->kind[c])) kernels.insert(report.collectives->kernel[c]);
  }
  return kernels;
}

/// Kernels that may carry messages, by launching thread.
struct Launches {
  std::map<std::int64_t, std::vector<std::pair<std::int64_t, Row>>> of_thread;  ///< thread -> start, kernel; sorted
  std::map<std::int64_t, Row> of_correlation;

  explicit Launches(const Report& report) {
    const CollectiveTable& t = *report.collectives;
    for (std::size_t c = 0; c < t.rows; ++c) {
      const Row kernel = t.kernel[c], call = report.kernels->call[kernel];
      if (!is_message(t.kind[c]) && t.kind[c] != CollectiveKind::kUnknown) continue;
      if (report.kernels->correlation.present()) of_correlation.emplace(report.kernels->correlation[kernel], kernel);
      if (call == kNone || report.calls == nullptr) continue;
      of_thread[report.calls->thread[call]].emplace_back(report.calls->start[call], kernel);
    }
    for (auto& [thread, all] : of_thread) std::ranges::sort(all);
  }

  /// The first kernel launched on the thread after a time: one kernel carries all messages of a batch and is launched
  /// after the last call of it. kNone: none.
  [[nodiscard]] Row after(std::int64_t thread, std::int64_t time) const {
    const auto launches = of_thread.find(thread);
    if (launches == of_thread.end()) return kNone;
    const auto at = std::ranges::lower_bound(launches->second, time, {}, [](const auto& l) { return l.first; });
    return at == launches->second.end() ? kNone : at->second;
  }
};

/// Rows of the table of messages by the kernel that carries them. Kernels with their own message data need no call.
std::map<Row, std::vector<std::size_t>> messages_by_kernel(const Report& report, const DeclaredTable& messages) {
  const Launches launches(report);
  const auto times = messages.integers("time"), threads = messages.integers("thread");
  const auto correlations = messages.integers("correlation");
  std::map<Row, std::vector<std::size_t>> of_kernel, of_call;
  for (std::size_t m = 0; m < messages.rows; ++m) {
    if (const auto at = launches.of_correlation.find(correlations[m]); at != launches.of_correlation.end())
      of_kernel[at->second].push_back(m);
    else if (const Row kernel = launches.after(threads[m], times[m]); kernel != kNone)
      of_call[kernel].push_back(m);
  }
  of_kernel.merge(of_call);
  return of_kernel;
}

/// The pass that a range or operator name indicates, forward or backward.
stages::Pass pass_in(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (lower.find("backward") != std::string::npos || lower.starts_with("bwd") || lower.starts_with("autograd::engine"))
    return stages::Pass::kBackward;
  return lower.find("forward") != std::string::npos || lower.starts_with("fwd") ? stages::Pass::kForward
                                                                                : stages::Pass::kUnknown;
}

/// The pass indicated by the ranges around a kernel's launch, innermost first.
class PassOfKernels {
 public:
  explicit PassOfKernels(const Report& report) : report_(report) {}

  stages::Pass pass_of(Row kernel) {
    const Row call = report_.kernels->call[kernel];
    if (call == kNone || report_.calls == nullptr || !report_.calls->range.present() || report_.ranges == nullptr)
      return stages::Pass::kUnknown;
    for (Row r = report_.calls->range[call]; r != kNone; r = report_.ranges->parent[r]) {
      const StringId name = report_.ranges->name[r];
      const auto [at, fresh] = known_.emplace(name, stages::Pass::kUnknown);
      if (fresh) at->second = pass_in(report_.string(name));
      if (at->second != stages::Pass::kUnknown) return at->second;
    }
    return stages::Pass::kUnknown;
  }

 private:
  const Report& report_;
  std::map<StringId, stages::Pass> known_;
};

struct EventRow {
  std::size_t step;
  stages::CommEvent event;
};
struct SideRow {
  std::size_t step, event;
  std::int64_t sends, peer, bytes, group;
};

/// Rows of one report under construction.
class RankRows {
 public:
  RankRows(const Report& report, const DeviceWork& work)
      : report_(report), work_(work), passes_(report), unnamed_(unnamed_messages(report)) {
    messages_ = report.table(kMessages);
    if (messages_ == nullptr) return;
    of_kernel_ = messages_by_kernel(report, *messages_);
  }

  void add(std::size_t number, const DeviceStep& step) {
    Intervals events_time;
    std::int64_t done = step.window.start, count = 0;
    std::optional<Piece> piece;
    for (const Row kernel : step.kernels) {
      const Interval time{report_.kernels->start[kernel], report_.kernels->end[kernel]};
      if (!work_.communicates(static_cast<std::size_t>(kernel))) {
        const auto pass = static_cast<std::int64_t>(passes_.pass_of(kernel));
        if (piece && piece->pass == pass) {
          piece->time.end = std::max(piece->time.end, time.end);
        } else {
          close(number, piece);
          piece = Piece{count, time, pass};
        }
        continue;
      }
      close(number, piece);
      stages::CommEvent event{time, compute_in({done, time.start}), compute_in({std::max(done, time.start), time.end})};
      done = std::max(done, time.end);
      events_time.push_back(time);
      add_sides(number, static_cast<std::size_t>(count++), kernel);
      events.push_back({number, event});
    }
    close(number, piece);
    work_after.push_back(compute_in({done, step.window.end}));
    for (const Interval& event : merge(events_time)) {
      for (const Interval& bare : complement(DeviceWork::within(work_.compute(), event), event)) {
        uncovered.push_back(bare);
        uncovered_step.push_back(static_cast<std::int64_t>(number));
      }
    }
  }

  std::vector<EventRow> events;
  std::vector<SideRow> sides;
  std::vector<std::pair<std::size_t, Piece>> pieces;
  std::vector<std::int64_t> work_after, uncovered_step;
  Intervals uncovered;
  std::vector<std::string> groups;

 private:
  [[nodiscard]] std::int64_t compute_in(Interval time) const {
    return time.end <= time.start ? 0 : measure(DeviceWork::within(work_.compute(), time));
  }
  void close(std::size_t number, std::optional<Piece>& piece) {
    if (piece) pieces.emplace_back(number, *piece);
    piece.reset();
  }
  void add_sides(std::size_t step, std::size_t event, Row kernel) {
    if (unnamed_.contains(kernel)) sides.push_back({step, event, 0, kNoInteger, -1, 0});
    const auto at = of_kernel_.find(kernel);
    if (at == of_kernel_.end()) return;
    for (const std::size_t m : at->second) {
      const std::string group(report_.string(messages_->texts("group_ranks")[m]));
      const auto place = std::ranges::find(groups, group) - groups.begin();
      if (place == std::ssize(groups)) groups.push_back(group);
      sides.push_back({step, event, messages_->integers("sends")[m], messages_->integers("peer")[m],
                       messages_->integers("bytes")[m], place});
    }
  }

  const Report& report_;
  const DeviceWork& work_;
  PassOfKernels passes_;
  std::set<Row> unnamed_;
  const DeclaredTable* messages_ = nullptr;
  std::map<Row, std::vector<std::size_t>> of_kernel_;
};

void emit_steps(const DeviceWork& work, const std::vector<DeviceStep>& steps, const RankRows& rows, ReportSink& sink) {
  std::vector<StepParts> parts;
  for (const DeviceStep& step : steps) parts.push_back(work.parts(step.window));
  Table table("steps", "steps");
  table.column("step", "", steps, [](const DeviceStep& s) { return s.number; });
  table.column("host_start", "ns", steps, [](const DeviceStep& s) { return s.host.start; });
  table.column("start", "ns", steps, [](const DeviceStep& s) { return s.window.start; });
  table.column("end", "ns", steps, [](const DeviceStep& s) { return s.window.end; });
  table.column("compute", "ns", parts, &StepParts::compute_busy);
  table.column("copy", "ns", parts, &StepParts::copy_only);
  table.add("work_after", "ns", rows.work_after);
  sink.rank_rows(table);
}

}  // namespace

bool has_messages(const Report& report) { return lists_messages(report) || !unnamed_messages(report).empty(); }

void emit_rank(const Report& report, const DeviceWork& work, const std::vector<DeviceStep>& steps, ReportSink& sink) {
  RankRows rows(report, work);
  for (std::size_t s = 0; s < steps.size(); ++s) rows.add(s, steps[s]);
  Table rank("rank", "rank");
  rank.add("origin", "ns", std::vector<std::int64_t>{origin_of(report).value_or(kNoInteger)});
  sink.rank_rows(rank);
  Table groups("groups", "communicators");
  groups.add("name", "", rows.groups);
  sink.rank_rows(groups);
  emit_steps(work, steps, rows, sink);
  Table events("events", "kernels that communicate");
  events.column("step", "", rows.events, &EventRow::step);
  events.column("start", "ns", rows.events, [](const EventRow& e) { return e.event.time.start; });
  events.column("end", "ns", rows.events, [](const EventRow& e) { return e.event.time.end; });
  events.column("before", "ns", rows.events, [](const EventRow& e) { return e.event.work_before; });
  events.column("covered", "ns", rows.events, [](const EventRow& e) { return e.event.covered; });
  sink.rank_rows(events);
  Table sides("sides", "sides of messages");
  sides.column("step", "", rows.sides, &SideRow::step).column("event", "", rows.sides, &SideRow::event);
  sides.column("sends", "", rows.sides, &SideRow::sends).column("peer", "", rows.sides, &SideRow::peer);
  sides.column("bytes", "bytes", rows.sides, &SideRow::bytes).column("group", "", rows.sides, &SideRow::group);
  sink.rank_rows(sides);
  Table pieces("pieces", "compute between messages");
  pieces.column("step", "", rows.pieces, [](const auto& p) { return p.first; });
  pieces.column("event", "", rows.pieces, [](const auto& p) { return p.second.event; });
  pieces.column("start", "ns", rows.pieces, [](const auto& p) { return p.second.time.start; });
  pieces.column("end", "ns", rows.pieces, [](const auto& p) { return p.second.time.end; });
  pieces.column("pass", "", rows.pieces, [](const auto& p) { return p.second.pass; });
  sink.rank_rows(pieces);
  Table uncovered("uncovered", "communication without compute");
  uncovered.add("step", "", rows.uncovered_step);
  uncovered.column("start", "ns", rows.uncovered, &Interval::start);
  uncovered.column("end", "ns", rows.uncovered, &Interval::end);
  sink.rank_rows(uncovered);
}

namespace {

/// Reads the rows of one rank into its steps.
class RankReader {
 public:
  RankReader(const JobView& view, std::size_t rank, std::int64_t shift) : view_(view), rank_(rank), shift_(shift) {}

  [[nodiscard]] std::span<const std::int64_t> cells(std::string_view table, std::string_view column) const {
    return view_.integers(rank_, table, column);
  }

  /// `place`: index of the job's ranks by number; `groups`: all names of communicators.
  void read(const std::map<std::int64_t, std::uint32_t>& place, std::map<std::string, std::int64_t>& groups,
            std::vector<stages::RankStep>& steps, std::vector<std::vector<Piece>>& pieces,
            std::vector<std::vector<std::uint32_t>>& unnamed, std::set<std::int64_t>& missing) const {
    const auto compute = cells("steps", "compute"), copy = cells("steps", "copy"), after = cells("steps", "work_after");
    const auto start = cells("steps", "start"), end = cells("steps", "end");
    steps.resize(start.size());
    pieces.resize(start.size());
    unnamed.resize(start.size());
    for (std::size_t s = 0; s < steps.size(); ++s) {
      steps[s].window = {start[s] + shift_, end[s] + shift_};
      steps[s].compute = compute[s];
      steps[s].copy_only = copy[s];
      steps[s].work_after = after[s];
    }
    const auto of_event = cells("events", "step"), begin = cells("events", "start"), finish = cells("events", "end");
    const auto before = cells("events", "before"), covered = cells("events", "covered");
    for (std::size_t e = 0; e < begin.size(); ++e)
      step_at(steps, of_event[e]).events.push_back({{begin[e] + shift_, finish[e] + shift_}, before[e], covered[e]});
    read_sides(place, groups, steps, unnamed, missing);
    const auto of_bare = cells("uncovered", "step"), bare = cells("uncovered", "start"),
               till = cells("uncovered", "end");
    for (std::size_t u = 0; u < bare.size(); ++u)
      step_at(steps, of_bare[u]).uncovered.push_back({bare[u] + shift_, till[u] + shift_});
    const auto of_piece = cells("pieces", "step"), next = cells("pieces", "event"), from = cells("pieces", "start");
    const auto to = cells("pieces", "end"), pass = cells("pieces", "pass");
    for (std::size_t p = 0; p < from.size(); ++p)
      pieces[static_cast<std::size_t>(of_piece[p])].push_back({next[p], {from[p] + shift_, to[p] + shift_}, pass[p]});
  }

 private:
  static stages::RankStep& step_at(std::vector<stages::RankStep>& steps, std::int64_t at) {
    return steps[static_cast<std::size_t>(at)];
  }

  void read_sides(const std::map<std::int64_t, std::uint32_t>& place, std::map<std::string, std::int64_t>& groups,
                  std::vector<stages::RankStep>& steps, std::vector<std::vector<std::uint32_t>>& unnamed,
                  std::set<std::int64_t>& missing) const {
    std::vector<std::int64_t> known;
    for (const Str& name : view_.texts(rank_, "groups", "name"))
      known.push_back(groups.emplace(std::string(name.view()), static_cast<std::int64_t>(groups.size())).first->second);
    const auto step = cells("sides", "step"), event = cells("sides", "event"), sends = cells("sides", "sends");
    const auto peer = cells("sides", "peer"), bytes = cells("sides", "bytes"), group = cells("sides", "group");
    for (std::size_t s = 0; s < step.size(); ++s) {
      if (peer[s] == kNoInteger) {
        unnamed[static_cast<std::size_t>(step[s])].push_back(static_cast<std::uint32_t>(event[s]));
        continue;
      }
      const auto other = place.find(peer[s]);
      if (other == place.end()) {
        missing.insert(peer[s]);
        continue;
      }
      step_at(steps, step[s])
          .sides.push_back({sends[s] != 0, other->second, bytes[s], known[static_cast<std::size_t>(group[s])],
                            static_cast<std::uint32_t>(event[s])});
    }
  }

  const JobView& view_;
  std::size_t rank_;
  std::int64_t shift_;
};

}  // namespace

namespace {

/// If nothing names peers, the numbers of the ranks say that one is missing.
void name_first_missing(const Job& job, const std::map<std::int64_t, std::uint32_t>& place,
                        std::set<std::int64_t>& missing) {
  std::int64_t world = place.rbegin()->first + 1, rank = 0;
  for (std::size_t r = 0; r < job.ranks->rows; ++r) world = std::max(world, job.ranks->world[r]);
  while (place.contains(rank)) ++rank;
  if (rank < world) missing.insert(rank);
}

}  // namespace

JobRows read_job(const Job& job) {
  const JobView view(job);
  JobRows out;
  std::map<std::int64_t, std::uint32_t> place;
  for (std::size_t r = 0; r < view.rank_count(); ++r) {
    const std::int64_t number = view.rank(r).value_or(static_cast<std::int64_t>(r));
    if (!view.has(r, "steps") || !place.emplace(number, static_cast<std::uint32_t>(out.ranks.size())).second) continue;
    out.rows.push_back(static_cast<Row>(r));
    out.ranks.push_back(number);
    out.paths.emplace_back(view.path(r));
  }
  const auto origin = [&](std::size_t i) {
    return view.integers(static_cast<std::size_t>(out.rows[i]), "rank", "origin")[0];
  };
  out.clocks_known = !out.rows.empty();
  for (std::size_t i = 0; i < out.rows.size(); ++i) out.clocks_known = out.clocks_known && origin(i) != kNoInteger;
  std::map<std::string, std::int64_t> groups;
  std::map<std::int64_t, std::vector<std::size_t>> at;  // step number -> its row on each rank so far
  std::vector<std::vector<stages::RankStep>> steps(out.rows.size());
  std::vector<std::vector<std::vector<Piece>>> pieces(out.rows.size());
  std::vector<std::vector<std::vector<std::uint32_t>>> unnamed(out.rows.size());
  for (std::size_t i = 0; i < out.rows.size(); ++i) {
    out.bases.push_back(out.clocks_known ? origin(i) - origin(0) : 0);
    const RankReader reader(view, static_cast<std::size_t>(out.rows[i]), out.bases.back());
    reader.read(place, groups, steps[i], pieces[i], unnamed[i], out.missing);
    const auto numbers = reader.cells("steps", "step");
    for (std::size_t s = 0; s < numbers.size(); ++s) {
      if (std::vector<std::size_t>& rows = at[numbers[s]]; rows.size() == i) rows.push_back(s);
    }
  }
  for (const auto& [number, rows] : at) {
    if (rows.size() < out.rows.size()) continue;
    stages::JobStep& step = out.steps.emplace_back();
    step.number = number;
    auto& of_step = out.pieces.emplace_back();
    auto& starts = out.host_starts.emplace_back();
    auto& messages = out.unnamed.emplace_back();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      step.ranks.push_back(std::move(steps[i][rows[i]]));
      of_step.push_back(std::move(pieces[i][rows[i]]));
      messages.push_back(std::move(unnamed[i][rows[i]]));
      out.named = out.named && messages.back().empty();
      starts.push_back(view.integers(static_cast<std::size_t>(out.rows[i]), "steps", "host_start")[rows[i]]);
    }
    match_messages(step);
  }
  if (!out.named) name_first_missing(job, place, out.missing);
  return out;
}

}  // namespace assay::pipeline
