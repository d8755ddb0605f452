// HLO operators as rows: each instruction that ran kernels, nested in the path of the JAX code it comes from.
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

/// The time range of an operator's kernels on the clock of the device. Each stream gets a thread of its own: `thread`
/// continues after Profile::threads.
struct OperatorRow {
  std::int64_t start = 0, end = 0;
  TextId name = 0;
  std::uint32_t thread = 0;
  OperatorKind kind = OperatorKind::kHlo;
  std::int32_t work = -1;  ///< row of Operators::works; -1: none. Only the outermost row of an instruction has it
};

struct Operators {
  std::vector<OperatorRow> rows;
  std::vector<std::int32_t> of_work;  ///< by row of Profile::work: row of `rows`; -1: none
  std::vector<TextId> threads;        ///< names
  std::vector<OperatorWork> works;    ///< one per instruction that ran and has known work
  std::size_t by_order = 0;           ///< kernels of CUDA graphs assigned by order
  std::size_t uncertain = 0;          ///< among them those in a section whose count does not fit
  std::size_t unknown = 0;            ///< kernels of CUDA graphs without an operator
};

/// Finds the operators of all kernels; `with_work`: also what they compute and move. Throws Damage.
Operators find_operators(Profile& profile, bool with_work = true);

}  // namespace assay::xplane
