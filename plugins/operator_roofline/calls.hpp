// Which operators did the work of a report, and what the model says that each had to do.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assay/algo/counted.hpp"
#include "assay/algo/peaks.hpp"
#include "assay/detail/formulas.hpp"
#include "assay/report.hpp"

namespace assay::roofline {

/// Why an operator has no model.
enum class MissingModel : std::uint8_t {
  kNot,         ///< it has one
  kNoOperator,  ///< no operator launched it
  kNoShapes,    ///< they were not recorded
  kNoFormula,
  kOperands,  ///< the operands that were recorded do not tell
};
std::string_view why_text(MissingModel why);

/// One operator with its shapes, all its calls together.
struct OperatorRow {
  std::string name, shapes, kind;  ///< shapes and kind are empty where unmodelled
  MissingModel why = MissingModel::kNot;
  Work work;  ///< of one call
  Rate rate = Rate::kFp32;
  std::optional<Roof> roof;  ///< of one call; nothing where the roof of its device is not known
  std::int64_t calls = 0;
  double time = 0;         ///< ns; of each call the union of its kernels
  LaunchCounters counted;  ///< of the calls all of whose kernels have counters
  std::int64_t counted_calls = 0;

  [[nodiscard]] bool modelled() const { return why == MissingModel::kNot; }
  [[nodiscard]] double least() const { return roof ? roof->ns() * static_cast<double>(calls) : 0; }
  /// FLOPs that were counted of its calls: of matrix units where it runs on them, since its model counts no others.
  [[nodiscard]] double counted_flops() const {
    return work.matrix && counted.matrix_ops() > 0 ? counted.matrix_ops() : counted.flops();
  }
  /// What could be gained at most, ns; 0 without a roof.
  [[nodiscard]] double above() const { return roof && time > least() ? time - least() : 0; }
};

/// One call of a row.
struct OperatorInstance {
  std::size_t row = 0;
  Row op = kNone;
  std::int64_t host_start = 0;
  double time = 0;          ///< ns
  bool recomputed = false;  ///< a part of forward that a checkpoint computes again
  Row module = kNone;       ///< innermost call of a module's forward around it, row of ops
};

struct OperatorCalls {
  std::vector<OperatorRow> rows;  ///< by time, descending
  std::vector<OperatorInstance> instances;
  double time = 0;        ///< ns, over all instances
  double unmodelled = 0;  ///< ns, of those without a model
  Peaks peaks;            ///< of the device that ran the first kernel

  [[nodiscard]] double matrix_time() const;
};

/// Needs ops, kernels with names and kernels.op. Outermost operators that have a formula own the kernels below them, so
/// that each kernel counts once.
OperatorCalls operator_calls(const Report& report, const FormulaBook& book, std::string_view device,
                             std::span<const std::string> measured);

}  // namespace assay::roofline
