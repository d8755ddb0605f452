// FLOPs and minimum bytes of an operator, computed from its operands: one table of formulas that a person can check
// (plugins/operator_roofline/formulas.md prints it).
//
// FLOPs: a multiplication and an addition count as two. Minimum bytes: each operand is read or written once, whatever
// the caches do; an expanded operand counts once per stored element. Times derived from them are lower bounds, so what
// cannot be determined exactly is left out.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "assay/detail/operands.hpp"

namespace assay::roofline {

/// Work of one operator call.
struct Work {
  double flops = 0;                  ///< of the model, without recomputation
  double computed = 0;               ///< including what the algorithm recomputes; at least `flops`
  double bytes = 0;                  ///< least
  bool flops_known = true;           ///< false: only the operands are known (compiled kernels)
  bool matrix = false;               ///< suits matrix units: products, attention, convolutions
  Element math = Element::kFloat32;  ///< type of the multiplied operands, if `matrix`
  double all_pairs = 1;              ///< times the FLOPs if a causal mask left out no pair: MFU counts attention so
};

/// Attention of the sequences in a server's step, summed over them.
struct AttendedTokens {
  double queries = 0, keys = 0;
  double pairs = 0;  ///< query-key pairs, where a query sees earlier keys; the last query of a sequence sees all keys
};

/// Parses the name of a step as written by vLLM and others:
/// "execute_40_context_1(sq8sk8sqsq64sqsk64)_generation_32(sq32sk55086...)", with sums of queries, keys, squared
/// queries and products, for prompts and for decodes. Empty: no such sums.
std::optional<AttendedTokens> attended_tokens(std::string_view name);

/// One call of an operator.
struct OperatorCall {
  std::string_view name;
  const Operands& in;
  std::optional<AttendedTokens> attended = {};  ///< from the range around it

  /// Tensor of input `i`, or null.
  [[nodiscard]] const Tensor* tensor(std::size_t i) const;
  /// Tensor list of input `i`; empty: not a list.
  [[nodiscard]] std::span<const Tensor> list(std::size_t i) const;
  [[nodiscard]] std::optional<std::int64_t> integer(std::size_t i) const;
  [[nodiscard]] std::optional<bool> flag(std::size_t i) const;
  /// A list of `n` numbers; a single number is repeated.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(std::size_t i, std::size_t n) const;
};

/// Empty if the recorded operands are insufficient.
using Rule = std::optional<Work> (*)(const OperatorCall& call);

/// One row of the table.
struct Formula {
  std::string_view operators;                    ///< names, separated by blanks; a trailing '*' matches any ending
  std::string_view kind;                         ///< name for people: "matrix product"
  std::string_view flops, bytes, source, fails;  ///< texts for people; `fails`: when the formula does not hold
  Rule rule;
};

/// Built-in formulas.
std::span<const Formula> formulas();

/// A user-defined formula. Names: n0 elements of input 0, b0 its bytes, e0 bytes per element, d0_1 its length along dim
/// 1 (dm0_1: counted from the last), s3 the integer of input 3.
class OwnFormula {
 public:
  /// "my::fused_mlp | 2 * n0 * d1_0 | b0 + b1 + n0 * e0" and optionally "| matrix". Throws std::invalid_argument with a
  /// sentence on what was expected.
  explicit OwnFormula(std::string_view text);
  ~OwnFormula();
  OwnFormula(OwnFormula&&) noexcept;
  OwnFormula& operator=(OwnFormula&&) noexcept;

  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] std::optional<Work> work(const OperatorCall& call) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Looks operators up by name, user-defined formulas first.
class FormulaBook {
 public:
  explicit FormulaBook(std::vector<OwnFormula> own = {});

  struct FormulaMatch {
    std::string_view kind;
    Rule rule = nullptr;
    const OwnFormula* own = nullptr;
    /// Also empty for operands larger than any device memory.
    [[nodiscard]] std::optional<Work> work(const OperatorCall& call) const;
  };
  /// Empty if no formula has the name.
  [[nodiscard]] std::optional<FormulaMatch> find(std::string_view name) const;

 private:
  std::vector<OwnFormula> own_;
  std::unordered_map<std::string_view, const Formula*> by_name_;
  std::vector<std::pair<std::string_view, const Formula*>> by_beginning_;
};

}  // namespace assay::roofline
