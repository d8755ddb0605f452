// Answers as sentences, and graphs in which ranks disagree.
#pragma once

#include "algo/rank_words.hpp"
#include "causes.hpp"

namespace assay::compile {

/// A log of the study.
struct StudyLog {
  std::size_t report = 0;
  std::string path;
  CompileLog log;
  CauseList causes;
};

/// "graph break: .item() (model.py:28)".
std::string placed_text(const Cause& cause);
/// "8 graphs, 2 graph breaks (met 6 times), 5 recompiles: 11.6 s of compiling; model.py:28 (.item()) breaks the graph
/// in every call".
std::string first_line(const CompileLog& log, const CauseList& causes);

/// A graph whose collectives are not equal in all ranks.
struct DivergingGraph {
  std::string compile_id, function;
  std::vector<std::vector<std::int64_t>> ranks = {};       ///< with equal collectives; the most first
  std::vector<std::vector<std::string>> collectives = {};  ///< of each of these, in order, without waits
  std::size_t first_unequal = 0;                           ///< position
};
std::vector<DivergingGraph> diverging_graphs(const std::vector<StudyLog>& logs);

/// "rank 1 calls all_gather_into_tensor as collective 3 of forward (0/0), ranks 0 and 2 call reduce_scatter_tensor".
std::string diverging_text(const DivergingGraph& graph);

}  // namespace assay::compile
