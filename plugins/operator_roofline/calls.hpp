// The operators that did the work of a report, and the modelled work of each.
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
  kNoOperator,  ///< launched by no operator
  kNoShapes,    ///< shapes were not recorded
  kNoFormula,
  kOperands,  ///< the recorded operands are insufficient
};
std::string_view why_text(MissingModel why);

/// One operator with its shapes, over all its calls.
struct OperatorRow {
  std::string name, shapes, kind;  ///< shapes and kind are empty if unmodelled
  MissingModel why = MissingModel::kNot;
  Work work;  ///< of one call
  Rate rate = Rate::kFp32;
  std::optional<Roof> roof;  ///< of one call; empty if the roof of its device is unknown
  std::int64_t calls = 0;
  double time = 0;         ///< ns; per call the union of its kernels
  LaunchCounters counted;  ///< of the calls whose kernels all have counters
  std::int64_t counted_calls = 0;

  [[nodiscard]] bool modelled() const { return why == MissingModel::kNot; }
  [[nodiscard]] double least() const { return roof ? roof->ns() * static_cast<double>(calls) : 0; }
  /// Measured FLOPs of its calls: only those of matrix units if it runs on them, since its model counts no others.
  [[nodiscard]] double counted_flops() const {
    return work.matrix && counted.matrix_ops() > 0 ? counted.matrix_ops() : counted.flops();
  }
  /// Maximum possible gain, ns; 0 without a roof.
  [[nodiscard]] double above() const { return roof && time > least() ? time - least() : 0; }
};

/// One call of a row.
struct OperatorInstance {
  std::size_t row = 0;
  Row op = kNone;
  std::int64_t host_start = 0;
  double time = 0;          ///< ns
  bool recomputed = false;  ///< part of a forward pass repeated by a checkpoint
  Row module = kNone;       ///< innermost enclosing call of a module's forward, row of ops
};

struct OperatorCalls {
  std::vector<OperatorRow> rows;  ///< by time, descending
  std::vector<OperatorInstance> instances;
  double time = 0;        ///< ns, over all instances
  double unmodelled = 0;  ///< ns, of those without a model
  Peaks peaks;            ///< of the device that ran the first kernel

  [[nodiscard]] double matrix_time() const;
};

/// Requires ops, kernels with names and kernels.op. The outermost operators with a formula own the kernels below them,
/// so each kernel counts once.
OperatorCalls operator_calls(const Report& report, const FormulaBook& book, std::string_view device,
                             std::span<const std::string> measured);

}  // namespace assay::roofline
