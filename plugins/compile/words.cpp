#include "words.hpp"

#include <algorithm>
#include <map>

#include "assay/words.hpp"

namespace assay::compile {
namespace {

std::size_t count_of(const CauseList& list, CauseKind kind) {
  return static_cast<std::size_t>(std::ranges::count(list.causes, kind, &Cause::kind));
}

std::string worst_text(const CauseList& list) {
  const auto worst = std::ranges::find_if(
      list.causes, [](const Cause& cause) { return cause.kind == CauseKind::kBreak && !cause.place.empty(); });
  if (worst != list.causes.end())
    return filled("{} ({}) breaks the graph{}", {worst->place, worst->what.substr(worst->what.find(": ") + 2),
                                                 worst->in_every_call ? " in every call" : ""});
  if (list.causes.empty() || list.causes.front().kind == CauseKind::kFailure) return {};
  const Cause& cause = list.causes.front();
  return filled("{} takes {}", {placed_text(cause), time_text(static_cast<double>(cause.time))});
}

std::string short_name(const std::string& operation) {
  std::string name = operation.substr(0, operation.rfind('.'));
  return name.substr(name.rfind('.') + 1);
}

}  // namespace

std::string placed_text(const Cause& cause) {
  return cause.place.empty() ? cause.what : filled("{} ({})", {cause.what, cause.place});
}

std::string first_line(const CompileLog& log, const CauseList& list) {
  if (log.compilations.empty()) return "This log of torch.compile has no compilation";
  const std::size_t breaks = count_of(list, CauseKind::kBreak);
  std::string text = counted(list.graphs, "graph") + ", ";
  text += breaks == 0 ? "no graph break" : counted(breaks, "graph break");
  if (log.breaks.size() > breaks) text += filled(" (met {} times)", {std::to_string(log.breaks.size())});
  text += ", ";
  text += log.recompiles.empty() ? "no recompile" : counted(log.recompiles.size(), "recompile");
  text += filled(": {} of compiling", {time_text(static_cast<double>(list.time))});
  const auto failure = std::ranges::find(list.causes, CauseKind::kFailure, &Cause::kind);
  if (failure != list.causes.end())
    text += filled("; {} failed: {}", {counted_of(list.failed, log.compilations.size(), "compilation"), failure->what});
  if (const std::string worst = worst_text(list); !worst.empty()) text += "; " + worst;
  return text;
}

std::vector<DivergingGraph> diverging_graphs(const std::vector<StudyLog>& logs) {
  using Sequence = std::vector<std::string>;
  std::map<std::string, std::map<Sequence, std::vector<std::int64_t>>> graphs;
  std::map<std::string, std::string> functions;
  for (const StudyLog& one : logs) {
    std::map<std::string, Sequence> sequences;
    for (const Compilation& row : one.log.compilations) {
      sequences[row.compile_id];
      functions[row.compile_id] = row.function;
    }
    for (const Collective& row : one.log.collectives) {
      if (row.compilation == kNone) continue;
      const std::string name = short_name(row.operation);
      const std::string& id = one.log.compilations[static_cast<std::size_t>(row.compilation)].compile_id;
      if (name != "wait_tensor") sequences[id].push_back(name);
    }
    for (auto& [id, sequence] : sequences) graphs[id][sequence].push_back(one.log.head.rank);
  }
  std::vector<DivergingGraph> out;
  for (const auto& [id, by_sequence] : graphs) {
    if (by_sequence.size() < 2) continue;
    DivergingGraph graph{.compile_id = id, .function = functions[id]};
    std::vector<std::pair<std::vector<std::int64_t>, Sequence>> groups;
    for (const auto& [sequence, ranks] : by_sequence) groups.emplace_back(ranks, sequence);
    std::ranges::stable_sort(groups, std::greater<>(), [](const auto& group) { return group.first.size(); });
    for (auto& [ranks, sequence] : groups) {
      graph.ranks.push_back(ranks);
      graph.collectives.push_back(sequence);
    }
    const Sequence &most = graph.collectives[0], &other = graph.collectives[1];
    while (graph.first_unequal < std::min(most.size(), other.size()) &&
           most[graph.first_unequal] == other[graph.first_unequal])
      ++graph.first_unequal;
    out.push_back(std::move(graph));
  }
  return out;
}

std::string diverging_text(const DivergingGraph& graph) {
  const auto call = [&](std::size_t group) {
    const std::vector<std::string>& sequence = graph.collectives[group];
    const std::string verb = graph.ranks[group].size() == 1 ? "calls" : "call";
    return graph.first_unequal < sequence.size() ? filled("{} {}", {verb, sequence[graph.first_unequal]})
                                                 : filled("{} no more", {verb});
  };
  return filled(
      "{} {} as collective {} of {} ({}), where {} {}",
      {ranks_text(graph.ranks[1]), call(1), std::to_string(graph.first_unequal + 1),
       graph.function.empty() ? "the graph" : graph.function, graph.compile_id, ranks_text(graph.ranks[0]), call(0)});
}

}  // namespace assay::compile
