// HLO operators as rows: each instruction that ran kernels, inside of the path of the JAX code that it comes from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "operator_work.hpp"
#include "profile.hpp"

namespace assay::xplane {

enum class OperatorKind : std::uint8_t {
  kModule,     ///< a part of the path: "jit(step)/jvp(layer0)/attention"
  kPrimitive,  ///< its last word: "dot_general"
  kHlo,        ///< the instruction: "custom-call.56"
};

/// When kernels of an operator ran, on the clock of the device. A thread of its own for each stream: `thread` counts on
/// behind Profile::threads.
struct OperatorRow {
  std::int64_t start = 0, end = 0;
  TextId name = 0;
  std::uint32_t thread = 0;
  OperatorKind kind = OperatorKind::kHlo;
  std::int32_t work = -1;  ///< row of Operators::works; -1: none. Of an instruction the outermost of its rows has it
};

struct Operators {
  std::vector<OperatorRow> rows;
  std::vector<std::int32_t> of_work;  ///< by row of Profile::work: row of `rows`; -1: none
  std::vector<TextId> threads;        ///< names
  std::vector<OperatorWork> works;    ///< one per instruction that ran and has one
  std::size_t by_order = 0;           ///< kernels of CUDA graphs of which the order tells the operator
  std::size_t uncertain = 0;          ///< among them by a count that does not fit
  std::size_t unknown = 0;            ///< kernels of CUDA graphs of which nothing tells
};

/// Finds the operators of all kernels; `with_work`: also what they compute and move. Throws Damage.
Operators find_operators(Profile& profile, bool with_work = true);

}  // namespace assay::xplane
