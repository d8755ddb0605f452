#include "lanes.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "algo/account/account.hpp"
#include "algo/functions/functions.hpp"
#include "algo/idle/waits.hpp"
#include "algo/short_name.hpp"
#include "assay/quantity.hpp"
#include "assay/words.hpp"

namespace assay::step_items {
namespace {

constexpr std::size_t kStreams = 6;      // those with most work have a lane
constexpr double kWorthWaiting = 0.002;  // of the step: shorter waits are not shown
constexpr std::array<std::string_view, 4> kDirections = {"copy", "copy h2d", "copy d2h", "copy d2d"};

using account::DeviceWork;

std::string words_of(IdleCause cause) {
  switch (cause) {
    case IdleCause::kHost:
      return "host code";
    case IdleCause::kLaunch:
      return "launch latency";
    case IdleCause::kCalls:
      return "launch calls";
    case IdleCause::kBlocked:
      return "a call";
    case IdleCause::kQueued:
      return "between queued work";
    case IdleCause::kStream:
      return "another stream";
    case IdleCause::kProfiler:
      return "the profiler";
    case IdleCause::kBetween:
      return "between steps";
    default:
      return "not known";
  }
}

class Lanes {
 public:
  Lanes(const Report& report, const account::Account& account, const step::Step& step, std::size_t number,
        const NameRules& classes)
      : report_(report), step_(step), number_(number), classes_(classes), account_(account) {}

  std::vector<Lane> all() {
    add_ranges();
    add_waits();
    add_phases();
    for (std::size_t d = 0; d < account_.devices().size(); ++d) {
      if (is_of_step(account_.devices()[d])) add_device(account_.devices()[d]);
    }
    add_idle();
    std::erase_if(out_, [](const Lane& lane) { return lane.pieces.empty(); });
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool is_of_step(const account::DeviceAccount& device) const {
    return step_.process == step::kAnyProcess || step_.process == device.process;
  }

  /// The part of a time in the step, from its start.
  [[nodiscard]] std::optional<Interval> clipped(std::int64_t start, std::int64_t end) const {
    const Interval part{std::max(start, step_.time.start), std::min(end, step_.time.end)};
    if (part.end <= part.start) return std::nullopt;
    return Interval{part.start - step_.time.start, part.end - step_.time.start};
  }

  [[nodiscard]] std::string text(StringId id) const { return std::string(report_.string(id)); }

  /// Rows of ranges of a level below the step, by start; of the capture those that are in no other.
  [[nodiscard]] std::vector<std::size_t> ranges_below(const std::vector<std::size_t>& outer) const {
    std::vector<std::size_t> rows;
    const RangeTable* const ranges = report_.ranges;
    if (ranges == nullptr || !ranges->parent.present()) return rows;
    for (std::size_t r = 0; r < ranges->rows; ++r) {
      const Row parent = ranges->parent[r];
      const bool below =
          outer.empty() ? parent == step_.range : std::ranges::binary_search(outer, static_cast<std::size_t>(parent));
      if (below && (step_.range != kNone || ranges->thread[r] == step_.thread) &&
          clipped(ranges->start[r], ranges->end[r]))
        rows.push_back(r);
    }
    return rows;
  }

  /// A range that is all of the step says nothing.
  [[nodiscard]] bool is_whole(const std::vector<std::size_t>& level) const {
    constexpr double kWhole = 0.9;
    if (level.size() != 1) return false;
    const auto time = clipped(report_.ranges->start[level[0]], report_.ranges->end[level[0]]);
    return time && static_cast<double>(time->end - time->start) >=
                       kWhole * static_cast<double>(step_.time.end - step_.time.start);
  }

  void add_ranges() {
    std::vector<std::size_t> level = ranges_below({});
    while (is_whole(level)) {
      std::vector<std::size_t> below = ranges_below(level);
      if (below.empty()) break;
      level = std::move(below);
    }
    for (const char* name : {"host ranges", ""}) {
      if (*name == '\0') level = ranges_below(level);
      Lane& lane = out_.emplace_back(Lane{name, "host", {}});
      for (const std::size_t r : level) {
        const Interval time = *clipped(report_.ranges->start[r], report_.ranges->end[r]);
        const std::string range = text(report_.ranges->name[r]);
        lane.pieces.push_back({time.start, time.end, time.end - time.start, {}, range, range + " on the host"});
      }
      if (lane.pieces.empty()) return;
      if (phases_.empty()) phases_ = level;
    }
  }

  /// Calls of the step's thread in which it waits for the device.
  void add_waits() {
    Lane& lane = out_.emplace_back(Lane{"host waits", "wait", {}});
    if (report_.calls == nullptr) return;
    const std::vector<idle::WaitKind> waits = idle::waits_of_calls(report_);
    const auto least =
        static_cast<std::int64_t>(kWorthWaiting * static_cast<double>(step_.time.end - step_.time.start));
    for (std::size_t c = 0; c < report_.calls->rows; ++c) {
      if (waits[c] == idle::WaitKind::kNone || report_.calls->thread[c] != step_.thread) continue;
      const auto time = clipped(report_.calls->start[c], report_.calls->end[c]);
      if (!time || time->end - time->start < least) continue;
      const std::string call = report_.calls->name.present() ? text(report_.calls->name[c]) : "a call";
      lane.pieces.push_back(
          {time->start, time->end, time->end - time->start, {}, "waits", "the host waits in " + call});
    }
  }

  template <class Use>
  void each_work(const Use& use) const {
    for (const account::DeviceAccount& device : account_.devices()) {
      if (!is_of_step(device)) continue;
      for (const auto* work :
           {&device.compute, &device.communication, &device.copies, &device.sets, &device.persistent}) {
        for (const DeviceWork& one : *work) {
          if (const auto time = clipped(one.start, one.end)) use(device, one, *time);
        }
      }
    }
  }

  /// For each range from the first to the last work that was launched in it.
  void add_phases() {
    Lane& lane = out_.emplace_back(Lane{"GPU by range", "phase", {}});
    if (report_.calls == nullptr || phases_.empty()) return;
    std::vector<std::pair<Interval, std::int64_t>> spans(phases_.size(), {{0, 0}, 0});
    each_work([&](const account::DeviceAccount&, const DeviceWork& work, Interval time) {
      if (work.call < 0) return;
      const std::int64_t launched = report_.calls->start[work.call];
      const auto after =
          std::ranges::upper_bound(phases_, launched, {}, [&](std::size_t r) { return report_.ranges->start[r]; });
      if (after == phases_.begin()) return;
      const auto p = static_cast<std::size_t>(after - phases_.begin() - 1);
      if (report_.ranges->end[phases_[p]] <= launched) return;
      auto& [span, sum] = spans[p];
      if (sum == 0) span.start = time.start;
      span = {std::min(span.start, time.start), std::max(span.end, time.end)};
      sum += time.end - time.start;
    });
    for (std::size_t p = 0; p < phases_.size(); ++p) {
      if (spans[p].second == 0) continue;
      const std::string name = text(report_.ranges->name[phases_[p]]);
      const std::string sum = quantity(static_cast<double>(spans[p].second), "ns");
      lane.pieces.push_back({spans[p].first.start,
                             spans[p].first.end,
                             spans[p].second,
                             {},
                             name + " " + sum,
                             filled("{} on the GPU: {} of work", {name, sum})});
    }
    std::ranges::stable_sort(lane.pieces, {}, &Piece::start);
  }

  [[nodiscard]] Piece piece_of(const DeviceWork& work, Interval time) const {
    Piece piece{time.start, time.end, time.end - time.start, {}, {}, {}};
    switch (work.kind) {
      case AccountKind::kGraph:
        piece.kind = "CUDA graph";
        piece.detail = "a CUDA graph, traced as a whole";
        return piece;
      case AccountKind::kCopy: {
        const CopyTable& copies = *report_.copies;
        const auto direction = copies.direction.present() ? static_cast<std::size_t>(copies.direction[work.row]) : 0;
        piece.kind = direction < kDirections.size() ? kDirections.at(direction) : kDirections[0];
        const std::int64_t bytes = copies.bytes.present() ? copies.bytes[work.row] : -1;
        if (bytes >= 0) piece.label = quantity(static_cast<double>(bytes), "bytes");
        piece.detail = piece.kind + (bytes >= 0 ? " of " + piece.label : "");
        return piece;
      }
      case AccountKind::kSet:
        piece.kind = piece.detail = "memory set";
        return piece;
      default:
        break;
    }
    const KernelTable& kernels = *report_.kernels;
    const std::string name = kernels.name.present() ? text(kernels.name[work.row]) : "kernel";
    piece.kind = work.kind == AccountKind::kCommunication ? "communication" : std::string(classes_.class_of(name));
    piece.detail = short_name(name);
    return piece;
  }

  void add_device(const account::DeviceAccount& device) {
    const std::string of = account_.devices().size() > 1 ? "GPU " + std::to_string(device.device) + " " : "";
    std::map<std::int32_t, std::pair<std::int64_t, std::vector<Piece>>> streams;
    Lane copies{of + "copies", "copies", {}};
    each_work([&](const account::DeviceAccount& own, const DeviceWork& work, Interval time) {
      if (&own != &device) return;
      if (work.kind == AccountKind::kCopy || work.kind == AccountKind::kSet) {
        copies.pieces.push_back(piece_of(work, time));
        return;
      }
      const bool graph = work.kind == AccountKind::kGraph;
      auto& [sum, pieces] = streams[graph ? report_.graphs->stream[work.row] : report_.kernels->stream[work.row]];
      sum += time.end - time.start;
      pieces.push_back(piece_of(work, time));
    });
    std::vector<std::pair<std::int64_t, std::int32_t>> by_work;
    for (const auto& [stream, work] : streams) by_work.emplace_back(-work.first, stream);
    std::ranges::sort(by_work);
    Lane others{of + "other streams", "work", {}};
    for (std::size_t s = 0; s < by_work.size(); ++s) {
      std::vector<Piece>& pieces = streams[by_work[s].second].second;
      if (s < kStreams)
        out_.push_back({of + "stream " + std::to_string(by_work[s].second), "work", std::move(pieces)});
      else
        others.pieces.insert(others.pieces.end(), pieces.begin(), pieces.end());
    }
    out_.push_back(std::move(others));
    out_.push_back(std::move(copies));
    for (Lane& lane : out_) std::ranges::stable_sort(lane.pieces, {}, &Piece::start);
  }

  void add_idle() {
    std::map<std::size_t, Lane> lanes;
    account_.each([](std::size_t, std::size_t, const DeviceWork&, std::int64_t) {},
                  [&](std::size_t, std::size_t d, const account::Idle& idle) {
                    const auto time = clipped(idle.time.start, idle.time.end);
                    if (!time) return;
                    Piece piece{
                        time->start, time->end, time->end - time->start, std::string(idle_cause_name(idle.cause)),
                        {},          {}};
                    piece.detail = idle.stated >= 0 ? text(report_.causes->name[idle.stated]) : words_of(idle.cause);
                    if (idle.range >= 0 && idle.cause == IdleCause::kHost)
                      piece.detail += " in " + text(report_.ranges->name[idle.range]);
                    if (idle.function >= 0) piece.detail += ", " + functions::function_text(report_, idle.function);
                    if (idle.blocked >= 0 && report_.calls->name.present())
                      piece.detail += ", " + text(report_.calls->name[idle.blocked]);
                    piece.label = piece.detail;
                    lanes[d].pieces.push_back(std::move(piece));
                  },
                  number_);
    for (auto& [d, lane] : lanes) {
      lane.role = "idle";
      lane.name = lanes.size() > 1 ? "GPU " + std::to_string(account_.devices()[d].device) + " idle" : "idle";
      std::ranges::stable_sort(lane.pieces, {}, &Piece::start);
      out_.push_back(std::move(lane));
    }
  }

  const Report& report_;
  const step::Step& step_;
  std::size_t number_;  ///< in the account's steps
  const NameRules& classes_;
  const account::Account& account_;
  std::vector<std::size_t> phases_;  ///< rows of ranges
  std::vector<Lane> out_;
};

}  // namespace

std::vector<Lane> lanes_of(const Report& report, const account::Account& account, const step::Step& step,
                           std::size_t number, const NameRules& classes) {
  return Lanes(report, account, step, number, classes).all();
}

}  // namespace assay::step_items
