#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "algo/functions/function_name.hpp"
#include "algo/replay/change.hpp"
#include "algo/replay/nodes.hpp"
#include "assay/algo/intervals.hpp"
#include "assay/algo/named_ranges.hpp"
#include "assay/algo/step_parts.hpp"
#include "assay/detail/step_names.hpp"

namespace assay::replay {
namespace {

/// Whether names are meant, each asked once.
template <class Fits>
class NameAnswers {
 public:
  NameAnswers(const Report& report, Fits fits) : report_(report), fits_(std::move(fits)), known_(report.strings.size) {}
  bool operator()(StringId name) {
    Answer& answer = known_[name];
    if (answer == Answer::kNotAsked) answer = fits_(report_.string(name)) ? Answer::kYes : Answer::kNo;
    return answer == Answer::kYes;
  }

 private:
  enum class Answer : std::uint8_t { kNotAsked, kNo, kYes };
  const Report& report_;
  Fits fits_;
  std::vector<Answer> known_;
};

struct FitsPattern {
  const std::string& pattern;
  bool folded = pattern.find("{i}") != std::string::npos;
  bool operator()(std::string_view name) const {
    return step::matches(pattern, name) || (folded && range_name_matches(pattern, name));
  }
};
using Matches = NameAnswers<FitsPattern>;

/// How much of some intervals, in normal form, lies in windows that come about by start.
class CoveredTime {
 public:
  explicit CoveredTime(const Intervals& intervals) : intervals_(intervals) {}
  /// ns.
  std::int64_t in(std::int64_t start, std::int64_t end) {
    while (at_ > 0 && intervals_[at_ - 1].end > start) --at_;
    while (at_ < intervals_.size() && intervals_[at_].end <= start) ++at_;
    std::int64_t covered = 0;
    for (std::size_t i = at_; i < intervals_.size() && intervals_[i].start < end; ++i)
      covered += std::min(end, intervals_[i].end) - std::max(start, intervals_[i].start);
    return covered;
  }

 private:
  const Intervals& intervals_;
  std::size_t at_ = 0;  ///< the first that ends behind the start of the last window
};

/// The operators inside the matching ones.
class OpsInside {
 public:
  OpsInside(const Report& report, Matches& matches, bool backward) : ops_(*report.ops) {
    const auto rows = static_cast<std::size_t>(ops_.rows);
    state_.resize(rows, kUnknown);
    for (std::size_t r = 0; r < rows; ++r) {
      if (ops_.kind[r] != OpKind::kPythonFunction && matches(ops_.name[r])) state_[r] = kMatches;
    }
    if (backward && ops_.sequence.present() && ops_.forward_thread.present()) add_backward();
  }

  [[nodiscard]] bool inside(Row row) {
    if (row < 0) return false;
    std::vector<Row> way;
    bool found = false;
    for (Row at = row; at >= 0;) {
      const auto i = static_cast<std::size_t>(at);
      if (state_[i] != kUnknown) {
        found = state_[i] != kOutside;
        break;
      }
      way.push_back(at);
      at = ops_.parent[i];
    }
    for (const Row r : way) state_[static_cast<std::size_t>(r)] = found ? kInside : kOutside;
    return found;
  }

  /// Adds the operators that run the backward pass of the matching ones or of what they contain. Operators without a
  /// node of their own in the graph carry the number of the next one that has a node, so for each number the last
  /// forward operator counts.
  void add_backward() {
    std::unordered_map<std::int64_t, Row> forward;
    for (std::size_t r = 0; r < state_.size(); ++r) {
      if (ops_.sequence[r] >= 0 && ops_.forward_thread[r] <= 0) forward[ops_.sequence[r]] = static_cast<Row>(r);
    }
    std::vector<std::size_t> found;
    for (std::size_t r = 0; r < state_.size(); ++r) {
      if (ops_.forward_thread[r] <= 0) continue;
      const auto at = forward.find(ops_.sequence[r]);
      if (at != forward.end() && inside(at->second)) found.push_back(r);
    }
    for (State& state : state_) state = state == kMatches ? kMatches : kUnknown;
    for (const std::size_t r : found) {
      if (state_[r] != kMatches) state_[r] = kBackward;
    }
  }

  /// Matching operators that no other matching one encloses.
  [[nodiscard]] std::size_t outermost() {
    std::size_t count = 0;
    for (std::size_t r = 0; r < state_.size(); ++r) {
      if (state_[r] == kMatches && !inside(ops_.parent[r])) ++count;
    }
    return count;
  }

  /// Host time covered by such operators, by thread.
  [[nodiscard]] std::map<std::uint32_t, Intervals> times() {
    std::map<std::uint32_t, Intervals> out;
    for (std::size_t r = 0; r < state_.size(); ++r) {
      if (inside(static_cast<Row>(r)) && !inside(ops_.parent[r]))
        out[ops_.thread[r]].push_back({ops_.start[r], ops_.end[r]});
    }
    for (auto& [thread, intervals] : out) intervals = merge(std::move(intervals));
    return out;
  }

 private:
  enum State : std::uint8_t { kUnknown, kOutside, kInside, kMatches, kBackward };
  const OpTable& ops_;
  std::vector<State> state_;
};

class SelectionBuilder {
 public:
  SelectionBuilder(const Report& report, const Graph& graph) : report_(report), graph_(graph) {
    out_.work.resize(graph.nodes.size(), 0);
    out_.calls.resize(graph.nodes.size(), 0);
  }

  /// Device work for which meant(node, row of its launching call) is true.
  template <class Meant>
  void add_work(Meant&& meant) {
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      const Node& node = graph_.nodes[n];
      if (node.kind == NodeKind::kCall || node.kind == NodeKind::kMark || !meant(node, call_of(report_, node)))
        continue;
      out_.work[n] = 1;
      ++out_.work_count;
      out_.work_time += graph_.seen[node.end] - graph_.seen[node.start];
    }
  }

  /// Host code within these intervals, by thread; null: the thread has none.
  template <class Of>
  void add_host(Of&& intervals_of) {
    out_.host.resize(graph_.edges.size(), 0);
    std::vector<std::optional<CoveredTime>> of_thread(report_.threads->rows);
    for (std::uint32_t thread = 0; thread < of_thread.size(); ++thread) {
      if (const Intervals* intervals = intervals_of(thread)) of_thread[thread].emplace(*intervals);
    }
    for (Point p = 0; p < graph_.points(); ++p) {
      const std::uint32_t n = graph_.node_of[p];
      const Node& node = graph_.nodes[n];
      if (node.kind != NodeKind::kCall && node.kind != NodeKind::kMark) continue;
      std::optional<CoveredTime>& covered = of_thread[node.thread];
      if (!covered) continue;
      if (node.kind == NodeKind::kCall && node.end == p) {
        out_.calls[n] = covered->in(graph_.seen[node.start], graph_.seen[p]) > 0 ? 1 : 0;
        out_.call_count += out_.calls[n];
      }
      for (std::uint32_t e = graph_.first_edge[p]; e < graph_.first_edge[p + 1]; ++e) {
        const Edge& edge = graph_.edges[e];
        const bool host = edge.kind == EdgeKind::kThread || edge.kind == EdgeKind::kHandOver ||
                          (edge.kind == EdgeKind::kDuration && node.kind == NodeKind::kCall);
        if (!host || edge.lag == 0 || graph_.seen[p] <= graph_.seen[edge.from]) continue;
        const std::int64_t meant = covered->in(graph_.seen[edge.from], graph_.seen[p]);
        out_.host[e] = std::min(meant, edge.lag);
        out_.host_time += node.kind == NodeKind::kCall ? out_.host[e] : 0;
      }
    }
  }

  Selection release() { return std::move(out_); }
  Selection& out() { return out_; }

 private:
  const Report& report_;
  const Graph& graph_;
  Selection out_;
};

void select_operators(const Report& report, Matches& matches, bool backward, SelectionBuilder& to) {
  if (report.ops == nullptr) return;
  OpsInside ops(report, matches, backward);
  to.out().instances = ops.outermost();
  to.add_work([&](const Node& node, Row call) {
    Row op = kNone;
    if (is_kernel(node) && report.kernels->op.present()) op = report.kernels->op[node.row];
    if (op < 0 && call >= 0 && report.calls->op.present()) op = report.calls->op[call];
    return ops.inside(op);
  });
  const auto times = ops.times();
  to.add_host([&](std::uint32_t thread) -> const Intervals* {
    const auto at = times.find(thread);
    return at == times.end() ? nullptr : &at->second;
  });
}

void select_ranges(const Report& report, const Graph& graph, Matches& matches, bool work, SelectionBuilder& to) {
  std::map<std::uint32_t, Intervals> of_process;
  const auto collect = [&](const RangeTable* table) {
    for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) {
      if (!matches(table->name[r])) continue;
      of_process[report.threads->process[table->thread[r]]].push_back({table->start[r], table->end[r]});
    }
  };
  collect(report.ranges);
  collect(report.spans);
  for (auto& [process, intervals] : of_process) {
    intervals = merge(std::move(intervals));
    to.out().instances += intervals.size();
  }
  const auto of_thread = [&](std::uint32_t thread) -> const Intervals* {
    const auto at = of_process.find(report.threads->process[thread]);
    return at == of_process.end() ? nullptr : &at->second;
  };
  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> last;  // by process and range start
  to.add_work([&](const Node& node, Row call) {
    if (call < 0 || !work) return false;
    const Intervals* intervals = of_thread(report.calls->thread[call]);
    const std::int64_t start = report.calls->start[call];
    if (intervals == nullptr) return false;
    const auto after = std::ranges::upper_bound(*intervals, start, {}, &Interval::start);
    if (after == intervals->begin() || std::prev(after)->end <= start) return false;
    last[{report.threads->process[report.calls->thread[call]], std::prev(after)->start}] = graph.node_of[node.end];
    return true;
  });
  for (const auto& [range, node] : last) to.out().last.push_back(node);
  to.add_host(of_thread);
}

/// Host code of functions of the program, by "tokenize" or "tokenize (stacks.py:8)".
void select_functions(const Report& report, const std::string& pattern, SelectionBuilder& to) {
  if (report.ops == nullptr) return;
  NameAnswers matches(report, [&](std::string_view name) {
    const functions::FunctionName of = functions::read_function_name(name);
    return of.line >= 0 && (step::matches(pattern, of.function) || step::matches(pattern, functions::text_of(of)));
  });
  std::map<std::uint32_t, Intervals> of_thread;
  for (std::size_t r = 0; r < report.ops->rows; ++r) {
    if (report.ops->kind[r] == OpKind::kPythonFunction && matches(report.ops->name[r]))
      of_thread[report.ops->thread[r]].push_back({report.ops->start[r], report.ops->end[r]});
  }
  for (auto& [thread, intervals] : of_thread) {
    intervals = merge(std::move(intervals));
    to.out().instances += intervals.size();
  }
  to.add_host([&](std::uint32_t thread) -> const Intervals* {
    const auto at = of_thread.find(thread);
    return at == of_thread.end() ? nullptr : &at->second;
  });
}

}  // namespace

Selection select(const Report& report, const Graph& graph, const Selector& selector, const NameRules& classes) {
  SelectionBuilder to(report, graph);
  Matches matches(report, {selector.pattern});
  switch (selector.target) {
    case Target::kKernel:
      to.add_work([&](const Node& node, Row) {
        if (!is_kernel(node)) return false;
        const KernelTable& kernels = *report.kernels;
        return (kernels.name.present() && matches(kernels.name[node.row])) ||
               (kernels.short_name.present() && matches(kernels.short_name[node.row]));
      });
      break;
    case Target::kClass: {
      NameAnswers of_class(
          report, [&](std::string_view name) { return step::matches(selector.pattern, classes.class_of(name)); });
      to.add_work([&](const Node& node, Row) {
        return is_kernel(node) && report.kernels->name.present() && of_class(report.kernels->name[node.row]);
      });
      break;
    }
    case Target::kCopy:
      to.add_work([&](const Node& node, Row) {
        return node.kind == NodeKind::kCopy && report.copies->direction.present() &&
               step::matches(selector.pattern, direction_name(report.copies->direction[node.row]));
      });
      break;
    case Target::kOperator:
      select_operators(report, matches, selector.backward, to);
      break;
    case Target::kRange:
      select_ranges(report, graph, matches, true, to);
      break;
    case Target::kHost: {
      select_ranges(report, graph, matches, false, to);
      if (to.out().instances == 0) select_functions(report, selector.pattern, to);
      Selection found = to.release();
      found.calls.assign(found.calls.size(), 0), found.call_count = 0;  // their waits stay as they are
      return found;
    }
    case Target::kLaunch: {
      select_ranges(report, graph, matches, false, to);
      if (to.out().instances > 0) break;
      select_operators(report, matches, false, to);
      break;
    }
  }
  return to.release();
}

}  // namespace assay::replay
