// Builds the graph of a replay: points and edges of calls, device work and iterations, in call order.
#pragma once

#include "algo/replay/inputs.hpp"
#include "algo/replay/replay.hpp"
#include "assay/algo/intervals.hpp"

namespace assay::replay {

/// A lag longer than this and than kManyMedians times the run's median is a wait for something outside the graph.
inline constexpr std::int64_t kMaxLag = 100'000;  // ns
inline constexpr std::int64_t kManyMedians = 8;
/// Upper bound on the time a waiting call takes in addition to the wait.
inline constexpr std::int64_t kOwnTime = 2'000;  // ns
/// How far the clocks of host and device may disagree about whether work had ended when a call returned.
inline constexpr std::int64_t kClocks = 10'000;  // ns
/// Launches a stream accepts before the next one has to wait for one to start.
inline constexpr std::size_t kQueueDepth = 1024, kMinQueueDepth = 1000;
/// A pause of the host of at least this long, in whose second half all work launched before it ends, and soon after
/// that a range or the pause, is a wait that no call shows: the program polls. Soon: kWakes, or this part of the pause.
inline constexpr std::int64_t kLongPause = 1'000'000, kWakes = 50'000;  // ns
inline constexpr std::int64_t kWakesPart = 100;
inline constexpr double kMaxUnlinked = 0.1, kMaxBroken = 0.25;

/// A lag that an edge would have instead of its own.
struct TypicalLag {
  std::uint32_t edge;
  std::int64_t lag;
};

class Builder {
 public:
  /// `typical`: gets the lags that differ where those of their kind are the run's medians; null: not asked for.
  Builder(const Report& report, const Inputs& inputs, std::vector<TypicalLag>* typical);
  Graph build();

  /// Device work whose launching call is missing, without work launched before the capture began.
  [[nodiscard]] std::size_t cut_off() const;

 private:
  struct Points {
    Point start, end;
  };
  struct Stream {
    std::uint32_t last = kNoIndex;  ///< work added last
    std::vector<Point> starts;      ///< of its work, in launch order
    std::vector<Point> awaited;     ///< work its next work waits for through events
  };
  struct Mark {
    std::int64_t time;
    std::int64_t number;
    std::uint32_t thread;
    enum class Kind : std::uint8_t {
      kBegin,  ///< of a step, and the end of the one before
      kFirst,  ///< of a step that follows no other one at once: no sooner than work launched before it has ended
      kEnd,    ///< of a step that no other one follows at once: also that of the work launched before
      kCloses  ///< of the last call and of all work
    } kind;
  };
  /// A lower bound on the start of a piece of work.
  struct Bound {
    Point from;
    std::int64_t lag, median;
    EdgeKind kind;
  };

  // Points and edges.
  Point point(std::int64_t seen) {
    graph_.first_edge.push_back(static_cast<std::uint32_t>(graph_.edges.size()));
    graph_.seen.push_back(seen);
    graph_.node_of.push_back(static_cast<std::uint32_t>(graph_.nodes.size() - 1));
    return static_cast<Point>(graph_.seen.size() - 1);
  }
  struct Lag {
    std::int64_t seen, typical;
  };
  void edge(Point from, Lag lag, EdgeKind kind, Part part) {
    if (typical_ != nullptr && lag.typical != lag.seen)
      typical_->push_back({static_cast<std::uint32_t>(graph_.edges.size()), lag.typical});
    graph_.edges.push_back({lag.seen, from, kind, part});
  }
  void edge(Point from, std::int64_t lag, EdgeKind kind, Part part) { edge(from, Lag{lag, lag}, kind, part); }
  Node& node(NodeKind kind, Row row, std::uint32_t thread) {
    graph_.nodes.push_back({kind, 0, row, thread, kNoPoint, kNoPoint});
    return graph_.nodes.back();
  }
  /// The measured lag, or the run's median if it is too long to be a lag.
  Lag seen_or_median(std::int64_t lag, std::int64_t median) {
    if (lag <= std::max(kMaxLag, kManyMedians * median)) return {lag, median};
    graph_.unexplained += lag - median;
    ++graph_.unexplained_count;
    return {median, median};
  }

  // Parameters estimated from the run itself.
  void find_wake();
  void find_depth();
  [[nodiscard]] bool waited(const OuterCall& call, std::size_t stream) const;

  // Calls.
  void add_call(std::uint32_t c);
  void end_call(std::uint32_t c, std::uint32_t n);
  void add_host_code(std::uint32_t before, std::int64_t until, std::uint32_t thread);
  [[nodiscard]] bool wakes_at(std::int64_t time, Interval pause, std::uint32_t thread);
  [[nodiscard]] Point done_before(const OuterCall& call) const;
  bool wait_for_targets(const OuterCall& call);
  void add_queue(const OuterCall& call, std::int64_t& own);
  void add_work_of(const OuterCall& call);

  // Events.
  void note_records(std::uint32_t c);
  [[nodiscard]] Point recorded(std::uint32_t record) const;
  void await_events(std::uint32_t c);

  // Device work.
  void add_work(std::uint32_t w);
  void add_launch(const Work& work);
  void add_awaited(const Work& work);
  void add_bounds(const Work& work);
  [[nodiscard]] Point ended_before(const Work& work) const;

  // Iterations.
  void plan_marks();
  void add_mark(const Mark& mark);
  [[nodiscard]] std::int64_t closing_time(const Mark& mark) const;

  const Report& report_;
  const Inputs& inputs_;
  std::vector<TypicalLag>* typical_;
  Graph graph_;
  std::size_t depth_ = kQueueDepth;
  std::vector<Stream> streams_;
  std::vector<Points> call_points_, work_points_;
  std::vector<std::uint32_t> last_call_, next_call_;
  std::vector<Point> thread_mark_;  ///< the last mark per thread
  std::vector<Point> recorded_;     ///< for each of inputs_.records: the point its event covers
  std::size_t next_record_ = 0;     ///< into inputs_.records, which are in call order, as are the waits
  std::size_t next_wait_ = 0;
  std::vector<Bound> bounds_;
  std::vector<Point> targets_;
  std::vector<Mark> marks_;
  std::vector<std::vector<std::int64_t>> range_ends_;  ///< by thread, sorted; empty until they are asked for
  Point last_mark_ = kNoPoint;
  std::int64_t last_number_ = 0;
};

}  // namespace assay::replay
