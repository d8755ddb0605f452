#include "algo/replay/path.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "algo/replay/nodes.hpp"
#include "assay/algo/steps.hpp"

namespace assay::replay {
namespace {

constexpr std::string_view kNameless = "(none)";

std::string in_brackets(std::string_view text) { return "(" + std::string(text) + ")"; }

/// Numbers of names.
class NumberedNames {
 public:
  std::uint32_t text_id(std::string_view name) {
    const auto [at, added] = numbers_.try_emplace(std::string(name), static_cast<std::uint32_t>(texts_.size()));
    if (added) texts_.push_back(at->first);
    return at->second;
  }
  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<std::string> texts_;
};

class PathSplitter {
 public:
  PathSplitter(const Report& report, PathGrouping by, const NameRules& classes)
      : report_(report), by_(by), classes_(classes) {
    for (std::size_t p = 0; p < kParts; ++p)
      parts_.push_back(names_.text_id(in_brackets(part_name(static_cast<Part>(p)))));
    none_ = names_.text_id(kNameless);
  }

  /// The name under which a segment of a path that leads to a node counts.
  std::uint32_t name_of(const Node& node, EdgeKind kind, Part part) {
    const auto p = parts_[static_cast<std::size_t>(part)];
    switch (by_) {
      case PathGrouping::kPart:
        return p;
      case PathGrouping::kKernel:
      case PathGrouping::kClass:
        return kind == EdgeKind::kDuration && is_kernel(node) ? of_kernel(node.row) : p;
      case PathGrouping::kOperator:
        return of_operator(node);
      case PathGrouping::kRange:
        return of_range(node);
    }
    return p;
  }
  [[nodiscard]] const std::vector<std::string>& texts() const { return names_.texts(); }

 private:
  std::uint32_t of_string(StringId id, std::vector<std::uint32_t>& known) {
    if (known.size() <= id) known.resize(report_.strings.size, kUnknown);
    if (known[id] == kUnknown) {
      const std::string_view text = report_.string(id);
      known[id] = names_.text_id(by_ == PathGrouping::kClass ? classes_.class_of(text) : text);
    }
    return known[id];
  }

  std::uint32_t of_kernel(Row kernel) {
    const KernelTable& kernels = *report_.kernels;
    const Column<StringId>& name =
        by_ == PathGrouping::kKernel && kernels.short_name.present() ? kernels.short_name : kernels.name;
    return name.present() ? of_string(name[kernel], known_) : parts_[0];
  }

  std::uint32_t of_operator(const Node& node) {
    const Row call = call_of(report_, node);
    if (report_.ops == nullptr) return none_;
    Row op = kNone;
    if (is_kernel(node) && report_.kernels->op.present()) op = report_.kernels->op[node.row];
    if (op < 0 && call >= 0 && report_.calls->op.present()) op = report_.calls->op[call];
    while (op >= 0 && report_.ops->kind[op] != OpKind::kOperator) op = report_.ops->parent[op];
    return op < 0 ? none_ : of_string(report_.ops->name[op], known_);
  }

  /// The innermost range open on the thread when the call began, or else on another thread of the process.
  std::uint32_t of_range(const Node& node) {
    const Row call = call_of(report_, node);
    if (call < 0 || report_.ranges == nullptr || report_.ranges->rows == 0) return none_;
    const std::uint32_t thread = report_.calls->thread[call];
    const std::int64_t at = report_.calls->start[call];
    if (by_thread_.empty()) sort_ranges();
    Row found = innermost(by_thread_[thread], at);
    for (std::size_t t = 0; found < 0 && t < by_thread_.size(); ++t) {
      if (t != thread && report_.threads->process[t] == report_.threads->process[thread])
        found = innermost(by_thread_[t], at);
    }
    return found < 0 || is_iteration(found) ? none_ : of_string(report_.ranges->name[found], known_);
  }

  /// Iteration ranges have numbers in their names, so each would become a name of its own.
  [[nodiscard]] bool is_iteration(Row range) const {
    const IterationTable* iterations = report_.iterations;
    return iterations != nullptr &&
           std::binary_search(iterations->start.begin(), iterations->start.end(), report_.ranges->start[range]);
  }

  void sort_ranges() {
    by_thread_.resize(std::max<std::size_t>(1, report_.threads->rows));
    for (std::size_t r = 0; r < report_.ranges->rows; ++r)
      by_thread_[report_.ranges->thread[r]].push_back(static_cast<Row>(r));
  }

  /// Of ranges sorted by start: searched outwards from the last that began earlier.
  [[nodiscard]] Row innermost(const std::vector<Row>& ranges, std::int64_t at) const {
    const RangeTable& table = *report_.ranges;
    const auto after = std::upper_bound(ranges.begin(), ranges.end(), at,
                                        [&](std::int64_t time, Row row) { return time < table.start[row]; });
    if (after == ranges.begin()) return kNone;
    Row row = *std::prev(after);
    while (row >= 0 && table.end[row] < at) row = table.parent.present() ? table.parent[row] : kNone;
    return row;
  }

  static constexpr std::uint32_t kUnknown = 0xFFFFFFFFU;
  const Report& report_;
  PathGrouping by_;
  const NameRules& classes_;
  NumberedNames names_;
  std::vector<std::uint32_t> parts_, known_;
  std::uint32_t none_ = 0;
  std::vector<std::vector<Row>> by_thread_;
};

/// Paths and slacks of all iterations by one grouping.
class GroupedPath {
 public:
  GroupedPath(const Report& report, const Graph& graph, PathGrouping by, const NameRules& classes)
      : graph_(graph), splitting_(report, by, classes) {}

  void add(std::size_t iteration, const Piece& piece) {
    PathEntry& entry = at(splitting_.name_of(graph_.nodes[piece.node], piece.kind, piece.part));
    entry.time[iteration] += piece.end - piece.start;
    entry.total += piece.end - piece.start;
  }
  void add(const Node& node, std::int64_t slack) {
    PathEntry& entry = at(splitting_.name_of(node, EdgeKind::kDuration, part_of(node.kind)));
    if (entry.slack == kNoSlack || slack < entry.slack) entry.slack = slack;
  }
  [[nodiscard]] std::vector<PathEntry> sorted() && {
    for (std::size_t name = 0; name < out_.size(); ++name) out_[name].name = splitting_.texts()[name];
    std::erase_if(out_, [](const PathEntry& entry) { return entry.time.empty(); });
    std::stable_sort(out_.begin(), out_.end(),
                     [](const PathEntry& a, const PathEntry& b) { return a.total > b.total; });
    return std::move(out_);
  }

 private:
  PathEntry& at(std::uint32_t name) {
    if (out_.size() <= name) out_.resize(name + 1);
    if (out_[name].time.empty()) out_[name].time.resize(graph_.iterations.size(), 0);
    return out_[name];
  }

  const Graph& graph_;
  PathSplitter splitting_;
  std::vector<PathEntry> out_;
};

}  // namespace

std::vector<std::vector<PathEntry>> split_paths(const Report& report, const Graph& graph, const ReplayTimes& replayed,
                                                std::span<const PathGrouping> by, const NameRules& classes) {
  std::vector<GroupedPath> grouped;
  for (const PathGrouping grouping : by) grouped.emplace_back(report, graph, grouping, classes);
  for (std::size_t i = 0; i < graph.iterations.size(); ++i) {
    for (const Piece& piece : critical_path(graph, replayed, graph.iterations[i])) {
      for (GroupedPath& group : grouped) group.add(i, piece);
    }
    const Slacks slacks = slack(graph, replayed, graph.iterations[i]);
    for (std::size_t n = 0; n < slacks.slack.size(); ++n) {
      const Node& node = graph.nodes[slacks.first + n];
      if (slacks.slack[n] == kNoSlack || node.kind == NodeKind::kMark) continue;
      for (GroupedPath& group : grouped) group.add(node, slacks.slack[n]);
    }
  }
  std::vector<std::vector<PathEntry>> out;
  for (GroupedPath& group : grouped) out.push_back(std::move(group).sorted());
  return out;
}

std::vector<PathEntry> split_path(const Report& report, const Graph& graph, const ReplayTimes& replayed,
                                  PathGrouping by, const NameRules& classes) {
  return std::move(split_paths(report, graph, replayed, {&by, 1}, classes).front());
}

std::vector<PathPartEntry> split_parts(const Report& report, const Graph& graph, const ReplayTimes& replayed) {
  const NameRules no_classes{std::span<const Str>{}};
  const bool operators = report.ops != nullptr && report.ops->rows > 0;
  PathSplitter kernels(report, operators ? PathGrouping::kOperator : PathGrouping::kKernel, no_classes),
      rest(report, operators ? PathGrouping::kOperator : PathGrouping::kRange, no_classes);
  std::vector<PathPartEntry> out;
  std::map<std::tuple<bool, std::uint32_t, Part>, std::size_t> known;
  for (std::size_t i = 0; i < graph.iterations.size(); ++i) {
    for (const Piece& piece : critical_path(graph, replayed, graph.iterations[i])) {
      const Node& node = graph.nodes[piece.node];
      const bool kernel = piece.kind == EdgeKind::kDuration && is_kernel(node);
      PathSplitter& by = kernel ? kernels : rest;
      const std::uint32_t name = by.name_of(node, piece.kind, piece.part);
      const auto [at, added] = known.try_emplace({kernel, name, piece.part}, out.size());
      if (added)
        out.push_back({piece.part, by.texts()[name], std::vector<std::int64_t>(graph.iterations.size(), 0), 0});
      out[at->second].time[i] += piece.end - piece.start;
      out[at->second].total += piece.end - piece.start;
    }
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const PathPartEntry& a, const PathPartEntry& b) { return a.total > b.total; });
  return out;
}

StepIterations::StepIterations(const Report& report) {
  step::Steps steps = step::steps_of(report);
  if (!steps.found()) return;
  std::ranges::stable_sort(steps.kept, {}, [](const step::Step& step) { return step.host.start; });
  for (std::size_t s = 0; s < steps.kept.size(); ++s) {
    const step::Step& step = steps.kept[s];
    add(step.number, step.host, step.thread);
    const bool last = s + 1 == steps.kept.size();
    if (last || steps.kept[s + 1].host.start > step.until)
      add(kEndOfStep, {std::max(step.until, step.host.start), step.until}, step.thread);
  }
  table_.rows = start_.size();
  table_.number = {number_.data(), number_.size()};
  table_.start = {start_.data(), start_.size()};
  table_.end = {end_.data(), end_.size()};
  table_.thread = {thread_.data(), thread_.size()};
  table_.overlapping = {overlapping_.data(), overlapping_.size()};
}

void StepIterations::add(std::int64_t number, Interval time, std::uint32_t thread) {
  number_.push_back(number);
  start_.push_back(time.start);
  end_.push_back(time.end);
  thread_.push_back(thread);
  overlapping_.push_back(0);
}

Report StepIterations::in(const Report& report) const {
  Report out = report;
  if (!empty()) out.iterations = &table_;
  return out;
}

}  // namespace assay::replay
